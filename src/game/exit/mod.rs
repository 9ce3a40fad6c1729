//! Exits and their obstacles: doors, portcullises, webs, uncleared rooms, puzzles; and pathfinding.

pub(crate) mod clearing;
pub(crate) mod doors;
pub(crate) mod pathfinding;
pub(crate) mod portcullis;
pub(crate) mod puzzle_exits;
pub(crate) mod webs;
