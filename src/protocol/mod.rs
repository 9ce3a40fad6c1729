//! Wire protocols: telnet, the messages of the web client, and lines. Independent of the game.
//!
//! Everything here is a pure state machine: bytes and text come in, events and bytes come out. There are no sockets,
//! clocks or waits; the same stream gives the same events however it is split into reads.

pub mod encoding;
mod escape;
pub mod line;
pub mod telnet;
mod terminal;
pub mod web;

pub use terminal::Terminal;
