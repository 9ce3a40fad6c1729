//! Layouts that grow: each places the room behind an exit that nobody has walked yet.
//!
//! A layout keeps nothing between rooms. What it needs to know of the floor it finds in the [`Frontier`], which can
//! be made again from stored rooms; what it draws, it draws from the floor's seed or from the dice of the room.

mod budgeted;
mod cells;
mod cellular;
mod crossing;
mod lattice;
mod outside;

pub mod frontier;
pub mod grow;
pub mod tiles;

pub use budgeted::Budgeted;
pub use cellular::Cellular;
pub use crossing::Crossing;
pub use frontier::Frontier;
pub use grow::{GrowSettings, Growth, grow, land};
pub use lattice::Lattice;
pub use outside::Leads;

use crate::base::{Direction, Point, Rng, Seed};
use crate::data::Reader;
use std::fmt::Debug;
use std::sync::Arc;

/// A way of growing a floor room by room.
pub trait Layout: Debug + Send + Sync {
    /// The name content refers to it by.
    fn name(&self) -> &'static str;

    /// Whether the budgets of E14 and E15 bind it, and one-way exits may come to be. Layouts they do not bind
    /// have only two-way passages, and as many as their cells give.
    fn is_budgeted(&self) -> bool {
        false
    }

    /// The settings of a branch as the layout uses them.
    fn settings(&self, asked: GrowSettings) -> GrowSettings {
        asked
    }

    /// Places the room where somebody arrives and brings the frontier up to date. The dice are those of this room.
    ///
    /// The place behind the exit must be free.
    fn place(&self, ground: Ground<'_>, arrival: Arrival, dice: &mut Rng) -> Growth;
}

/// The floor that a layout grows.
#[derive(Debug)]
pub struct Ground<'a> {
    /// Its edge so far.
    pub frontier: &'a mut Frontier,
    /// The settings of its branch, as they were asked for.
    pub settings: GrowSettings,
    /// The floor's seed: the same for all its rooms.
    pub seed: Seed,
}

/// How somebody comes to where a room shall be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// Through an unexplored exit: the place it stands at, and its direction. (0,0) for the first room of a branch.
    By(Point, Direction),
    /// Down the stairs to a floor that nobody has been on, to its place (0,0).
    Landing,
}

/// Reads a layout from its table; a key that it does not ask for is a mistake.
pub type ReadLayout = fn(&mut Reader<'_>) -> Arc<dyn Layout>;

/// The layouts there are, by the name content refers to them by.
pub const LAYOUTS: [(&str, ReadLayout); 4] = [
    (Budgeted::FRONTIER, Budgeted::read_frontier),
    (Budgeted::CORRIDOR, Budgeted::read_corridor),
    (Lattice::NAME, Lattice::read),
    (Cellular::NAME, Cellular::read),
];

#[cfg(test)]
mod tests;
