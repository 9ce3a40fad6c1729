//! The kinds of parts that a level type is put together from: one trait for each, with one operation. A part is made
//! from its own keys in a level file, and may be used for any number of floors.

use super::section::{Border, Section};
use super::stage::{
    DecoratedFloor, EmptyFloor, PartitionedFloor, PopulatedFloor, PortalledFloor, RoomedFloor, SectionGround,
};
use crate::base::Rng;
use crate::data::Position;
use std::fmt::Debug;
use std::sync::Arc;

/// Cuts a floor into sections and joins them so that each can be reached.
pub trait Partitioner: Debug + Send + Sync {
    /// Gives the floor its sections.
    fn partition(&self, floor: EmptyFloor, dice: &mut Rng) -> PartitionedFloor;
}

/// Joins the sections of a floor that a partitioner has cut, so that each can be reached.
pub trait Connector: Debug + Send + Sync {
    /// Joins them along some of the borders at which they touch.
    fn connect(&self, sections: &mut [Section], borders: Vec<Border>, dice: &mut Rng);
}

/// Makes the room of a section, and the ways from it to all connection points.
pub trait RoomGenerator: Debug + Send + Sync {
    /// Makes the room.
    fn generate_room(&self, section: &mut SectionGround<'_>, dice: &mut Rng);
}

/// Changes of what the ground and walls are.
pub trait Decorator: Debug + Send + Sync {
    /// Changes the floor.
    fn decorate(&self, floor: &mut RoomedFloor, dice: &mut Rng);
}

/// Places ways to other floors.
pub trait PortalAdder: Debug + Send + Sync {
    /// Adds what it has to add, which may be nothing.
    fn add_portal(&self, floor: &mut DecoratedFloor, dice: &mut Rng);
}

/// Places creatures.
pub trait CreatureAdder: Debug + Send + Sync {
    /// Adds them.
    fn add_creatures(&self, floor: &mut PortalledFloor, source: &dyn CreatureSource, dice: &mut Rng);
}

/// Places items.
pub trait ItemAdder: Debug + Send + Sync {
    /// Adds them.
    fn add_items(&self, floor: &mut PopulatedFloor, source: &dyn ItemSource, dice: &mut Rng);
}

/// Who knows the creatures there are.
pub trait CreatureSource {
    /// The key of the creature that is meant by a name on a floor of a dungeon level; none if there is none.
    fn creature(&self, name: &str, dungeon_level: u32, dice: &mut Rng) -> Option<String>;
}

/// Who knows the items there are.
pub trait ItemSource {
    /// The key of an item of a class, for a floor of a dungeon level; none if the class has none.
    fn item(&self, class: &str, dungeon_level: u32, dice: &mut Rng) -> Option<String>;
}

/// What a generator asks for creatures and items.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// For creatures.
    pub creatures: &'a dyn CreatureSource,
    /// For items.
    pub items: &'a dyn ItemSource,
}

impl Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

/// A part of a level type, under the name by which it is registered.
#[derive(Debug)]
pub struct Part<T: ?Sized> {
    /// The name.
    pub name: String,
    /// What does the work.
    pub part: Arc<T>,
    /// Where it is configured.
    pub place: Position,
}

impl<T: ?Sized> Clone for Part<T> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), part: Arc::clone(&self.part), place: self.place.clone() }
    }
}
