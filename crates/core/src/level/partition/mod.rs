//! Partitioners: they cut a whole floor into sections. One per file.

pub mod section;
pub mod binary;
pub mod grid;

pub use binary::Binary;
pub use grid::Grid;
