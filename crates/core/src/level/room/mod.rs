//! Room generators: they shape the room of a section. One per file.

pub mod cavern;
pub mod pillared;
pub mod round;
pub mod square;
mod tiles;

pub use cavern::Cavern;
pub use pillared::Pillared;
pub use round::Round;
pub use square::Square;
pub use tiles::{Tiles, inset};
