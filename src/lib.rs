//! Deepwell: a multiplayer text-dungeon server.
//!
//! Two state machines and a function do the work. [`session::Session`] is one client: bytes, login, prompt, rendering.
//! [`game::Game`] is the world and its rules. [`dungeon`] generates rooms from a seed. All three are pure: they take
//! time, random numbers and bytes as input, return results and never block. [`store`], [`net`] and [`server`] are the
//! thin shell that supplies sockets, a clock and a database.
//!
//! The modules are listed in reading order; each uses only those before it (`tests/tidy` checks this).

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

// Unit tests of the rules share this test harness with the integration tests, which use only the public API.
#[cfg(test)]
extern crate self as deepwell;
#[cfg(test)]
#[path = "../tests/it/table.rs"]
#[expect(dead_code, reason = "tests/it uses the rest")]
mod table;
