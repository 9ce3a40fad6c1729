//! Commands of builders.

pub(crate) mod from_web;
pub(crate) mod at_room;
pub(crate) mod built;
pub(crate) mod check;
pub(super) mod definition;
pub(crate) mod drafts;
pub(crate) mod find;
pub(crate) mod journal;
pub(crate) mod preview;
pub(super) mod room;
pub(crate) mod shop;
pub(crate) mod sweep;
pub(crate) mod trial;
pub(crate) mod undo;
pub(crate) mod variable;
pub(crate) mod zone;
