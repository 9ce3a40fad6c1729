//! Tests of a session from the client's side, single-threaded and without a clock.

pub(super) mod harness;
mod abuse;
mod acceptance;
mod browser;
mod door;
mod messages;
mod screen_reader;
mod seat;
mod transcripts;
