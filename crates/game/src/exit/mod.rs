//! Exits and their obstacles: doors, portcullises, webs, uncleared rooms, puzzles; pathfinding, and searches over rooms.

pub(crate) mod clearing;
pub(crate) mod doors;
pub(crate) mod hidden;
pub(crate) mod pathfinding;
pub(crate) mod portcullis;
pub(crate) mod puzzle_exits;
pub(crate) mod room_search;
pub(crate) mod webs;
