//! Commands of builders.

pub(crate) mod at_desk;
pub(crate) mod built;
pub(crate) mod check;
pub(crate) mod definition_sheet;
pub(crate) mod detail;
pub(crate) mod dig;
pub(crate) mod drafts;
pub(crate) mod exit_settings;
pub(crate) mod exits;
mod field_value;
pub(crate) mod find;
pub(crate) mod hook;
pub(crate) mod journal;
pub(crate) mod make;
pub(crate) mod preview;
pub(crate) mod retype;
pub(crate) mod rework;
pub(crate) mod sheet;
pub(crate) mod stock;
pub(crate) mod sweep;
pub(crate) mod tag;
pub(crate) mod trigger;
pub(crate) mod variable;
pub(crate) mod vault;
pub(crate) mod walk;
pub(crate) mod zone;
