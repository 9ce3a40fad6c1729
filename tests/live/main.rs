//! End-to-end tests: each test starts the `deepwell` binary in its own temporary folder, on ports chosen by the system,
//! and talks to it over real sockets. docs/develop/testing.md describes each file.
//!
//! No test sleeps: each waits for bytes, a log line or the end of a process, with a deadline that only a broken server
//! reaches. Tests that need no sockets belong in `tests/it`.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![expect(
    clippy::disallowed_methods,
    reason = "deadlines, and the two seconds within which all must be greeted"
)]

/// Tests that measure time, before all others.
mod alone;
/// Bridges to other chat networks.
mod bridges;
/// Stand-in for a web service.
mod stand_in;
/// Backups of a running server: O4, O5.
mod backups;
/// The web client in a headless Chromium: protocols 9 and 10, T6, T17.
mod browser;
/// Telnet client: negotiates options, separates text from GMCP, waits for expected text.
mod client;
/// Real MUD clients and telnet programs: protocols 13, 14.18.
mod clients;
/// Gateway and host as two processes, with restarts and kills of the host: O1.
mod gateway;
/// Several hosts over NATS: D1, O1, O3.
mod cluster;
/// Which world is that of the cluster: D1, O2, O3.
mod cluster_history;
/// A cluster whose program changes: O6.
mod cluster_upgrade;
/// A NATS server.
mod nats;
/// Reports of each role to a service manager: O1.
mod service_manager;
/// Bursts, silence, floods, crowds and invalid input next to honest players: N1 to N6, N13, A2, T1, T5, O7.
mod hostile;
/// Hot restarts under many clients of every transport: O1.
mod restarts;
/// Reload of settings.
mod settings;
/// Operators who moderate, watch the load and read the listing of a running server.
mod operator;
/// Many logins at once: N2.
mod login_storm;
/// The web builder over HTTP: A3, D1, N8.
mod web_builder;
/// SIGKILL at random moments under load: D1 to D3, D7, E11, E36.
mod kill;
/// Content created in the game: export and `deepwell check`.
mod made;
/// The packages for Mudlet and MUSHclient.
mod client_packages;
/// Password change and recovery: A1 to A3, T6.
mod passwords;
/// Export and deletion of personal data: D2, T6.
mod personal;
/// Hot reload of content: reliability O7.
mod reload;
/// Disk states that a power loss may leave: promise 1, D1 to D3, D7.
mod power;
/// Search for a seed that provides the rooms a story needs.
mod scout;
/// Reconnecting by token, and attempts to steal one: A3, T6.
mod seat;
/// The server process: start, kill, stop, control commands.
mod server;
/// Browsers: WebSocket subprotocols, refused connections, static files (protocols 9).
mod web;
/// Test client over a WebSocket.
mod websocket;
/// Compression (MCCP2): N5, protocols 14.13.
mod compression;
/// Layers below the client's own bytes: TLS, PROXY protocol headers, IPv4 and IPv6. Protocols 9.
mod threshold;
/// Report of the figures from long runs.
#[path = "../figures/mod.rs"]
mod figures;
/// Scripted play of two players in the town, and the expected final state.
#[path = "../pair/mod.rs"]
mod pair;
/// TCP proxy that records how clients negotiate.
mod tap;
/// Design rules, checked over the player's connection: C, E, P, T, R and H.
mod rows;
/// A whole session of play, and a dungeon built with six commands: E5 to E9, E18, E25, E26, E33, E46 to E53, D3.
mod story;
/// Exit codes and suggested fixes of each way to fail: O2, O5.
mod exit_codes;
/// Each storage call of a scripted run fails once: D2, D3, D5, O2, O3.
mod faulty;
/// The filter for fail2ban.
mod fail2ban;
/// Lines of the log: T6.
mod log_lines;
/// The program killed at each system call that touches a file: promise 1, O5, O6.
mod syscalls;

/// Time limits that tolerate busy machines.
mod timing;

/// Longest wait before the server counts as broken: far longer than a busy machine needs.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(2);
