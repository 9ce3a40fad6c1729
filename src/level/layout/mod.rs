//! Layouts that grow: each places the room behind an exit that nobody has walked yet.

pub mod frontier;
pub mod grow;

pub use frontier::Frontier;
pub use grow::{GrowSettings, Growth, grow, land};
