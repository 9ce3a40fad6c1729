//! What a layout may have in it, and what it may ask for.

use serde::{Deserialize, Serialize};

/// What a layout may have in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// A room that ends it.
    Finish,
    /// Rooms that lead somewhere else at once.
    Portal,
    /// Ways without a way back.
    OneWay,
    /// Enemies and power-ups against a might that all inside share.
    Might,
    /// Doors with keys.
    Keys,
    /// Levers, chests and things to find.
    Levers,
    /// Creatures that carry something.
    Guards,
    /// Plates that must be stood on, and weights.
    Plates,
    /// Questions that want an answer in words.
    Words,
    /// Several areas of rooms, one after the other.
    ManyRooms,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 10] = [
        Self::Finish,
        Self::Portal,
        Self::OneWay,
        Self::Might,
        Self::Keys,
        Self::Levers,
        Self::Guards,
        Self::Plates,
        Self::Words,
        Self::ManyRooms,
    ];

    /// The word in `puzzle info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finish => "finish",
            Self::Portal => "portal",
            Self::OneWay => "one-way",
            Self::Might => "might",
            Self::Keys => "keys",
            Self::Levers => "levers",
            Self::Guards => "guards",
            Self::Plates => "plates",
            Self::Words => "words",
            Self::ManyRooms => "many rooms",
        }
    }
}

/// What has to be done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Beat every enemy.
    KillAll,
    /// Turn on every switch in [`Layout::solved`](super::Layout::solved).
    Solve,
    /// Come to the finish.
    #[default]
    ReachFinish,
}

impl Goal {
    /// The word in `puzzle info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KillAll => "kill_all",
            Self::Solve => "solve",
            Self::ReachFinish => "reach_finish",
        }
    }
}
