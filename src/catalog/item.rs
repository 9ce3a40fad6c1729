//! Prototypes of items: what a thing is before there is one.

use crate::base::{Slot, listed};
use crate::data::{CatalogError, Place, Reader};
use crate::text::grammar::with_article;

listed! {
    /// What one does with a thing.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum ItemClass {
        /// Carried and looked at.
        #[default]
        Trinket = "trinket",
        /// Wielded.
        Weapon = "weapon",
        /// Worn.
        Armour = "armour",
        /// Drunk, and then gone.
        Potion = "potion",
        /// Eaten, and then gone.
        Food = "food",
        /// Counted as money.
        Coin = "coin",
        /// Holds other things.
        Container = "container",
        /// Holds what a creature had.
        Corpse = "corpse",
    }
}

/// A kind of thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemPrototype {
    /// Stable name in data and storage.
    pub key: String,
    /// What players call it, without article: `coil of rope`.
    pub name: String,
    /// With its article: `a coil of rope`.
    pub with_article: String,
    /// Several of it: `coils of rope`.
    pub plural: String,
    /// One or two sentences for `examine`.
    pub description: String,
    /// Weight in hundredths of a kilogram.
    pub weight: u32,
    /// Worth in copper coins.
    pub value: u32,
    /// What one does with it.
    pub class: ItemClass,
    /// Where it is worn, if it can be.
    pub slot: Option<Slot>,
    /// Added to the bearer's attack while worn.
    pub attack: u32,
    /// Added to the bearer's defence while worn.
    pub defence: u32,
    /// Added to the bearer's hit points at most while worn.
    pub max_hp: u32,
    /// Hit points it gives when used.
    pub heals: u32,
    /// The affect it causes when used, by key.
    pub affect: Option<String>,
    /// The affects it ends when used, by key.
    pub cures: Vec<String>,
    /// Things it holds.
    pub holds: u32,
    /// Whether equal ones are one thing with a count.
    pub stacks: bool,
    /// The difficulties it is found at, first and last.
    pub difficulty: (u32, u32),
    /// How often it is drawn where things are drawn by difficulty; 0 for never.
    pub rarity: u32,
    /// Where it is defined.
    pub place: Place,
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<ItemPrototype> {
    let mut reader = Reader::parse(path, text, mistakes)?;
    let place = reader.place();
    let name = reader.text("name");
    let class = reader.choice_or("class", &ItemClass::NAMES, ItemClass::Trinket);
    let slot = reader.choice_if_any("slot", &Slot::NAMES);
    let affect = reader.text_or("affect", String::new);
    let first = reader.number_or("first_difficulty", 0..=10_000, 0);
    let stacks = matches!(class, ItemClass::Coin | ItemClass::Potion | ItemClass::Food);
    let item = ItemPrototype {
        key: reader.key(),
        with_article: reader.text_or("with_article", || with_article(&name, None)),
        plural: reader.text_or("plural", || format!("{name}s")),
        name,
        description: reader.text("description"),
        weight: reader.number_or("weight", 0..=100_000, 0),
        value: reader.number_or("value", 0..=1_000_000, 0),
        class,
        slot: slot.or((class == ItemClass::Weapon).then_some(Slot::Hand)),
        attack: reader.number_or("attack", 0..=1_000, 0),
        defence: reader.number_or("defence", 0..=1_000, 0),
        max_hp: reader.number_or("max_hp", 0..=10_000, 0),
        heals: reader.number_or("heals", 0..=10_000, 0),
        affect: Some(affect).filter(|affect| !affect.is_empty()),
        cures: reader.texts("cures", 0),
        holds: reader.number_or("holds", 0..=1_000, 0),
        stacks: reader.truth_or("stacks", stacks),
        difficulty: (first, reader.number_or("last_difficulty", first..=u32::MAX, u32::MAX)),
        rarity: reader.number_or("rarity", 0..=10_000, 0),
        place,
    };
    let needs_slot = item.class == ItemClass::Armour && item.slot.is_none();
    if needs_slot {
        reader.wrong("slot", "is missing", "where the armour is worn");
    }
    let holder = matches!(item.class, ItemClass::Container | ItemClass::Corpse);
    if holder && item.holds == 0 {
        reader.wrong("holds", "is missing", "how many things it holds");
    }
    if holder && item.stacks {
        reader.wrong("stacks", "is true", "false for what holds things");
    }
    if item.class == ItemClass::Coin && item.value == 0 {
        reader.wrong("value", "is missing", "what one coin is worth in coppers");
    }
    reader.finish();
    Some(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(lines: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        read("items/a.toml", &format!("name = \"a\"\ndescription = \"b\"\n{lines}"), &mut mistakes);
        mistakes.iter().map(ToString::to_string).collect()
    }

    /// R2 to R5: what a class needs is asked for, with the place.
    #[test]
    fn a_class_asks_for_what_it_needs() {
        for (lines, wrong) in [
            ("class = \"armour\"", "`slot` is missing, expected where the armour is worn"),
            ("class = \"container\"", "`holds` is missing, expected how many things it holds"),
            ("class = \"container\"\nholds = 3\nstacks = true", "`stacks` is true"),
            ("class = \"coin\"", "`value` is missing"),
        ] {
            let found = mistakes(lines);
            assert!(
                found.len() == 1 && found[0].starts_with(&format!("items/a.toml:1:1: {wrong}")),
                "{found:?}"
            );
        }
        assert!(mistakes("class = \"weapon\"").is_empty(), "a weapon is for the hand");
        assert!(mistakes("class = \"potion\"").is_empty() && mistakes("").is_empty());
    }
}
