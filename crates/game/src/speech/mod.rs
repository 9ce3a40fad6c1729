//! Speech: channels, bridges to other chat networks, socials, dialogues, townsfolk, and the scrollback.

pub(crate) mod dialogue;
pub(crate) mod outside;
pub(crate) mod scrollback;
pub(crate) mod socials;
pub(crate) mod talk;
pub(crate) mod townsfolk;
