//! Layouts that grow: each places the room behind an exit that nobody has walked yet.

pub mod frontier;
pub mod grow;

pub use frontier::Frontier;
pub use grow::{GrowSettings, Growth, grow, land};

use crate::data::Reader;
use std::sync::Arc;

/// A way of growing a floor room by room.
pub trait Layout: std::fmt::Debug + Send + Sync {
    /// The name content refers to it by.
    fn name(&self) -> &'static str;
}

/// Reads a layout from its table; a key that it does not ask for is a mistake.
pub type ReadLayout = fn(&mut Reader<'_>) -> Arc<dyn Layout>;

/// The layouts there are, by the name content refers to them by.
pub const LAYOUTS: [(&str, ReadLayout); 0] = [];
