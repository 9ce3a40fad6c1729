//! Branches of the dungeon as values: functions of the seed, the theme and the moves that opened the rooms.
//!
//! A [`Walker`] creates rooms behind unexplored exits, for the game, the tools and the tests alike. State between rooms
//! is limited to the [`Frontier`], which can be rebuilt from stored rows, and the [`BranchMemory`].
#![warn(clippy::float_arithmetic)]

mod describe;
mod drawn;
mod encounter;
mod furnish;
mod traps;
mod vault;

pub mod dump;
pub mod finish;
pub mod gate;
pub mod generator;
pub mod glimpse;
pub mod map;
pub mod memory;
pub mod moves;
pub mod nouns;
pub mod props;
pub mod recent;
pub mod room;
pub mod spec;
pub mod walker;
pub mod way;

pub use crate::level::{Frontier, GrowSettings, Growth, grow};
pub use finish::finish_reward;
pub use memory::BranchMemory;
pub use recent::Recent;
pub use room::{Fixture, NewRoomChallenge, RoomPlan, VaultRoomPlan};
pub use spec::{BranchSpec, FloorSpec, generator_of};
pub use walker::{BuilderVaults, Walker};
pub use way::{Opened, UnexploredExit};
