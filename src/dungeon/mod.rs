//! Branches of the dungeon as values: a function of seed, theme and the moves that opened the rooms.
//!
//! [`generator::open_room`] makes one room behind one unexplored exit; the game calls it when somebody walks
//! there. [`PlannedBranch`] is the same done by a seeded walk, for tools and tests. Nothing here keeps state
//! between rooms but the [`Frontier`], which can be made again from stored facts.
#![warn(clippy::float_arithmetic)]

mod budget;
mod describe;
mod encounter;
mod furnish;

pub mod beginnings;
pub mod branch;
pub mod dump;
pub mod gate;
pub mod generator;
pub mod map;
pub mod nouns;
pub mod puzzle_map;
pub mod recent;
pub mod replay;
pub mod room;
pub mod spec;
pub mod stats;
pub mod svg;
pub mod verify;

pub use crate::level::{Frontier, GrowSettings, Growth, grow};
pub use branch::PlannedBranch;
pub use generator::{OnFloor, Way, open_room, plan_floor};
pub use recent::Recent;
pub use room::{Challenge, Fixture, RoomPlan};
pub use spec::{BranchSpec, generator_of};
