//! References between content: the creatures, items and affects in use, and the content that uses them.

pub(super) mod fields;
pub mod luau_keys;
pub mod renaming;
pub(super) mod rooms;
pub(super) mod scripts;

use crate::base::listed;
use crate::catalog::Catalog;
use crate::level::LevelReferent as InLevel;
use std::collections::{BTreeMap, BTreeSet};

listed! {
    /// Kind of referenced content, with its name in error messages.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Referent {
        /// Creature.
        Creature = "creature",
        /// Item.
        Item = "item",
        /// Affect.
        Affect = "affect",
        /// Loot table.
        Loot = "loot table",
        /// Manoeuvre of creatures.
        Manoeuvre = "manoeuvre",
        /// Luau script.
        Script = "script",
        /// Dialogue.
        Dialogue = "dialogue",
        /// Quest.
        Quest = "quest",
    }
}

/// Referenced content, with the content that uses it, as in `the theme well`.
pub type Uses<'c> = BTreeMap<(Referent, &'c str), BTreeSet<String>>;

/// References that are being collected.
#[derive(Default)]
struct GatheredReferences<'c>(Uses<'c>);

impl<'c> GatheredReferences<'c> {
    fn note(&mut self, by: &str, of: Referent, keys: impl IntoIterator<Item = &'c String>) {
        for key in keys {
            self.0.entry((of, key)).or_default().insert(by.to_owned());
        }
    }
}

impl Catalog {
    /// Returns the keys of all content of a kind.
    pub fn keys(&self, of: Referent) -> Vec<&str> {
        match of {
            Referent::Creature => self.creatures.keys().map(String::as_str).collect(),
            Referent::Item => self.items.keys().map(String::as_str).collect(),
            Referent::Affect => self.affects.keys().map(String::as_str).collect(),
            Referent::Loot => self.loot.keys().map(String::as_str).collect(),
            Referent::Manoeuvre => self.manoeuvres.keys().map(String::as_str).collect(),
            Referent::Script => self.scripts.keys().map(String::as_str).collect(),
            Referent::Dialogue => self.dialogues.keys().map(String::as_str).collect(),
            Referent::Quest => self.quests.keys().map(String::as_str).collect(),
        }
    }

    /// Returns the name of content for builders: that of a script is its key. `None` if it has none, or does not exist.
    pub fn name_of(&self, of: Referent, key: &str) -> Option<&str> {
        match of {
            Referent::Creature => self.creatures.get(key).map(|creature| creature.name.as_str()),
            Referent::Item => self.items.get(key).map(|item| item.name.as_str()),
            Referent::Dialogue => self.dialogues.get(key).map(|dialogue| dialogue.name.as_str()),
            Referent::Quest => self.quests.get(key).map(|quest| quest.name.as_str()),
            Referent::Script => self.scripts.get_key_value(key).map(|(key, _)| key.as_str()),
            Referent::Affect | Referent::Loot | Referent::Manoeuvre => None,
        }
    }

    /// Returns `true` if content of this kind and key exists.
    pub fn has(&self, of: Referent, key: &str) -> bool {
        match of {
            Referent::Creature => self.creatures.contains_key(key),
            Referent::Item => self.items.contains_key(key),
            Referent::Affect => self.affects.contains_key(key),
            Referent::Loot => self.loot.contains_key(key),
            Referent::Manoeuvre => self.manoeuvres.contains_key(key),
            Referent::Script => self.scripts.contains_key(key),
            Referent::Dialogue => self.dialogues.contains_key(key),
            Referent::Quest => self.quests.contains_key(key),
        }
    }

