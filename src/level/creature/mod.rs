//! Creature adders: who lives on a floor, and where. One a file.

pub mod perils;
pub mod spread;

pub use perils::Perils;
pub use spread::SpreadCreatures;
