//! Branches of the dungeon as values: a function of seed, theme and the moves that opened the rooms.
//!
//! [`generator::open_room`] makes one room behind one unexplored exit; the game calls it when somebody walks
//! there. Nothing here keeps state between rooms but the [`Frontier`], which can be made again from stored facts.
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

pub use crate::level::{Frontier, GrowSettings, Growth, grow};
pub use generator::{BranchSpec, OnFloor, Way, generator_of, open_room, plan_floor};
pub use recent::Recent;
pub use room::{Challenge, Fixture, RoomPlan};
