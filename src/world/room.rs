//! Rooms: places with a name, a text and exits, dug by hand or grown in a branch.

use crate::base::{BranchId, CharacterId, ExitId, Point, RoomId, RoomKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What stands between a visitor and the unexplored exits of a room.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Challenge {
    /// How often the lever of this room's portcullis must still be pulled.
    pub lever_pulls: u32,
    /// The room that the lever is in, if it is another.
    pub lever_in: Option<RoomId>,
    /// The room whose portcullis a lever in this room raises, if it is another.
    pub raises: Option<RoomId>,
    /// The puzzle behind the gate of this room, as long as it is not solved: its place in the theme's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<u32>,
    /// What comes to light when the room is cleared, by prototype.
    pub reward: Vec<String>,
    /// How many coppers come to light with it.
    #[serde(skip_serializing_if = "is_zero")]
    pub coins: u32,
    /// What is written here, if anything.
    pub hint: Option<String>,
    /// What the room is for: the mob of a captive, the affect of a shrine, the first answer of a riddle, the name of a
    /// landmark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// Who has had what the room gives once to each, and how often they tried.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub visitors: BTreeMap<CharacterId, u32>,
}

/// What members of a branch remember of a room where none of them is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// Things that lay there, by prototype, and how many.
    pub items: BTreeMap<String, u32>,
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
    /// Where on the floor. Hand-built rooms lie where they were dug.
    pub at: Point,
    /// Radial depth; 0 in hand-built areas.
    pub depth: u32,
    /// Depth plus the floors above.
    pub difficulty: u32,
    /// Whether the unexplored exits are free: the opposite of `not_clear`.
    pub clear: bool,
    /// What has to be overcome besides the creatures.
    pub challenge: Challenge,
    /// The exit whose traversal made it.
    pub made_by: Option<ExitId>,
    /// What one sees on a closer look, by noun; several nouns for one thing stand between commas.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
    /// Lines of the script that runs when somebody enters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_enter: Vec<String>,
    /// Whether a web fills it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub web: bool,
    /// The size of the party that its creatures were made for; 0 in rooms without.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scaled_for: u32,
    /// What is for sale here, by prototype.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stock: Vec<String>,
    /// What is laid out here for whoever comes with nothing, by prototype.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supplies: Vec<String>,
    /// What is remembered of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
}

impl Room {
    /// A bare, clear room outside any branch.
    pub fn new(id: RoomId, kind: RoomKind, name: String) -> Self {
        Self {
            id,
            kind,
            name,
            aliases: Vec::new(),
            description: String::new(),
            environment: String::new(),
            area: String::new(),
            branch: None,
            floor: 0,
            at: Point::ORIGIN,
            depth: 0,
            difficulty: 0,
            clear: true,
            challenge: Challenge::default(),
            made_by: None,
            details: BTreeMap::new(),
            on_enter: Vec::new(),
            web: false,
            scaled_for: 0,
            stock: Vec::new(),
            supplies: Vec::new(),
            memory: None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}
