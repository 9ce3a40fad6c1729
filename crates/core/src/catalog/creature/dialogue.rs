//! Dialogues: trees of what a creature or a townsperson says and of the answers that a player can choose.

use crate::catalog::area::script::PlacedReference;
use crate::catalog::script::condition::Condition;
use crate::catalog::{Catalog, Script};
use crate::data::{CatalogError, Position, Reader, definition};
use std::collections::BTreeSet;

definition! {
    /// A dialogue, from `content/dialogues/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Dialogue {
        /// Stable key.
        pub key: String => |file| file.key(),
        /// Name for builders.
        pub name: String = text(),
        /// Nodes. A conversation begins at the first one, unless a start says otherwise.
        pub nodes: Vec<Utterance> = tables(Utterance::read),
        /// Other beginnings, in order.
        pub starts: Vec<Start> = tables_if_any(Start::read),
        /// Nodes for questions.
        pub topics: Vec<Topic> = tables_if_any(Topic::read),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}

definition! {
    /// A node: something that is said.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Utterance {
        /// Place of the definition.
        pub place: Position => |table| table.place(),
        /// Key, unique in the dialogue.
        pub key: String = text(),
        /// Text, which may contain slots.
        pub text: String = text(),
        /// Script that runs when the text has been said.
        pub lines: Script => |table| Script::read_lasting(table, "lines"),
        /// Answers that the player can choose; without one, the conversation ends.
        pub choices: Vec<DialogueAnswer> = tables_if_any(DialogueAnswer::read),
    }
}

definition! {
    /// An answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DialogueAnswer {
        /// Text, which may contain slots.
        pub text: String = text(),
        /// Node that follows, by key; the conversation ends if absent.
        pub to: Option<PlacedReference> = text_if_any(),
        /// Condition for the answer to be offered.
        pub only_if: Option<Condition> => |table| Condition::read(table, "only_if"),
        /// Script that runs when it is chosen.
        pub lines: Script => |table| Script::read_lasting(table, "lines"),
    }
}

definition! {
    /// A beginning.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Start {
        /// Condition.
        pub only_if: Option<Condition> => |table| Condition::read(table, "only_if"),
        /// Node at which the conversation begins if the condition holds, by key.
        pub to: PlacedReference => |table| required(table, "to"),
    }
}

definition! {
    /// A topic that players can ask about.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Topic {
        /// Words, separated by `;`.
        pub words: String = text(),
        /// Node with the answer, by key.
        pub to: PlacedReference => |table| required(table, "to"),
    }
}

/// Maximum number of answers of a node.
pub const CHOICES_MAX: usize = 20;

impl Dialogue {
    /// Returns a node.
    pub fn node(&self, key: &str) -> Option<&Utterance> {
        self.nodes.iter().find(|node| node.key == key)
    }

    /// Returns the keys of the nodes that no conversation can reach, without regard to conditions.
    pub fn unreached(&self) -> Vec<&str> {
        let begin = self.nodes.first().map(|node| node.key.as_str());
        let others =
            self.starts.iter().map(|start| &start.to).chain(self.topics.iter().map(|topic| &topic.to));
        let mut open: Vec<&str> = begin.into_iter().chain(others.map(|(_, key)| key.as_str())).collect();
        let mut reached = BTreeSet::new();
        while let Some(key) = open.pop() {
            if reached.insert(key) {
                let choices = self.node(key).into_iter().flat_map(|node| &node.choices);
                open.extend(choices.filter_map(|choice| choice.to.as_ref()).map(|(_, key)| key.as_str()));
            }
        }
        self.nodes.iter().map(|node| node.key.as_str()).filter(|key| !reached.contains(key)).collect()
    }

    /// Returns all scripts.
    pub fn scripts(&self) -> impl Iterator<Item = &Script> {
        let choices = self.nodes.iter().flat_map(|node| &node.choices);
        self.nodes.iter().map(|node| &node.lines).chain(choices.map(|choice| &choice.lines))
    }

