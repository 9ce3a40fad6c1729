//! Inputs of a floor: the settings of its level type, and the parameters of this floor.

use super::used::UsedLimits;
use crate::data::FileValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Name of a material of the ground or a wall, such as "natural" or "brick". Cells with `wall = "empty"` are walkable.
pub type Material = Arc<str>;

/// Configuration shared by all parts of a level type, with free parameters for custom parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Width and height of a whole floor in paces; of one room's section if the floor grows.
    pub size: (u32, u32),
    /// Minimum and maximum number of rooms of a whole floor; other floors are discarded and generated again.
    pub rooms: (u32, u32),
    /// Number of portals of each whole floor in addition to those of the parts; they lead to floors of the same type.
    pub new_portals: u32,
    /// Minimum width and length of a room, in paces.
    pub room_min_size: (u32, u32),
    /// Default material of the ground.
    pub ground: Material,
    /// Material that fills the ground before digging.
    pub wall: Material,
    /// Names of the level types that use this context, including the type's own.
    pub level_types: Vec<String>,
    /// Free parameters for parts.
    pub params: BTreeMap<String, FileValue>,
}

impl Context {
    /// Default minimum and maximum number of rooms of a whole floor.
    pub const ROOMS: (u32, u32) = (1, 10_000);

    /// Default minimum width and length of a room, in paces.
    pub const ROOM_MIN_SIZE: (u32, u32) = (2, 2);

    /// Returns a parameter as a non-negative whole number. `None` if it is missing or of another kind.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.params.get(name).and_then(FileValue::number).and_then(|number| u32::try_from(number).ok())
    }

    /// Creates a context with the defaults.
    pub(super) fn plain() -> Self {
        Self {
            size: (1, 1),
            rooms: Self::ROOMS,
            new_portals: 0,
            room_min_size: Self::ROOM_MIN_SIZE,
            ground: Material::from("natural"),
            wall: Material::from("natural"),
            level_types: Vec::new(),
            params: BTreeMap::new(),
        }
    }
}

/// Inputs of a floor.
#[derive(Clone, Debug)]
pub struct FloorSite {
    /// Name of the level type.
    pub level_type: String,
    /// Settings of the level type.
    pub context: Arc<Context>,
    /// Dungeon level.
    pub dungeon_level: u32,
    /// Minimum width and length of a room, in paces.
    pub room_min_size: (u32, u32),
    /// Portals and limited rooms that the branch already has.
    pub used: UsedLimits,
    /// Inputs of the room, if this is a single new room of a growing floor.
    pub growing: Option<Growing>,
}

/// Inputs of a new room of a growing floor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growing {
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// Rule for stairs down in this room.
    pub stairs: Stairs,
}

/// Rule for stairs down in a new room of a growing floor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stairs {
    /// By depth or by chance, as the level type defines; the floor has no stairs yet.
    #[default]
    Drawn,
    /// By chance only, because the floor already has stairs.
    Another,
    /// Always.
    Surely,
    /// Never.
    Never,
}
