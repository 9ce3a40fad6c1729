//! The dump of a branch (interface section 7): plain structs that tools fill for a planned branch and the game
//! for a live one. The order of fields is the order of keys, so that equal branches give equal bytes.

use crate::base::Direction;
use crate::base::{ExitState, Point};
use crate::level::{FloorPlan, Portal, Section, Space};
use serde::{Deserialize, Serialize};

/// A branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchDump {
    /// Its number; 0 for a branch that is only planned.
    pub branch: u32,
    /// Its unique name.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// Name of its generator.
    pub generator: String,
    /// Key of its theme.
    pub theme: String,
    /// Level type of its first floor.
    #[serde(default, rename = "level")]
    pub level_type: String,
    /// What made its rooms, one after the other: each room again from these and the seed.
    #[serde(default)]
    pub moves: String,
    /// Number of the start room it hangs from.
    pub start_room: u32,
    /// When it opened, in milliseconds since 1970.
    pub opened_at: Option<i64>,
    /// When its window ends, if it is still open.
    pub window_ends_at: Option<i64>,
    /// When it last counted as used.
    pub last_updated_at: Option<i64>,
    /// Most unexplored exits.
    pub max_unexplored_exits: u32,
    /// Most new exits of a room.
    pub max_new_exits_per_room: u32,
    /// Whether it may close.
    pub finishable: bool,
    /// The greatest depth reached.
    pub greatest_depth: u32,
    /// Names of the characters that belong to it.
    pub members: Vec<String>,
    /// Its floors.
    pub floors: Vec<FloorDump>,
}

/// A floor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FloorDump {
    /// Its number from 1.
    pub floor: u32,
    /// Its level type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The sections that it was cut into, with their links; none of a floor that grows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// Its rooms in the order they were made.
    pub rooms: Vec<RoomDump>,
}

/// A way to another floor that no room lies behind yet, or out of the dungeon.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PortalDump {
    /// Down, or up for a way out.
    pub dir: Direction,
    /// What stands here.
    pub icon: String,
    /// The level type behind it.
    #[serde(rename = "level")]
    pub level_type: String,
    /// Whether it leads out of the dungeon.
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

/// The sections of a floor that was made whole.
pub fn sections(plan: Option<&FloorPlan>) -> Vec<Section> {
    plan.map(|plan| plan.sections.clone()).unwrap_or_default()
}

/// Shape, size and materials of a room of a floor that was made whole.
pub fn space(plan: Option<&FloorPlan>, at: Point) -> Option<Space> {
    Some(plan?.rooms.get(&at)?.space.clone())
}

/// A room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RoomDump {
    /// Its number.
    pub num: u32,
    /// Eastward.
    pub x: i32,
    /// Northward.
    pub y: i32,
    /// E29.
    pub depth: u32,
    /// C5.
    pub difficulty: u32,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its text without footers.
    pub description: String,
    /// E25, E26.
    pub clear: bool,
    /// Its tags: `not_clear`, `stairs` for those that lead down, `out_of_depth` for what a
    /// sign announced.
    pub tags: Vec<String>,
    /// The exit that made it; none if a builder has removed it.
    pub made_by_exit: Option<MadeBy>,
    /// Its exits. Stairs down are among them once somebody has taken them.
    pub exits: Vec<ExitDump>,
    /// Its shape, its size in paces, and what its floor and walls are made of; absent on a floor that grows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<Space>,
    /// The portal in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portal: Option<PortalDump>,
    /// Keys of the creatures in it.
    pub creatures: Vec<String>,
    /// What each of them is doing, in the same order; absent in a branch that is only planned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub creature_states: Vec<String>,
    /// Keys of the items in it.
    pub items: Vec<String>,
}

/// The tags of a room.
pub fn tags(clear: bool, stairs: bool, out_of_depth: bool) -> Vec<String> {
    let tags = [(!clear, "not_clear"), (stairs, "stairs"), (out_of_depth, "out_of_depth")];
    tags.into_iter().filter(|(has, _)| *has).map(|(_, tag)| tag.to_owned()).collect()
}

/// The exit that made a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MadeBy {
    /// Number of the room it leads out of.
    pub room: u32,
    /// Its direction.
    pub dir: Direction,
}

/// An exit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExitDump {
    /// Its direction.
    pub dir: Direction,
    /// The room it leads to; none as long as it is unexplored.
    pub to: Option<u32>,
    /// What can be said of it.
    pub state: ExitState,
    /// Whether it leads back the way the room was made.
    pub back: bool,
    /// The sign beside it, if one stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omen: Option<String>,
}
