//! Kinds of parts of a level type: one trait for each, with one operation. A part is created from its keys in a level
//! file and is used for any number of floors.

use super::stage::{
    DecoratedFloor, EmptyFloor, PartitionedFloor, PopulatedFloor, PortalledFloor, RoomedFloor, SectionGround,
};
use crate::base::Rng;
use crate::data::Position;
use crate::level::partition::section::{Border, Section};
use std::fmt::Debug;
use std::sync::Arc;

/// Cuts a floor into sections and joins them so that each can be reached.
pub trait Partitioner: Debug + Send + Sync {
    /// Cuts the floor into sections.
    fn partition(&self, floor: EmptyFloor, dice: &mut Rng) -> PartitionedFloor;
}

/// Joins the sections of a partitioned floor so that each can be reached.
pub trait Connector: Debug + Send + Sync {
    /// Joins the sections along some of the borders at which they touch.
    fn connect(&self, sections: &mut [Section], borders: Vec<Border>, dice: &mut Rng);
}

/// Generates the room of a section, and the corridors from it to all connection points.
pub trait RoomGenerator: Debug + Send + Sync {
    /// Generates the room.
    fn generate_room(&self, section: &mut SectionGround<'_>, dice: &mut Rng);
}

/// Changes the materials of ground and walls.
pub trait Decorator: Debug + Send + Sync {
    /// Changes the floor.
    fn decorate(&self, floor: &mut RoomedFloor, dice: &mut Rng);
}

/// Places portals to other floors.
pub trait PortalAdder: Debug + Send + Sync {
    /// Adds portals, if any.
    fn add_portal(&self, floor: &mut DecoratedFloor, dice: &mut Rng);
}

/// Places creatures.
pub trait CreatureAdder: Debug + Send + Sync {
    /// Adds them to the floor.
    fn add_creatures(&self, floor: &mut PortalledFloor, source: &dyn CreatureSource, dice: &mut Rng);
}

/// Places items.
pub trait ItemAdder: Debug + Send + Sync {
    /// Adds them to the floor.
    fn add_items(&self, floor: &mut PopulatedFloor, source: &dyn ItemSource, dice: &mut Rng);
}

/// Lookup of creatures by name.
pub trait CreatureSource {
    /// Returns the key of the creature with this name for a floor of this dungeon level, or `None` if it is unknown.
    fn creature(&self, name: &str, dungeon_level: u32, dice: &mut Rng) -> Option<String>;
}

/// Selection of items by class.
pub trait ItemSource {
    /// Returns the key of an item of a class for a floor of this dungeon level, or `None` if the class is empty.
    fn item(&self, class: &str, dungeon_level: u32, dice: &mut Rng) -> Option<String>;
}

/// Sources of creatures and items for the generator.
#[derive(Clone, Copy)]
pub struct ContentSources<'a> {
    /// Source of creatures.
    pub creatures: &'a dyn CreatureSource,
    /// Source of items.
    pub items: &'a dyn ItemSource,
}

impl Debug for ContentSources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

/// A part of a level type, with the name by which it is registered.
#[derive(Debug)]
pub struct LevelPart<T: ?Sized> {
    /// Registered name.
    pub name: String,
    /// The part.
    pub part: Arc<T>,
    /// Position of its table in the level file.
    pub place: Position,
}

impl<T: ?Sized> Clone for LevelPart<T> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), part: Arc::clone(&self.part), place: self.place.clone() }
    }
}
