//! Affects: temporary effects on a character, good or bad.

use crate::data::{Position, definition};

definition! {
    /// A kind of affect, from `content/affects/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct AffectPrototype {
        /// Stable key in content and storage.
        pub key: String => |file| file.key(),
        /// Name for players: `poisoned`.
        pub name: String = text(),
        /// Description for help and `examine`.
        pub description: String = text(),
        /// Message to the bearer when it begins.
        pub begins: String = text(),
        /// Message to the bearer when it ends.
        pub ends: String = text(),
        /// Attack modifier.
        pub attack: i32 = signed_or(-1_000..=1_000, 0),
        /// Defence modifier.
        pub defence: i32 = signed_or(-1_000..=1_000, 0),
        /// Modifier of the maximum hit points.
        pub max_hp: i32 = signed_or(-100_000..=100_000, 0),
        /// Hit points gained (or lost) each round.
        pub hp_per_round: i32 = signed_or(-1_000..=1_000, 0),
        /// Prevents the bearer from leaving the room.
        pub holds: bool = bool_or(false),
        /// Prevents the bearer from attacking.
        pub stuns: bool = bool_or(false),
        /// Prevents creatures that have not noticed the bearer from attacking; ends with the first blow.
        pub hushes: bool = bool_or(false),
        /// Default duration in rounds.
        pub rounds: u32 = number(1..=1_000_000),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}
