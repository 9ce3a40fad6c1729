//! Kinds that a goal of a quest names by key, and other kinds that its text fits as well.

use crate::catalog::Catalog;
use crate::catalog::quest::{ANY, Quest, QuestGoal, QuestStep};
use crate::catalog::references::Referent;
use crate::catalog::script::ScriptDeed;
use crate::text::grammar;

impl QuestGoal {
    /// Returns the kinds that the goal names by key, without puzzles.
    pub fn kinds(&self) -> impl Iterator<Item = (Referent, &str)> {
        let (of, named, takers): (Referent, &[String], &[String]) = match self {
            Self::Kill(creatures) | Self::Escort(creatures, _) | Self::Rescue(creatures) => {
                (Referent::Creature, creatures, &[])
            }
            Self::Fetch(items) | Self::Use(items) | Self::Carry(items, _) | Self::Bring(items, _) => {
                (Referent::Item, items, &[])
            }
            Self::Give(items, takers) => (Referent::Item, items, takers),
            Self::Talk(dialogues) => (Referent::Dialogue, dialogues, &[]),
            Self::Reach(_)
            | Self::Depth(_)
            | Self::Solve(_)
            | Self::Clear(_)
            | Self::See(_)
            | Self::Coffer
            | Self::Finish
            | Self::Moment(_)
            | Self::If(_)
            | Self::Script => (Referent::Creature, &[], &[]),
        };
        let takers = takers.iter().map(|key| (Referent::Creature, key.as_str()));
        let all = named.iter().map(move |key| (of, key.as_str())).chain(takers);
        all.filter(|(_, key)| *key != ANY)
    }
}

impl QuestStep {
    /// Returns `true` if the text of the step fits a kind, which its goal may not name: "Kill three rats" fits a brood rat,
    /// "Kill three brood rats" does not fit a rat.
    pub fn fits(&self, catalog: &Catalog, of: Referent, key: &str) -> bool {
        let text = spaced(&self.text);
        let kinds = self.goal.iter().flat_map(QuestGoal::kinds).filter(|(kind, _)| *kind == of);
        let nouns = kinds.filter_map(|(of, key)| noun_in(&text, &forms(catalog, of, key)?));
        let name = forms(catalog, of, key).map(|[name, _]| spaced(name));
        name.is_some_and(|name| nouns.into_iter().any(|noun| name.contains(&noun)))
    }

    /// Returns the names of the kinds that the text of the step fits and its goal does not name.
    fn unnamed_kinds<'c>(&self, catalog: &'c Catalog) -> Vec<&'c str> {
        let named: Vec<(Referent, &str)> = self.goal.iter().flat_map(QuestGoal::kinds).collect();
        let all = [Referent::Creature, Referent::Item].into_iter().flat_map(|of| {
            let is_asked = named.iter().any(|(kind, _)| *kind == of);
            let keys = if is_asked { catalog.keys(of) } else { Vec::new() };
            keys.into_iter().map(move |key| (of, key))
        });
        let unnamed = all.filter(|kind| !named.contains(kind) && self.fits(catalog, kind.0, kind.1));
        unnamed.filter_map(|(of, key)| forms(catalog, of, key)).map(|[name, _]| name).collect()
    }

    /// Returns the items that its lines give and a goal of the quest asks for, if shops buy them.
    fn salable_tools<'c>(&self, quest: &Quest, catalog: &'c Catalog) -> Vec<&'c str> {
        let given = self.lines.lines().iter().filter_map(|line| match &line.deed {
            ScriptDeed::Give(_, item) | ScriptDeed::Item(item) if quest.asks_for(item) => {
                catalog.items.get(item)
            }
            _ => None,
        });
        given.filter(|item| item.value > 0).map(|item| item.name.as_str()).collect()
    }
}

impl Quest {
    /// Returns `true` if a goal of the quest names an item, so that the player may need it to go on.
    pub fn asks_for(&self, item: &str) -> bool {
        self.steps
            .iter()
            .flat_map(|step| &step.goal)
            .flat_map(QuestGoal::kinds)
            .any(|kind| kind == (Referent::Item, item))
    }

    /// Returns what may not be meant as it is, as clauses about the quest.
    pub fn doubts(&self, catalog: &Catalog) -> Vec<String> {
        let mut doubts = Vec::new();
        for step in &self.steps {
            let (key, text) = (&step.key, &step.text);
            let others = step.unnamed_kinds(catalog);
            if !others.is_empty() {
                let others = grammar::list(&others);
                doubts.push(format!(
                    "the step {key} says \"{text}\", which fits what does not count: {others}."
                ));
            }
            let counts_outside = step.goal.as_ref().is_some_and(QuestGoal::counts_outside);
            if counts_outside && !step.dungeon && spaced(text).contains(" in the dungeon ") {
                doubts.push(format!(
                    "the step {key} says \"{text}\", and counts hand-built rooms too; dungeon = true leaves them out."
                ));
            }
            let tools = step.salable_tools(self, catalog);
            if !tools.is_empty() {
                let tools = grammar::list(&tools);
                doubts.push(format!(
                    "the step {key} gives what shops buy, once more after each time the quest is abandoned: {tools}."
                ));
            }
        }
        doubts
    }
}

