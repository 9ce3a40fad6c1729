//! Structure of levels, without prose: positions of rooms, their connections, and their contents by key.
//!
//! Floors of a level type either grow one room at a time behind the exits that players explore ("growing floors", see
//! [`layout`]), or are generated complete by the pipeline of [`generate_floor`] ("whole floors"). Both are assembled
//! from parts ([`parts`]) as defined by a [`LevelType`].
#![warn(clippy::float_arithmetic)]

mod annex;
mod builtin;
pub mod connect;
pub mod creature;
pub mod decorate;
mod generate;
mod ground;
pub mod item;
mod kind;
pub mod layout;
pub mod noise;
pub mod partition;
pub mod parts;
mod plan;
pub mod portal;
mod reference;
mod registry;
pub mod room;
mod site;
mod stage;
mod used;
mod vault;
mod verify;

pub use builtin::builtin_parts;
pub use generate::{FloorRequest, RoomRequest, TRIES, generate_floor, sketch_room};
pub use ground::{GroundCell, Location};
pub use kind::LevelType;
pub use layout::{Arrival, Crossing, Frontier, GrowSettings, Growth, Layout, grow, land};
pub use partition::section::{Border, Joint, Section};
pub use parts::{
    Connector, ContentSources, CreatureAdder, CreatureSource, Decorator, ItemAdder, ItemSource, LevelPart,
    Partitioner, PortalAdder, RoomGenerator,
};
pub use plan::{FloorPlan, Portal, RoomRole, Sketch, Space};
pub use reference::{LevelReference, LevelReferent};
pub use registry::{LevelRegistry, Make, Setup, range};
pub use site::{Context, FloorSite, Growing, Material, Stairs};
pub use stage::{
    DecoratedFloor, EmptyFloor, PartitionedFloor, PopulatedFloor, PortalledFloor, RoomedFloor, SectionGround,
    StockedFloor,
};
pub use used::{RoomKindLimit, UsedLimits};
pub use vault::{
    PlacedVault, PlacedVaults, Plot, VAULT_ROOMS_MAX, VaultRule, max_open_exits, vault_placements,
};
pub use verify::{FloorFlaw, verify};

#[cfg(test)]
mod tests;
