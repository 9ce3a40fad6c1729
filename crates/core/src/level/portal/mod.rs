//! Portal adders: they place portals to other floors. One per file.

pub mod rule;
pub mod stairs;

pub use rule::PortalRule;
pub use stairs::StairsDown;
