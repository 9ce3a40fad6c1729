//! Deepwell: a multiplayer text-dungeon server.
//!
//! Two machines and a function do the work. [`session::Session`] is one client: bytes, login, prompt, rendering.
//! [`game::Game`] is the world and its rules. [`dungeon`] makes rooms out of a seed. All three are pure: time,
//! dice and bytes come in, results go out, nothing waits. [`store`], [`net`] and [`server`] are the thin shell
//! that gives them sockets, a clock and a database.
//!
//! The modules stand in reading order, and each uses only those before it (`tests/tidy` checks it).

pub mod base;
pub mod protocol;
pub mod text;
pub mod data;
pub mod script;
pub mod level;
pub mod puzzle;
pub mod catalog;
pub mod dungeon;
pub mod world;
pub mod game;
pub mod session;
pub mod tools;

pub mod store;
pub mod net;
pub mod server;

// The tests of the rules play at the same table as those that need only what is public.
#[cfg(test)]
extern crate self as deepwell;
#[cfg(test)]
#[path = "../tests/it/table.rs"]
#[expect(dead_code, reason = "tests/it uses the rest")]
mod table;
