//! Item adders: what lies about on a floor, and where. One a file.

pub mod spread;

pub use spread::SpreadItems;
