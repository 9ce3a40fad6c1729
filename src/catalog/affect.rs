//! Affects: what hangs on a body for a while, good or bad.

use crate::data::{Position, definition};

definition! {
    /// A kind of affect, from `content/affects/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct AffectPrototype {
        /// Stable name in data and storage.
        pub key: String => |file| file.key(),
        /// What players call it: `poisoned`.
        pub name: String = text(),
        /// What it does, for help and `examine`.
        pub description: String = text(),
        /// What the bearer reads when it begins.
        pub begins: String = text(),
        /// What the bearer reads when it ends.
        pub ends: String = text(),
        /// Added to attack.
        pub attack: i32 = signed_or(-1_000..=1_000, 0),
        /// Added to defence.
        pub defence: i32 = signed_or(-1_000..=1_000, 0),
        /// Added to the hit points at most.
        pub max_hp: i32 = signed_or(-100_000..=100_000, 0),
        /// Hit points gained (or lost) each round.
        pub hp_per_round: i32 = signed_or(-1_000..=1_000, 0),
        /// Whether the bearer cannot leave the room.
        pub holds: bool = truth_or(false),
        /// Whether the bearer strikes no blows.
        pub stuns: bool = truth_or(false),
        /// Whether creatures that have not noticed the bearer do not begin a fight; the first blow ends it.
        pub hushes: bool = truth_or(false),
        /// How many rounds it lasts unless whatever causes it says otherwise.
        pub rounds: u32 = number(1..=1_000_000),
        /// Where it is defined.
        pub place: Position => |file| file.place(),
    }
}
