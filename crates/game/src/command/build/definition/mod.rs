//! Commands for creatures, items and other content that is defined by a text.

pub(crate) mod change;
pub(crate) mod definition_sheet;
pub(crate) mod dialogue;
pub(in crate::command) mod field_value;
pub(crate) mod make;
pub(crate) mod object_trigger;
pub(crate) mod script;
pub(crate) mod vault;
