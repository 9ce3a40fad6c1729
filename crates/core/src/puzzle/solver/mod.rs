//! Solutions of puzzles: searched, listed by authors, and played.

pub(super) mod follow;
pub(super) mod search;
pub(super) mod solution;
pub(super) mod verify;
