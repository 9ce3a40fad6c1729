//! A client's view of a session, in one thread and without a clock.

mod abuse;
mod acceptance;
mod browser;
mod door;
mod messages;
mod screen_reader;
mod seat;
mod transcripts;
