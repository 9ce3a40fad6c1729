//! Lists of the fields of everything that builders define, made from the code that reads it.

use crate::catalog::character::ability::Ability;
use crate::catalog::character::affect::AffectPrototype;
use crate::catalog::creature::{behaviour, prototype};
use crate::catalog::item;
use crate::catalog::theme::Theme;
use crate::catalog::theme::trap::Trap;
use crate::catalog::vault::Vault;
use crate::catalog::{Achievement, Area, DefinitionKind, Dialogue, LootTable, Manoeuvre, Prop, Quest, help};
use crate::data::{Field, fields_of};
use crate::puzzle;

/// A kind of definition with its fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionReference {
    /// Heading.
    pub title: String,
    /// Place of its files below `content/`.
    pub path: String,
    /// Fields, those of nested tables included.
    pub fields: Vec<Field>,
}

impl DefinitionKind {
    /// Returns the fields of a definition of the kind; none for a script, which is one text.
    pub fn all_fields(self) -> Vec<Field> {
        match self {
            Self::Creature => prototype::fields(),
            Self::Item => fields_of(item::read),
            Self::Help => help::fields(),
            Self::Theme => fields_of(|file| Theme::read(file, &puzzle::Registry::builtin(), &mut Vec::new())),
            Self::Dialogue => fields_of(Dialogue::read),
            Self::Quest => fields_of(Quest::read),
            Self::Script => Vec::new(),
        }
    }
}

/// Returns everything that builders define in files, with its fields.
pub fn definitions() -> Vec<DefinitionReference> {
    let made = DefinitionKind::ALL.into_iter().filter(|kind| *kind != DefinitionKind::Script);
    let made = made.map(|kind| DefinitionReference {
        title: match kind {
            DefinitionKind::Help => "Fields of a help page".to_owned(),
            DefinitionKind::Item => "Fields of an item".to_owned(),
            _ => format!("Fields of a {}", kind.name()),
        },
        path: kind.path("KEY"),
        fields: kind.all_fields(),
    });
    let written = |title: &str, path: &str, fields| DefinitionReference {
        title: format!("Fields of {title}"),
        path: path.to_owned(),
        fields,
    };
    let others = [
        written("a zone file", "areas/KEY.toml", fields_of(Area::read)),
        written("a vault", "vaults/KEY.toml", fields_of(|file| Vault::read(file, &mut Vec::new()))),
        written("an affect", "affects/KEY.toml", fields_of(AffectPrototype::read)),
        written("a manoeuvre", "manoeuvres/KEY.toml", fields_of(Manoeuvre::read)),
        written("a prop", "props/KEY.toml", fields_of(Prop::read)),
        written("an ability", "abilities/WORD.toml", fields_of(Ability::read)),
        written("a loot table", "loot/KEY.toml", fields_of(LootTable::read)),
        written("a trap", "traps.toml", fields_of(Trap::read)),
        written("an achievement", "achievements.toml", fields_of(Achievement::read)),
    ];
    made.chain(others).collect()
}

/// Returns the fields of the declaration of a variable, without its name.
pub fn variable_fields() -> impl Iterator<Item = Field> {
    fields_of(Area::read).into_iter().filter(|field| field.table == "variables" && field.name != "name")
}

/// Returns the parts of the behaviour of creatures, each with its help and its parameters.
pub fn behaviours() -> impl Iterator<Item = (&'static str, &'static str, Vec<Field>)> {
    behaviour::Behaviour::parts()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::script::condition::Test;
    use crate::catalog::script::deed::ScriptDeed;
    use crate::catalog::script::verbs::{ScriptVerb, VerbRow};
    use crate::catalog::{BUILTIN, CreatureEvent, ItemEvent, TriggerEvent};
    use crate::data::{SUFFIX, edit};
    use std::collections::BTreeSet;

    /// Every field and verb has its help, and every field a type.
    #[test]
    fn rows_of_the_reference_are_complete() {
        let mut bare = Vec::new();
        let definitions = definitions();
        let parts: Vec<_> = behaviours().collect();
        let parts = parts.iter().map(|(name, _, fields)| (*name, fields));
        for (title, fields) in definitions.iter().map(|kind| (kind.title.as_str(), &kind.fields)).chain(parts)
        {
            let is_bare = |field: &&Field| {
                field.value.is_empty() || !field.about.ends_with('.') || field.about.contains("`None`")
            };
            for field in fields.iter().filter(is_bare) {
                bare.push(format!("{title}: {}.{}", field.table, field.name));
            }
        }
        let rows: [&[VerbRow]; 5] =
            [ScriptDeed::ROWS, Test::ROWS, TriggerEvent::ROWS, CreatureEvent::ROWS, ItemEvent::ROWS];
        let rows = rows.into_iter().flatten().filter(|row| !row.about.ends_with('.'));
        bare.extend(rows.map(|row| row.verb.to_owned()));
        bare.extend(
            behaviours().filter(|(_, about, _)| !about.ends_with('.')).map(|(name, ..)| name.to_owned()),
        );
        assert_eq!(bare, Vec::<String>::new());
    }

    /// Each key that a shipped file uses is among the fields of its kind.
    #[test]
    fn keys_of_shipped_content_are_listed() {
        let mut unknown = BTreeSet::new();
        for kind in definitions() {
            let known: BTreeSet<&str> = kind
                .fields
                .iter()
                .filter(|field| field.table.is_empty())
                .map(|field| field.name.as_str())
                .collect();
            let folder = kind.path.split_once("KEY").map_or("", |(folder, _)| folder);
            let files = BUILTIN.iter().filter(|(path, _)| !folder.is_empty() && path.starts_with(folder));
            for (path, text) in files.filter(|(path, _)| path.ends_with(SUFFIX)) {
                let keys = edit::fields(text).unwrap_or_default();
                let keys = keys.into_iter().map(|(key, _)| key).filter(|key| !known.contains(key.as_str()));
                unknown.extend(keys.map(|key| format!("{path}: {key}")));
            }
        }
        assert_eq!(unknown, BTreeSet::new());
    }
}
