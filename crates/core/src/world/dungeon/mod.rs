//! Branches: their floors, their puzzles, the expeditions that own some, and the rumours about them.

pub mod branch;
pub mod expedition;
pub mod floor;
pub mod puzzle;
pub(super) mod puzzles;
pub mod rumour;
