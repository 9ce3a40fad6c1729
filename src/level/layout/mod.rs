//! Layouts that grow: each places the room behind an exit that nobody has walked yet.
//!
//! A layout keeps nothing between rooms. What it needs to know of the floor it finds in the [`Frontier`], which can
//! be made again from stored rooms; what it draws, it draws from the floor's seed or from the dice of the room.

mod budgeted;
mod cells;
mod cellular;
mod crossing;
mod growth;
mod lattice;
mod leads;
mod outside;
mod plane;
mod survey;

pub mod frontier;
pub mod grow;

pub use budgeted::Budgeted;
pub use cellular::Cellular;
pub use crossing::Crossing;
pub use frontier::Frontier;
pub use grow::{grow, land};
pub use growth::{Arrival, Ground, GrowSettings, Growth, Layout};
pub use lattice::Lattice;
pub use leads::Leads;

use crate::data::Reader;
use std::sync::Arc;

/// Reads a layout from its table; a key that it does not ask for is a mistake.
pub type ReadLayout = fn(&mut Reader<'_>) -> Arc<dyn Layout>;

/// The layouts there are, by the name content refers to them by.
pub const LAYOUTS: &[(&str, ReadLayout)] = &[
    (Budgeted::FRONTIER, Budgeted::read_frontier),
    (Budgeted::CORRIDOR, Budgeted::read_corridor),
    (Lattice::NAME, Lattice::read),
    (Cellular::NAME, Cellular::read),
];

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tiles_tests;
