//! Mail between players, which reaches those who are away, and notes on boards.

pub(crate) mod mail;
pub(crate) mod notes;
pub(crate) mod view;
