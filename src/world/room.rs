//! Rooms: places with a name, a text and exits, dug by hand or grown in a branch.

use crate::base::{BranchId, ExitId, Point, RoomId};
use serde::{Deserialize, Serialize};

/// What a room is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomKind {
    /// An ordinary room, dug by hand.
    #[default]
    Room,
    /// The start room of a dungeon: permanent, its timers reset the exits and collapse branches (E5, E52).
    Start,
    /// A generated room; the word names what the theme put into it.
    Dungeon,
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
        matches!(self, Self::Dungeon | Self::Hint | Self::Puzzle | Self::Treasure)
    }

    /// The word for it, as builders type it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Room => "room",
            Self::Start => "start",
            Self::Dungeon => "dungeon",
            Self::Hint => "hint",
            Self::Puzzle => "puzzle",
            Self::Treasure => "treasure",
        }
    }
}

/// What stands between a visitor and the unexplored exits of a room (E24 to E27).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Challenge {
    /// How often a lever must still be pulled.
    pub lever_pulls: u32,
    /// What is written here, if anything.
    pub hint: Option<String>,
}

/// A room. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Room {
    /// Identity; `num` for clients.
    pub id: RoomId,
    /// What it is for.
    pub kind: RoomKind,
    /// Shown on a line of its own.
    pub name: String,
    /// Further words that `goto` finds it by.
    pub aliases: Vec<String>,
    /// What one sees.
    pub description: String,
    /// One word for mappers: "clay", "street".
    pub environment: String,
    /// The hand-built area it is in, or the theme of its branch.
    pub area: String,
    /// The branch that owns it, if it was grown.
    pub branch: Option<BranchId>,
    /// Floor of the branch, from 1; 0 in hand-built areas.
    pub floor: u32,
    /// Where on the floor (C2). Hand-built rooms lie where they were dug.
    pub at: Point,
    /// Radial depth (E29); 0 in hand-built areas.
    pub depth: u32,
    /// Depth plus the floors above (C5).
    pub difficulty: u32,
    /// Whether the unexplored exits are free: the tag `not_clear` of E31 turned round.
    pub clear: bool,
    /// What has to be overcome besides the creatures.
    pub challenge: Challenge,
    /// The exit whose traversal made it.
    pub made_by: Option<ExitId>,
}
