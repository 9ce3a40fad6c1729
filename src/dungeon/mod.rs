//! Branches of the dungeon as values: a function of seed, theme and the moves that opened the rooms.
//!
//! [`generator::open_room`] makes one room behind one unexplored exit, [`Walker`] one after the other. Nothing here keeps state between rooms but the [`Frontier`], which can be made again from stored facts.
#![warn(clippy::float_arithmetic)]

mod describe;
mod encounter;
mod furnish;

pub mod dump;
pub mod gate;
pub mod generator;
pub mod map;
pub mod moves;
pub mod nouns;
pub mod recent;
pub mod room;
pub mod spec;
pub mod walker;

pub use crate::level::{Frontier, GrowSettings, Growth, grow};
pub use generator::{OnFloor, Opened, Way, open_room, plan_floor};
pub use recent::Recent;
pub use room::{Challenge, Fixture, RoomPlan};
pub use spec::{BranchSpec, generator_of};
pub use walker::{FloorSpec, Memory, Walker};