    /// Returns all conditions, those in scripts included.
    pub fn all_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.conditions().chain(self.scripts().flat_map(Script::conditions))
    }

    /// Returns the conditions of choices and starts.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let choices = self.nodes.iter().flat_map(|node| &node.choices);
        let starts = self.starts.iter().filter_map(|start| start.only_if.as_ref());
        choices.filter_map(|choice| choice.only_if.as_ref()).chain(starts)
    }

    /// Records unknown nodes, and nodes of the same key.
    pub(in crate::catalog) fn check(&self, mistakes: &mut Vec<CatalogError>) {
        let mut keys = BTreeSet::new();
        for node in &self.nodes {
            if !keys.insert(node.key.as_str()) {
                let mistake = format!("two nodes have the key `{}`", node.key);
                mistakes.push(CatalogError::new(&node.place, mistake, "a key of its own for each node"));
            }
            if node.choices.len() > CHOICES_MAX {
                let mistake = format!("node `{}` has {} choices", node.key, node.choices.len());
                mistakes.push(CatalogError::new(&node.place, mistake, format!("at most {CHOICES_MAX}")));
            }
        }
        let choices =
            self.nodes.iter().flat_map(|node| &node.choices).filter_map(|choice| choice.to.as_ref());
        let starts = self.starts.iter().map(|start| &start.to);
        let topics = self.topics.iter().map(|topic| &topic.to);
        for (place, key) in choices.chain(starts).chain(topics) {
            if !key.is_empty() && !keys.contains(key.as_str()) {
                mistakes.push(CatalogError::unknown_name(place, "node", key, keys.iter().copied()));
            }
        }
    }
}

/// Records the dialogues that creatures and townspeople name and that do not exist.
pub(in crate::catalog) fn check_speakers(catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    let creatures = catalog.creatures.values().map(|creature| (&creature.place, &creature.dialogue));
    let folk = catalog.folk.iter().map(|folk| (&folk.place, &folk.dialogue));
    for (place, dialogue) in creatures.chain(folk) {
        if let Some(key) = dialogue
            && !catalog.dialogues.contains_key(key)
        {
            let valid = catalog.dialogues.keys().map(String::as_str);
            mistakes.push(CatalogError::unknown_name(place, "dialogue", key, valid));
        }
    }
}

fn required(table: &mut Reader<'_>, name: &str) -> PlacedReference {
    table.text_if_any(name).unwrap_or_else(|| {
        table.missing(name, "the key of a node");
        PlacedReference::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEEPER: &str = "name = \"keeper\"\n\
        [[nodes]]\nkey = \"hello\"\ntext = \"Yes?\"\n\
        [[nodes.choices]]\ntext = \"What is below?\"\nto = \"below\"\nonly_if = \"level 2\"\nlines = [\"set town/asked = yes\"]\n\
        [[nodes.choices]]\ntext = \"Nothing.\"\n\
        [[nodes]]\nkey = \"below\"\ntext = \"Stairs.\"\n\
        [[nodes]]\nkey = \"lost\"\ntext = \"Hm.\"\n\
        [[starts]]\nonly_if = \"night\"\nto = \"below\"\n\
        [[topics]]\nwords = \"well;stairs\"\nto = \"below\"\n";

    fn read(text: &str) -> (Option<Dialogue>, Vec<String>) {
        let mut mistakes = Vec::new();
        let dialogue = Reader::whole("dialogues/keeper.toml", text, &mut mistakes, Dialogue::read);
        if let Some(dialogue) = &dialogue {
            dialogue.check(&mut mistakes);
        }
        (dialogue, mistakes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn dialogue_is_read_with_nodes_choices_starts_and_topics() {
        let (dialogue, mistakes) = read(KEEPER);
        assert_eq!(mistakes, Vec::<String>::new());
        let dialogue = dialogue.expect("a dialogue");
        let hello = dialogue.node("hello").expect("a node");
        assert_eq!((hello.choices.len(), hello.choices[1].to.as_ref()), (2, None));
        assert_eq!(dialogue.unreached(), ["lost"]);
        assert_eq!((dialogue.scripts().count(), dialogue.conditions().count()), (5, 2));
    }

    #[test]
    fn mistakes_of_a_dialogue_are_reported_together() {
        let text = KEEPER
            .replace("to = \"below\"\nonly_if = \"level 2\"", "to = \"belw\"\nonly_if = \"rich\"")
            .replace("key = \"lost\"", "key = \"hello\"")
            .replace("words = \"well;stairs\"\nto = \"below\"", "words = \"well\"");
        let (_, mistakes) = read(&text);
        for begin in [
            "dialogues/keeper.toml:7:6: unknown node `belw`",
            "dialogues/keeper.toml:8:11: `rich` is no condition",
            "dialogues/keeper.toml:15:1: two nodes have the key `hello`",
            "dialogues/keeper.toml:21:1: `to` is missing",
        ] {
            assert!(mistakes.iter().any(|line| line.starts_with(begin)), "{begin}: {mistakes:#?}");
        }
        assert_eq!(mistakes.len(), 4, "{mistakes:#?}");
    }
}
