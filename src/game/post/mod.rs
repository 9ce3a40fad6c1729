//! Mail between players, which reaches those who are away.

pub(crate) mod mail;
pub(crate) mod view;
