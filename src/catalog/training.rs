//! What a character may choose when it has gained a level.

use crate::data::{Position, definition};

definition! {
    /// One choice, from `content/training/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Training {
        /// What one types.
        pub key: String => |file| file.key(),
        /// What it is called.
        pub name: String = text(),
        /// What it does, in a sentence.
        pub description: String = text(),
        /// Where it stands in the list.
        pub order: u32 = number_or(0..=1_000, 100),
        /// Added to the hit points at most, and to those one has.
        pub max_hp: u32 = number_or(0..=10_000, 0),
        /// Added to attack.
        pub attack: u32 = number_or(0..=1_000, 0),
        /// Added to defence.
        pub defence: u32 = number_or(0..=1_000, 0),
        /// Where it is defined.
        pub place: Position => |file| file.place(),
    }
}
