//! Item adders: they place items on a floor. One per file.

pub mod spread;

pub use spread::SpreadItems;
