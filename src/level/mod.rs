//! Levels as structure, without a word of prose: where rooms lie, how they are joined, and what is in them by key.
//!
//! A level either grows one room at a time behind the exits that somebody walks ([`layout`]), or is made whole.
#![warn(clippy::float_arithmetic)]

pub mod layout;

pub use layout::{Frontier, GrowSettings, Growth, grow, land};
