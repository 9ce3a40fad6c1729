//! A client's view of a session, in one thread and without a clock.

mod abuse;
mod acceptance;
mod browser;
mod messages;
mod screen_reader;
mod transcripts;
