//! Records of area files, one file for each kind.

pub(super) mod flags;
pub(super) mod lines;
pub(super) mod creature;
pub(super) mod object;
pub(super) mod quest;
pub(super) mod room;
pub(super) mod shop;
pub(super) mod trigger;
pub(super) mod zone;
