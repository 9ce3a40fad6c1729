//! Prototypes of items: what a thing is before there is one.

use crate::base::{Slot, listed};
use crate::data::{Position, Reader, definition};
use crate::text::grammar;

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
        /// Drunk or laid on, and then gone.
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

impl ItemClass {
    /// Whether builders may lay such a thing out: coins are made by whoever pays, and corpses by whoever dies.
    pub const fn lies_about(self) -> bool {
        !matches!(self, Self::Coin | Self::Corpse)
    }
}

definition! {
    /// A kind of thing.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ItemPrototype {
        /// Where it is defined.
        pub place: Position => |file| file.place(),
        /// What players call it, without article: `coil of rope`.
        pub name: String = text(),
        /// What one does with it.
        pub class: ItemClass = choice_or(&ItemClass::NAMES, ItemClass::Trinket),
        /// Where it is worn, if it can be.
        pub slot: Option<Slot> => |file| {
            let slot = file.choice_if_any("slot", &Slot::NAMES);
            slot.or((class == ItemClass::Weapon).then_some(Slot::Hand))
        },
        /// The affect it causes when used, by key.
        pub affect: Option<String> = filled_text(),
        /// The difficulties it is found at, first and last.
        pub difficulty: (u32, u32) = first_and_last(10_000),
        /// Stable name in data and storage.
        pub key: String => |file| file.key(),
        /// With its article: `a coil of rope`.
        pub with_article: String = text_or(|| grammar::with_article(&name, None)),
        /// Several of it: `coils of rope`.
        pub plural: String = text_or(|| format!("{name}s")),
        /// One or two sentences for `examine`.
        pub description: String = text(),
        /// Weight in hundredths of a kilogram.
        pub weight: u32 = number_or(0..=100_000, 0),
        /// Worth in copper coins.
        pub value: u32 = number_or(0..=1_000_000, 0),
        /// Added to the bearer's attack while worn.
        pub attack: u32 = number_or(0..=1_000, 0),
        /// Added to the bearer's defence while worn.
        pub defence: u32 = number_or(0..=1_000, 0),
        /// Added to the bearer's hit points at most while worn.
        pub max_hp: u32 = number_or(0..=10_000, 0),
        /// Over how many rooms straight ahead it shoots or flies; 0 for a thing of the hand.
        pub range: u32 = number_or(0..=4, 0),
        /// The harm that it does to every creature where it bursts; 0 for a thing that does not burst.
        pub burst: u32 = number_or(0..=1_000, 0),
        /// Hit points it gives when used.
        pub heals: u32 = number_or(0..=10_000, 0),
        /// Whether it is laid on where it hurts, and not swallowed.
        pub laid_on: bool = truth_or(false),
        /// The affects it ends when used, by key.
        pub cures: Vec<String> = texts(0),
        /// Things it holds.
        pub holds: u32 = number_or(0..=1_000, 0),
        /// Whether equal ones are one thing with a count.
        pub stacks: bool = truth_or(matches!(class, ItemClass::Coin | ItemClass::Potion | ItemClass::Food)),
        /// How often it is drawn where things are drawn by difficulty; 0 for never.
        pub rarity: u32 = number_or(0..=10_000, 0),
    }
}

/// Reads a file; what a class of things needs is asked for.
pub(super) fn read(file: &mut Reader<'_>) -> ItemPrototype {
    let item = ItemPrototype::read(file);
    if item.class == ItemClass::Armour && item.slot.is_none() {
        file.wrong("slot", "is missing", "where the armour is worn");
    }
    let holder = matches!(item.class, ItemClass::Container | ItemClass::Corpse);
    if holder && item.holds == 0 {
        file.wrong("holds", "is missing", "how many things it holds");
    }
    if holder && item.stacks {
        file.wrong("stacks", "is true", "false for what holds things");
    }
    if item.range > 0 && item.class != ItemClass::Weapon && item.burst == 0 {
        file.wrong("range", "is of a thing that neither shoots nor bursts", "a weapon, or `burst`");
    }
    if item.burst > 0 && item.range == 0 {
        file.wrong("range", "is missing", "how many rooms it flies before it bursts");
    }
    if item.class == ItemClass::Coin && item.value == 0 {
        file.wrong("value", "is missing", "what one coin is worth in coppers");
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(lines: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        let text = format!("name = \"a\"\ndescription = \"b\"\n{lines}");
        Reader::whole("items/a.toml", &text, &mut mistakes, read);
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
            ("range = 2", "`range` is of a thing that neither shoots nor bursts"),
            ("burst = 2", "`range` is missing, expected how many rooms it flies"),
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
