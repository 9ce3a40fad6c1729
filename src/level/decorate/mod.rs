//! Decorators: what the ground and walls turn into once rooms are dug. One a file.

pub mod aggregate;
pub mod replace;
pub mod walls;

pub use aggregate::Aggregate;
pub use replace::Replace;
pub use walls::WallBuilder;
