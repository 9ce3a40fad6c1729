//! Speech: channels, socials, townsfolk, and the scrollback.

pub(crate) mod scrollback;
pub(crate) mod socials;
pub(crate) mod talk;
pub(crate) mod townsfolk;
