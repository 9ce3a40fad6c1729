//! The built-in puzzles, one file each.

pub(super) mod levers;
pub(super) mod lock_and_key;
pub(super) mod myhero;
pub(super) mod plates;
pub(super) mod riddle;
