//! The real program over real sockets: each test starts the `deepwell` binary in a folder of its own, on ports that
//! the system chooses, and talks to it as clients do. docs/testing.md tells what can be asked of it.
//!
//! No test sleeps: each wait is for bytes, a line of the log or the end of a process, and each has a deadline that
//! only a broken server reaches. What can be shown without sockets is not shown here but in `tests/it`.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![expect(
    clippy::disallowed_methods,
    reason = "deadlines, and the two seconds within which all must be greeted"
)]

/// A telnet client: negotiates, keeps text and GMCP apart, waits for words.
mod client;
/// MUD clients and telnet programs, as people use them: protocols 13, 14.18.
mod clients;
/// Bursts, silence, floods, crowds and garbage beside honest players: N1 to N6, N13, A2, T1, T5, O7.
mod hostile;
/// The page for builders over HTTP: A3, D1, N8.
mod desk;
/// SIGKILL at random moments under load: D1 to D3, D7, E11, E36.
mod kill;
/// What was made in the game: its files, and what is checked of it.
mod made;
/// The package for Mudlet, fed with what the server really sends.
mod mudlet;
/// The page, played in a headless Chromium: protocols 9 and 10, T6, T17.
mod page;
/// Passwords that are changed and recovered: A1 to A3, T6.
mod passwords;
/// What is kept of somebody, exported and deleted: D2, T6.
mod personal;
/// Content that is edited while players play: reliability O7.
mod reload;
/// Disks as a loss of power may leave them: promise 1, D1 to D3, D7.
mod power;
/// Which seed holds the rooms that a story needs.
mod scout;
/// Coming back without a password, and how one might steal that: A3, T6.
mod seat;
/// The server process: started, killed, stopped, asked.
mod server;
/// Browsers: the WebSocket in each of its ways, whom it refuses, and the pages around it (protocols 9).
mod web;
/// Compression (MCCP2): N5, protocols 14.13.
mod compression;
/// What stands before a client's own bytes: TLS, the header of a proxy, either family of addresses. Protocols 9.
mod threshold;
/// What long runs came to.
#[path = "../figures/mod.rs"]
mod figures;
/// What two people of the town can do, and what is so afterwards.
#[path = "../pair/mod.rs"]
mod pair;
/// A tap on the wire that notes how clients negotiate.
mod tap;
/// Rules of the five designs, each where a player meets it: C, E, P, T, R and H.
mod rows;
/// A whole evening of play, and six commands of a builder: E5 to E9, E18, E25, E26, E33, E46 to E53, D3.
mod story;
/// Storage that hangs: O3.
mod storage;
/// Each storage call of a run of play fails once: D2, D3, D5, O2, O3.
mod faulty;
/// What a long life leaves behind: T6, N13, O9.
mod upkeep;
/// The program killed at each of its calls that touch a file: promise 1, O5, O6.
mod syscalls;

/// Bounds of time, on machines that are busy with other things.
mod timing;

/// How long a wait lasts before the server counts as broken: far longer than a busy machine needs.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(2);
