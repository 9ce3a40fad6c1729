//! Speech: channels, socials, dialogues, townsfolk, and the scrollback.

pub(crate) mod dialogue;
pub(crate) mod scrollback;
pub(crate) mod socials;
pub(crate) mod talk;
pub(crate) mod townsfolk;
