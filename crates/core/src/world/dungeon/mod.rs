//! Branches: their floors, their puzzles, and the rumours about them.

pub mod branch;
pub mod floor;
pub mod puzzle;
pub(super) mod puzzles;
pub mod rumour;
