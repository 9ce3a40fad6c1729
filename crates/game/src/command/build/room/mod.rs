//! Commands for hand-built rooms, their exits and what is in them.

pub(crate) mod detail;
pub(crate) mod dig;
pub(crate) mod exit_settings;
pub(crate) mod exits;
pub(crate) mod hook;
pub(crate) mod retype;
pub(crate) mod rework;
pub(crate) mod room_settings;
pub(crate) mod setting_table;
pub(crate) mod setting_values;
pub(crate) mod sheet;
pub(crate) mod stock;
pub(crate) mod tag;
pub(crate) mod trigger;
pub(crate) mod walk;
