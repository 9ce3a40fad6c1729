//! Kinds of rooms and exits: words that content, generator, world and builders share.

use serde::{Deserialize, Serialize};

/// What a room is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomKind {
    /// An ordinary room, dug by hand.
    #[default]
    Room,
    /// The start room of a dungeon: permanent, its timers reset the exits and collapse branches (E5, E52).
    Start,
    /// An ordinary room of a branch (E30).
    Dungeon,
    /// An ordinary room of the generator `corridor`.
    Corridor,
    /// A generated room with something written in it; clear from birth (E27).
    Hint,
    /// A generated room whose mechanism must be worked before one goes on.
    Puzzle,
    /// A generated room with something worth guarding.
    Treasure,
}

impl RoomKind {
    /// Whether rooms of this kind belong to branches, where fights and death are allowed (E30).
    pub const fn is_dungeon(self) -> bool {
        matches!(self, Self::Dungeon | Self::Corridor | Self::Hint | Self::Puzzle | Self::Treasure)
    }

    /// Whether a new room of this kind is clear (E31). A hint room always is; the others are unless something in
    /// them blocks (E25, E27).
    pub const fn is_born_clear(self, blocked: bool) -> bool {
        matches!(self, Self::Hint) || !blocked
    }

    /// The word in dumps and storage, and as builders type it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Room => "room",
            Self::Start => "start",
            Self::Dungeon => "dungeon",
            Self::Corridor => "corridor",
            Self::Hint => "hint",
            Self::Puzzle => "puzzle",
            Self::Treasure => "treasure",
        }
    }
}

/// What walking through does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitKind {
    /// Leads to a room.
    #[default]
    Exit,
    /// A start room's exit: leads into the branch that is open, or makes one (E6, E45).
    Branch,
}

/// Where an exit stands. `Unexplored` points back at its own room until it is used (E34).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitState {
    /// Nobody has walked it; the room behind it does not exist.
    Unexplored,
    /// Two-way.
    Open,
    /// Leads into a room that has no way back along it (E18).
    OneWay,
}

impl ExitState {
    /// The word in dumps and GMCP.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unexplored => "unexplored",
            Self::Open => "open",
            Self::OneWay => "one_way",
        }
    }
}
