//! Dump of a branch: plain structs filled by tools for a planned branch and by the game for a live one. The order of
//! fields is the order of keys, so that equal branches give equal bytes.

use crate::base::{Direction, ExitState, Point};
use crate::level::{FloorPlan, GrowSettings, Portal, Section, Space};
use serde::{Deserialize, Serialize};

/// A branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchDump {
    /// Number of the branch; 0 if it is only planned.
    pub branch: u32,
    /// Unique name.
    pub name: String,
    /// Seed.
    pub seed: u64,
    /// Name of its generator.
    pub generator: String,
    /// Key of its theme.
    pub theme: String,
    /// Level type of its first floor.
    #[serde(default, rename = "level")]
    pub level_type: String,
    /// Moves that created its rooms, in order. With the seed they reproduce every room.
    #[serde(default)]
    pub moves: String,
    /// Number of its start room.
    pub start_room: u32,
    /// Time of opening, in milliseconds since 1970.
    pub opened_at: Option<i64>,
    /// End of its window, if it is still open, in milliseconds since 1970.
    pub window_ends_at: Option<i64>,
    /// Time of last use, in milliseconds since 1970.
    pub last_updated_at: Option<i64>,
    /// Its budget of exits.
    #[serde(flatten)]
    pub growth: GrowSettings,
    /// Greatest depth reached.
    pub greatest_depth: u32,
    /// Name of the expedition that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expedition: Option<String>,
    /// Names of its members.
    pub members: Vec<String>,
    /// Its floors.
    pub floors: Vec<FloorDump>,
}

/// A floor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FloorDump {
    /// Number, from 1.
    pub floor: u32,
    /// Its level type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Sections of the floor with their links; empty for a floor that grows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// Rooms in order of creation.
    pub rooms: Vec<RoomDump>,
}

/// A portal to another floor that has not been created yet, or out of the dungeon.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PortalDump {
    /// Direction: down, or up for an exit from the dungeon.
    pub dir: Direction,
    /// Name of the feature.
    pub icon: String,
    /// Level type behind it.
    #[serde(rename = "level")]
    pub level_type: String,
    /// Set if it leads out of the dungeon.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exits_dungeon: bool,
}

impl From<&Portal> for PortalDump {
    fn from(portal: &Portal) -> Self {
        Self {
            dir: portal.direction,
            icon: portal.icons.0.clone(),
            level_type: portal.level_type.clone(),
            exits_dungeon: portal.exits_dungeon,
        }
    }
}

/// Returns the sections of a whole floor; empty without a plan.
pub fn sections(plan: Option<&FloorPlan>) -> Vec<Section> {
    plan.map(|plan| plan.sections.clone()).unwrap_or_default()
}

/// Returns shape, size and materials of a room of a whole floor.
pub fn space(plan: Option<&FloorPlan>, at: Point) -> Option<Space> {
    Some(plan?.rooms.get(&at)?.space.clone())
}

/// A room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RoomDump {
    /// Number of the room.
    pub num: u32,
    /// Coordinate towards the east.
    pub x: i32,
    /// Coordinate towards the north.
    pub y: i32,
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// Difficulty.
    pub difficulty: u32,
    /// Kind.
    pub kind: String,
    /// Name.
    pub name: String,
    /// Description without footers.
    pub description: String,
    /// Set if the room is clear.
    pub clear: bool,
    /// Tags: `not_clear`, `stairs` for stairs down, `out_of_depth` for a room announced by a sign.
    pub tags: Vec<String>,
    /// Exit through which the room was created; `None` if a builder has removed it.
    pub made_by_exit: Option<MadeBy>,
    /// Exits. Stairs down are included once they have been used.
    pub exits: Vec<ExitDump>,
    /// Shape, size in paces, and materials; absent on a floor that grows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<Space>,
    /// Portal in the room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portal: Option<PortalDump>,
    /// Keys of the creatures in the room.
    pub creatures: Vec<String>,
    /// State of each creature, in the same order; absent in a planned branch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub creature_states: Vec<String>,
    /// Keys of the items in the room.
    pub items: Vec<String>,
}

/// Returns the tags of a room.
pub fn tags(clear: bool, stairs: bool, out_of_depth: bool) -> Vec<String> {
    let tags = [(!clear, "not_clear"), (stairs, "stairs"), (out_of_depth, "out_of_depth")];
    tags.into_iter().filter(|(has, _)| *has).map(|(_, tag)| tag.to_owned()).collect()
}

/// The exit through which a room was created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MadeBy {
    /// Number of the room with the exit.
    pub room: u32,
    /// Direction.
    pub dir: Direction,
}

/// An exit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExitDump {
    /// Direction.
    pub dir: Direction,
    /// Room behind the exit; `None` while it is unexplored.
    pub to: Option<u32>,
    /// State of the exit.
    pub state: ExitState,
    /// Set if it is the exit back through which the room was created.
    pub back: bool,
    /// Text of the sign beside the exit, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omen: Option<String>,
}
