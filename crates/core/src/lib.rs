//! The world of Deepwell and all that it consists of: words, levels, puzzles, content and branches. The rules are in
//! `deepwell_game`. Pure: without clock, I/O or randomness of the system.
//!
//! The modules are listed in reading order; each uses only those before it (`tests/tidy` checks this).

pub mod base;
pub mod text;
pub mod data;
pub mod script;
pub mod level;
pub mod puzzle;
pub mod catalog;
pub mod dungeon;
pub mod world;
