//! Bytes to events and back: telnet, the messages of a web client, and lines. Knows nothing of the game.
//!
//! Everything here is a pure state machine: bytes and text come in, events and bytes come out. No sockets,
//! no clock, no waiting; the same stream gives the same events however it is cut into reads.

pub mod encoding;
pub mod line;
pub mod telnet;
mod terminal;
pub mod web;

pub use terminal::Terminal;