/// Returns the name of a creature or item, and its plural.
fn forms<'c>(catalog: &'c Catalog, of: Referent, key: &str) -> Option<[&'c str; 2]> {
    match of {
        Referent::Creature => {
            catalog.creatures.get(key).map(|creature| [creature.name.as_str(), &creature.plural])
        }
        Referent::Item => catalog.items.get(key).map(|item| [item.name.as_str(), &item.plural]),
        _ => None,
    }
}

/// Returns the noun by which a text names a kind: its whole name, or else the last word of its name.
fn noun_in(text: &str, [name, plural]: &[&str; 2]) -> Option<String> {
    let is_said = |noun: &str| text.contains(&spaced(noun));
    if is_said(name) || is_said(plural) {
        return Some(spaced(name));
    }
    let last = |name: &str| name.split_whitespace().last().unwrap_or_default().to_owned();
    let head = last(name);
    (is_said(&head) || is_said(&last(plural))).then(|| spaced(&head))
}

/// Returns the words of a text in lower case, each between two spaces.
fn spaced(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Reader;

    fn step(catalog: &Catalog, goal: &str, text: &str) -> Vec<String> {
        let file =
            format!("name = \"A\"\ntext = \"A.\"\n[[steps]]\nkey = \"a\"\ntext = \"{text}\"\n{goal}\n");
        let mut mistakes = Vec::new();
        let quest = Reader::whole("quests/a.toml", &file, &mut mistakes, Quest::read).expect("TOML");
        assert!(mistakes.is_empty(), "{mistakes:?}");
        quest.doubts(catalog)
    }

    /// For each kind that can be killed or carried: a text with only the last word of its name is doubted exactly if another
    /// kind has that word in its name, and a text with all such kinds named is not.
    #[test]
    fn texts_that_fit_other_kinds_are_doubted() {
        let catalog = Catalog::builtin();
        for (of, goal) in [(Referent::Creature, "kill"), (Referent::Item, "fetch")] {
            let names: Vec<(&str, String)> = catalog
                .keys(of)
                .into_iter()
                .map(|key| (key, spaced(forms(&catalog, of, key).expect("a name")[0])))
                .collect();
            for (key, name) in &names {
                let noun = name.split_whitespace().last().expect("a word");
                let like: Vec<&str> = names
                    .iter()
                    .filter(|(_, name)| name.contains(&spaced(noun)))
                    .map(|(key, _)| *key)
                    .collect();
                // The text may hold the whole name of the kind: then only kinds that contain the whole name fit.
                let is_plain = spaced(noun) == *name;
                let doubted = step(&catalog, &format!("{goal} = \"{key}\""), &format!("Go for {noun}."));
                assert_eq!(!doubted.is_empty(), like.len() > 1, "{key} ({is_plain}): {doubted:?}");
                let all = format!("{goal} = {like:?}");
                assert_eq!(step(&catalog, &all, &format!("Go for {noun}.")), [""; 0], "{key}");
                let whole =
                    step(&catalog, &format!("{goal} = \"{key}\""), &format!("Go for {}.", name.trim()));
                let longer = names.iter().filter(|(_, other)| other.contains(name)).count() > 1;
                assert_eq!(!whole.is_empty(), longer, "{key}: {whole:?}");
            }
        }
    }

    #[test]
    fn steps_that_give_salable_tools_again_are_doubted() {
        let catalog = Catalog::builtin();
        let lines = "fetch = \"longsword\"\nlines = [\"give longsword\"]";
        assert!(step(&catalog, lines, "Get it.")[0].contains("gives what shops buy"));
    }

    /// A text about the dungeon is doubted for goals that hand-built rooms can meet, until the step leaves those out.
    #[test]
    fn texts_about_the_dungeon_are_doubted_if_other_rooms_count() {
        let catalog = Catalog::builtin();
        for (goal, counts_outside) in
            [("kill = \"any\"", true), ("solve = \"any\"", true), ("clear = 2", false)]
        {
            for text in ["Work in the dungeon.", "Work."] {
                let is_doubted = !step(&catalog, goal, text).is_empty();
                assert_eq!(is_doubted, counts_outside && text.contains("dungeon"), "{goal}: {text}");
                assert_eq!(
                    step(&catalog, &format!("{goal}\ndungeon = true"), text),
                    [""; 0],
                    "{goal}: {text}"
                );
            }
        }
    }

    /// Achievements cannot leave hand-built rooms out, so that none with such a goal may say so.
    #[test]
    fn achievements_about_the_dungeon_count_nothing_else() {
        for one in Catalog::builtin().achievements.iter() {
            let counts_outside = one.goal.as_ref().is_some_and(QuestGoal::counts_outside);
            assert!(!counts_outside || !one.text.contains("dungeon"), "{}", one.key);
        }
    }

    /// The shipped quests say what counts.
    #[test]
    fn shipped_quests_leave_no_doubt() {
        let catalog = Catalog::builtin();
        for quest in catalog.quests.values() {
            assert_eq!(quest.doubts(&catalog), [""; 0], "{}", quest.key);
        }
    }
}
