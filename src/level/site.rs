//! What a floor is made for: what its level type says of all its floors, and what is asked of this one.

use super::used::Used;
use crate::data::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of what the ground or a wall is made of: "natural", "brick". `wall = "empty"` is where one can walk.
pub type Material = Arc<str>;

/// What all parts of a level type need to know, and the hook for data of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Width and height of a whole floor in paces; of one room's section if the floor grows.
    pub size: (u32, u32),
    /// Fewest and most rooms of a whole floor; one with others is drawn again.
    pub rooms: (u32, u32),
    /// How many portals each whole floor has besides those of the parts; they lead to floors of the same type.
    pub new_portals: u32,
    /// The least width and length of a room, in paces.
    pub room_min_size: (u32, u32),
    /// What one walks on where nothing else is said.
    pub ground: Material,
    /// What fills the ground before anything is dug.
    pub wall: Material,
    /// The level types that are made with it; the type's own name is among them.
    pub level_types: Vec<String>,
    /// Whatever parts want to know besides.
    pub params: BTreeMap<String, Value>,
}

impl Context {
    /// Fewest and most rooms of a whole floor, unless a level file says otherwise.
    pub const ROOMS: (u32, u32) = (1, 10_000);

    /// The least size of a room, unless a level file says otherwise.
    pub const ROOM_MIN_SIZE: (u32, u32) = (2, 2);

    /// A whole number among the parameters, if there is one of that name that is not below zero.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.params.get(name).and_then(Value::number).and_then(|number| u32::try_from(number).ok())
    }

    /// What stands where nothing was said.
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

/// What a floor is made for.
#[derive(Clone, Debug)]
pub struct Site {
    /// The level type's name.
    pub level_type: String,
    /// What the level type says of its floors.
    pub context: Arc<Context>,
    /// The dungeon level.
    pub dungeon_level: u32,
    /// The least size of a room, in paces.
    pub room_min_size: (u32, u32),
    /// What the branch has already.
    pub used: Used,
    /// How the room came to be, if the floor is only one new room of a floor that grows.
    pub growing: Option<Growing>,
}

/// What a new room of a growing floor is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growing {
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// Whether stairs down belong in it.
    pub stairs: Stairs,
}

/// Whether a new room of a growing floor gets stairs down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stairs {
    /// As the level type has it: at some depth, or by chance. The floor has none yet.
    #[default]
    Drawn,
    /// As the level type has it; the floor has some already, so that only chance can add more.
    Another,
    /// In any case.
    Surely,
    /// In no case.
    Never,
}