    /// Returns all uses of content by other content. Areas are not included: they only describe how hand-built rooms
    /// began; the current rooms are part of the world.
    pub fn uses(&self) -> Uses<'_> {
        let mut uses = self.gather();
        self.gather_classes(&mut uses);
        uses.0
    }

    /// Returns all uses of content by key, without items that are used only as members of a class.
    pub fn naming(&self) -> Uses<'_> {
        self.gather().0
    }

    fn gather(&self) -> GatheredReferences<'_> {
        let mut uses = GatheredReferences::default();
        self.gather_branches(&mut uses);
        self.gather_prototypes(&mut uses);
        let scripts = self.all_scripts().flat_map(|(by, _, script)| {
            script.names().map(move |(_, of, key)| (by.clone(), of, key)).collect::<Vec<_>>()
        });
        let conditions = self.all_conditions().flat_map(|(by, _, condition)| {
            condition.names().map(move |(of, key)| (by.clone(), of, key)).collect::<Vec<_>>()
        });
        let quests = self.quests.values().flat_map(|quest| {
            quest.references().into_iter().map(|(_, of, key)| (format!("the quest {}", quest.key), of, key))
        });
        for (by, of, key) in scripts.chain(conditions).chain(quests) {
            // A quest may name itself.
            if of != Referent::Quest || by != format!("the quest {key}") {
                uses.0.entry((of, key)).or_default().insert(by);
            }
        }
        uses
    }

    fn gather_branches<'c>(&'c self, uses: &mut GatheredReferences<'c>) {
        for theme in self.themes.values() {
            let by = format!("the theme {}", theme.key);
            let halls = theme.inhabitants.iter();
            uses.note(&by, Referent::Creature, &theme.creatures);
            uses.note(&by, Referent::Creature, theme.captives.iter().map(|captive| &captive.creature));
            uses.note(
                &by,
                Referent::Creature,
                halls.clone().flat_map(|hall| &hall.creatures).map(|one| &one.creature),
            );
            uses.note(&by, Referent::Loot, halls.filter_map(|hall| hall.loot.as_ref()));
            uses.note(&by, Referent::Loot, theme.hoards.iter().map(|hoard| &hoard.table));
            uses.note(&by, Referent::Item, &theme.treasure);
            uses.note(&by, Referent::Affect, theme.shrines.iter().map(|shrine| &shrine.affect));
        }
        for (name, level_type) in self.level_types.iter() {
            let by = format!("the level type {name}");
            for reference in &level_type.references {
                let key = [&reference.name];
                match reference.what {
                    InLevel::Creature => uses.note(&by, Referent::Creature, key),
                    InLevel::Item => uses.note(&by, Referent::Item, key),
                    InLevel::ItemClass | InLevel::Theme | InLevel::LevelType | InLevel::Vault => {}
                }
            }
        }
    }

    /// Collects items of which a level type uses any of their class.
    fn gather_classes<'c>(&'c self, uses: &mut GatheredReferences<'c>) {
        for (name, level_type) in self.level_types.iter() {
            let by = format!("the level type {name}");
            let classes =
                level_type.references.iter().filter(|reference| reference.what == InLevel::ItemClass);
            for class in classes.filter_map(|reference| super::ItemClass::named(&reference.name)) {
                let items = self.items.iter().filter(|(_, item)| item.class == class);
                uses.note(&by, Referent::Item, items.map(|(key, _)| key));
            }
        }
    }

    fn gather_prototypes<'c>(&'c self, uses: &mut GatheredReferences<'c>) {
        for (key, table) in self.loot.iter() {
            let by = format!("the loot table {key}");
            uses.note(&by, Referent::Item, table.items.iter().map(|found| &found.item));
        }
        for (key, creature) in self.creatures.iter() {
            uses.note(&format!("the creature {key}"), Referent::Loot, &creature.loot);
            uses.note(&format!("the creature {key}"), Referent::Manoeuvre, &creature.manoeuvres);
            uses.note(&format!("the creature {key}"), Referent::Creature, &creature.inherits);
            uses.note(&format!("the creature {key}"), Referent::Dialogue, &creature.dialogue);
        }
        for folk in self.folk.iter() {
            uses.note(&folk.name, Referent::Dialogue, &folk.dialogue);
        }
        for (key, item) in self.items.iter() {
            let by = format!("the item {key}");
            uses.note(&by, Referent::Affect, item.affect.iter().chain(&item.cures));
            uses.note(&by, Referent::Item, item.items());
        }
        for (key, ability) in self.abilities.iter() {
            let named = ability.affect.iter().chain(&ability.own_affect).chain(&ability.cures);
            uses.note(&format!("the ability {key}"), Referent::Affect, named);
        }
        for (key, manoeuvre) in self.manoeuvres.iter() {
            uses.note(&format!("the manoeuvre {key}"), Referent::Affect, manoeuvre.affects());
        }
        for (key, prop) in self.props.iter() {
            uses.note(&format!("the prop {key}"), Referent::Affect, prop.affects());
        }
        for (key, vault) in self.vaults.iter() {
            let by = format!("the vault {key}");
            for (of, key) in vault.names() {
                uses.0.entry((of, key)).or_default().insert(by.clone());
            }
        }
        let key = Some(&self.clues.key).filter(|key| !key.is_empty());
        uses.note("the chains of clues", Referent::Item, key);
    }
}
