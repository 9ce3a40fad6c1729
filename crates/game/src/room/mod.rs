//! Rooms: description, features, puzzles, occupants, explored rooms, respawning, time of day.

pub(crate) mod explored;
pub(crate) mod features;
pub(crate) mod folk;
pub(crate) mod look;
pub(crate) mod occupants;
pub(crate) mod puzzle;
pub(crate) mod reset;
pub(crate) mod respawn;
pub(crate) mod walk_plan;
