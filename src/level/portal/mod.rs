//! Portal adders: where ways to other floors are, and where they lead. One a file.

pub mod rule;
pub mod stairs;

pub use rule::PortalRule;
pub use stairs::StairsDown;
