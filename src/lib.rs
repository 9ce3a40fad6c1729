//! Deepwell: a multiplayer text-dungeon server.
//!
//! Two state machines and a function do the work. [`session::Session`] is one client: bytes, login, prompt, rendering.
//! [`game::Game`] is the world and its rules. [`dungeon`] generates rooms from a seed. All three are pure: they take
//! time, random numbers and bytes as input, return results and never block. [`store`], [`net`] and [`server`] are the
//! thin shell that supplies sockets, a clock and a database.
//!
//! The layers below [`session`] are crates of their own, which the server uses by their names; they are named here once
//! more for tests and examples. Each layer uses only those before it (`tests/tidy` checks this).

pub use deepwell_core::{base, catalog, data, dungeon, level, puzzle, script, text, world};
pub use deepwell_game as game;

pub mod protocol;
pub mod session;

pub use deepwell_tools as tools;

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
