//! What stands above the product and is no part of it: branches grown without a server, drawn, counted, made again
//! and proved; bots and scripted parties that play in virtual time. Pure, as the layers that it looks at are: same
//! seed, same bytes.
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
