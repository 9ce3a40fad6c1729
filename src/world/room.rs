//! Rooms: places with a name, a text and exits, dug by hand or grown in a branch.

use crate::base::{BranchId, ExitId, Point, RoomId, RoomKind};
use serde::{Deserialize, Serialize};

/// What stands between a visitor and the unexplored exits of a room (E24 to E27).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Challenge {
    /// How often the lever of this room's portcullis must still be pulled.
    pub lever_pulls: u32,
    /// The room that the lever is in, if it is another (E40).
    pub lever_in: Option<RoomId>,
    /// The room whose portcullis a lever in this room raises, if it is another (E40).
    pub raises: Option<RoomId>,
    /// What comes to light when the room is cleared (E26), by prototype.
    pub reward: Vec<String>,
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
