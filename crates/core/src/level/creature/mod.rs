//! Creature adders: they place creatures on a floor. One per file.

pub mod perils;
pub mod spread;

pub use perils::Perils;
pub use spread::SpreadCreatures;
