//! Branches of the dungeon: start rooms, growth, stairs, puzzle gates, expiry and deletion.

pub(crate) mod asleep;
pub(crate) mod built_gate;
pub(crate) mod cleanup;
pub(crate) mod collapse;
pub(crate) mod collapse_warnings;
pub mod expiry;
pub(crate) mod gate;
pub mod grow;
pub(crate) mod rooms;
pub(crate) mod stairs;
pub(crate) mod start_room;
pub(crate) mod tasks;
pub(crate) mod window;
