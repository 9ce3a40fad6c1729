//! What the rules of Deepwell work on: words, levels, puzzles, content, branches and the world. Pure: without clock, I/O
//! or randomness of the system.
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
