//! Decorators: they change the ground and walls after rooms are dug. One per file.

pub mod aggregate;
pub mod replace;
pub mod walls;

pub use aggregate::Aggregate;
pub use replace::Replace;
pub use walls::WallBuilder;
