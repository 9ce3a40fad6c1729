//! Layouts that grow a floor: each places the room behind an unexplored exit.
//!
//! A layout keeps no state between rooms. It reads the floor from the [`Frontier`], which can be rebuilt from stored
//! rooms; its random choices come from the floor's seed or the room's random stream.

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
pub use growth::{Arrival, GrowSettings, GrownFloor, Growth, Layout};
pub use lattice::Lattice;
pub use leads::Leads;

use crate::data::Reader;
use std::sync::Arc;

/// Function that reads a layout from its table; unknown keys are errors.
pub type ReadLayout = fn(&mut Reader<'_>) -> Arc<dyn Layout>;

/// All layouts, by the names used in content.
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
