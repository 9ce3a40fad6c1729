//! Partitioners: how a whole floor is cut into sections. One a file.

pub mod binary;
pub mod grid;

pub use binary::Binary;
pub use grid::Grid;
