//! Prototypes of items.

pub mod class;
pub mod shop;

use crate::base::Slot;
use crate::catalog::item::class::ItemClass;
use crate::catalog::script::object_trigger::{self, ItemEvent, ObjectTrigger};
use crate::data::{Position, Reader, definition};
use crate::text::grammar;

definition! {
    /// A kind of item.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ItemPrototype {
        /// Place of the definition.
        pub place: Position => |file| file.place(),
        /// Name for players, without article: `coil of rope`.
        pub name: String = text(),
        /// Class, which decides how the item is used.
        pub class: ItemClass = choice_or(&ItemClass::NAMES, ItemClass::Trinket),
        /// Slot in which it is worn, if it can be.
        pub slot: Option<Slot> => |file| {
            let slot = file.choice_if_any("slot", &Slot::NAMES);
            slot.or((class == ItemClass::Weapon).then_some(Slot::Hand))
        },
        /// Affect applied when used, by key.
        pub affect: Option<String> = filled_text(),
        /// First and last difficulty at which it is found.
        pub difficulty: (u32, u32) = first_and_last(10_000),
        /// Stable key in content and storage.
        pub key: String => |file| file.key(),
        /// Name with its article: `a coil of rope`.
        pub with_article: String = text_or(|| grammar::with_article(&name, None)),
        /// Plural: `coils of rope`.
        pub plural: String = text_or(|| grammar::plural(&name, None).into_owned()),
        /// One or two sentences for `examine`.
        pub description: String = paragraphs(),
        /// Weight in hundredths of a kilogram.
        pub weight: u32 = number_or(0..=100_000, 0),
        /// Value in copper coins.
        pub value: u32 = number_or(0..=1_000_000, 0),
        /// Attack bonus while worn.
        pub attack: u32 = number_or(0..=1_000, 0),
        /// Defence bonus while worn.
        pub defence: u32 = number_or(0..=1_000, 0),
        /// Bonus to maximum hit points while worn.
        pub max_hp: u32 = number_or(0..=10_000, 0),
        /// Range in rooms straight ahead of a missile weapon or throwable item; 0 for other items.
        pub range: u32 = number_or(0..=4, 0),
        /// Damage to every creature in the room where it bursts; 0 if it does not burst.
        pub burst: u32 = number_or(0..=1_000, 0),
        /// Hit points restored when used.
        pub heals: u32 = number_or(0..=10_000, 0),
        /// Applied to a wound instead of swallowed.
        pub laid_on: bool = bool_or(false),
        /// Affects removed when used, by key.
        pub cures: Vec<String> = texts(0),
        /// Capacity in items.
        pub holds: u32 = number_or(0..=1_000, 0),
        /// Cannot be picked up.
        pub fixed: bool = bool_or(false),
        /// Made where a climber falls in a branch, and holds what is lost there.
        pub marks_falls: bool = bool_or(false),
        /// Has a lid, which is shut when the item is made.
        pub closes: bool = bool_or(false),
        /// Item that opens the closed lid, by key; without one no key is needed.
        pub opens_with: Option<String> = filled_text(),
        /// Chance of an attempt to pick the lock, in percent; 0 if it cannot be picked.
        pub pick_percent: u32 = number_or(0..=100, 0),
        /// Items that are inside when it is made and whenever it is refilled, by key.
        pub filled_with: Vec<String> = texts(0),
        /// Number of players who can sit on it.
        pub seats: u32 = number_or(0..=100, 0),
        /// Time for which it burns as a light, in seconds; 0 for other items.
        pub burns_secs: u32 = number_or(0..=1_000_000, 0),
        /// Item that fills it again when it is empty, by key; without one it is used up.
        pub fuel: Option<String> = filled_text(),
        /// Equal items form a stack.
        pub stacks: bool = bool_or(matches!(class, ItemClass::Coin | ItemClass::Potion | ItemClass::Food)),
        /// Scripts that run when players do something with it, in order.
        pub triggers: Vec<ObjectTrigger<ItemEvent>> => |file| object_trigger::read(file),
        /// Weight of the random choice where items are chosen by difficulty; 0 for never.
        pub rarity: u32 = number_or(0..=10_000, 0),
    }
}

/// Maximum number of items that are made together with their container, so that a spawn stays within a step.
const FILLED_MAX: u32 = 20;

