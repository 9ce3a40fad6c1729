//! Attributes that a character can train at a new level.

use crate::data::{Position, definition};

definition! {
    /// A training choice, from `content/training/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Training {
        /// Key and command argument.
        pub key: String => |file| file.key(),
        /// Name for players.
        pub name: String = text(),
        /// Description in one sentence.
        pub description: String = text(),
        /// Sort order in the list.
        pub order: u32 = number_or(0..=1_000, 100),
        /// Increase of maximum and current hit points.
        pub max_hp: u32 = number_or(0..=10_000, 0),
        /// Increase of attack.
        pub attack: u32 = number_or(0..=1_000, 0),
        /// Increase of defence.
        pub defence: u32 = number_or(0..=1_000, 0),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}
