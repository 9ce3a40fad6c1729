//! Developer and operator tools, not part of the server: branches grown without a server, maps, statistics, replay and
//! verification; bots and scripted parties that play in virtual time. All are deterministic: the same seed gives the
//! same bytes.
#![warn(clippy::float_arithmetic)]

pub mod branch;
pub mod dump;
pub mod page;
pub mod replay;
pub mod shorten;
mod budget;
mod model;
pub mod verify;
pub mod stats;
pub mod words;
pub mod svg;
pub mod circle;
pub mod puzzle_map;
pub mod simulate;

#[cfg(test)]
mod beginnings_tests;
#[cfg(test)]
mod branch_tests;
#[cfg(test)]
mod third_visit_tests;

// Unit tests and tests/it share a harness, which names all layers by one crate.
#[cfg(test)]
extern crate self as deepwell;
#[cfg(test)]
use {
    deepwell_core::{base, catalog, world},
    deepwell_game as game,
};
#[cfg(test)]
#[path = "../../../tests/it/table.rs"]
#[expect(dead_code, reason = "tests/it uses the rest")]
mod table;