impl ItemPrototype {
    /// Returns the keys of other items: its key, its contents and its fuel.
    pub fn items(&self) -> impl Iterator<Item = &String> {
        self.opens_with.iter().chain(&self.filled_with).chain(&self.fuel)
    }
}

/// Reads a file and checks the fields that the item's class requires.
pub(super) fn read(file: &mut Reader<'_>) -> ItemPrototype {
    let item = ItemPrototype::read(file);
    if item.class == ItemClass::Armour && item.slot.is_none() {
        file.record_mistake("slot", "is missing", "where the armour is worn");
    }
    let holder = matches!(item.class, ItemClass::Container | ItemClass::Corpse);
    if holder && item.holds == 0 {
        file.record_mistake("holds", "is missing", "how many things it holds");
    }
    if item.marks_falls && item.class != ItemClass::Container {
        file.record_mistake("marks_falls", "is of a thing that holds nothing", "`class = \"container\"`");
    }
    if holder && item.stacks {
        file.record_mistake("stacks", "is true", "false for what holds things");
    }
    let lidded =
        item.closes || item.opens_with.is_some() || item.pick_percent > 0 || !item.filled_with.is_empty();
    if lidded && item.class != ItemClass::Container {
        file.record_mistake("closes", "is of a thing that holds nothing", "`class = \"container\"`");
    }
    if item.opens_with.is_some() && !item.closes {
        file.record_mistake("opens_with", "is of a thing without a lid", "`closes = true`");
    }
    if item.pick_percent > 0 && item.opens_with.is_none() {
        file.record_mistake("pick_percent", "is of a thing without a lock", "`opens_with`");
    }
    if item.filled_with.len() > item.holds.min(FILLED_MAX) as usize {
        let most = format!("at most `holds` things, and at most {FILLED_MAX}");
        file.record_mistake("filled_with", "is too much for it", &most);
    }
    if item.burns_secs > 0 && item.stacks {
        file.record_mistake("stacks", "is true", "false for what burns");
    }
    if item.fuel.is_some() && item.burns_secs == 0 {
        file.record_mistake("burns_secs", "is missing", "how long it burns, in seconds");
    }
    if item.range > 0 && item.class != ItemClass::Weapon && item.burst == 0 {
        file.record_mistake("range", "is of a thing that neither shoots nor bursts", "a weapon, or `burst`");
    }
    if item.burst > 0 && item.range == 0 {
        file.record_mistake("range", "is missing", "how many rooms it flies before it bursts");
    }
    if item.class == ItemClass::Coin && item.value == 0 {
        file.record_mistake("value", "is missing", "what one coin is worth in coppers");
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

    /// R2 to R5: missing fields of a class are reported with their place.
    #[test]
    fn item_class_requires_its_fields() {
        for (lines, mistake) in [
            ("class = \"armour\"", "`slot` is missing, expected where the armour is worn"),
            ("class = \"container\"", "`holds` is missing, expected how many things it holds"),
            ("class = \"container\"\nholds = 3\nstacks = true", "`stacks` is true"),
            ("class = \"coin\"", "`value` is missing"),
            ("closes = true", "`closes` is of a thing that holds nothing"),
            (
                "class = \"container\"\nholds = 3\nopens_with = \"k\"",
                "`opens_with` is of a thing without a lid",
            ),
            (
                "class = \"container\"\nholds = 3\ncloses = true\npick_percent = 5",
                "`pick_percent` is of a thing without a lock",
            ),
            (
                "class = \"container\"\nholds = 1\nfilled_with = [\"k\", \"k\"]",
                "`filled_with` is too much for it",
            ),
            ("burns_secs = 5\nstacks = true", "`stacks` is true, expected false for what burns"),
            ("fuel = \"k\"", "`burns_secs` is missing"),
            ("range = 2", "`range` is of a thing that neither shoots nor bursts"),
            ("burst = 2", "`range` is missing, expected how many rooms it flies"),
        ] {
            let found = mistakes(lines);
            assert!(
                found.len() == 1 && found[0].starts_with(&format!("items/a.toml:1:1: {mistake}")),
                "{found:?}"
            );
        }
        assert!(mistakes("class = \"weapon\"").is_empty(), "a weapon is for the hand");
        assert!(mistakes("class = \"potion\"").is_empty() && mistakes("").is_empty());
    }
}
