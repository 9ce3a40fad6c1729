//! Load of the game loop, for `deepwell control top`.

use serde::{Deserialize, Serialize};

/// Figures of the game loop, and the time that it takes for each kind of step.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Load {
    /// Seconds since the start.
    pub up_secs: u64,
    /// Characters with a connected player.
    pub players: u64,
    /// Open connections.
    pub connections: u64,
    /// Client requests that wait for the game loop.
    pub requests_waiting: u64,
    /// Commits in flight.
    pub commits_waiting: u64,
    /// Rooms in memory.
    pub rooms: u64,
    /// Branches that have not collapsed.
    pub branches: u64,
    /// Totals by cause, in alphabetical order.
    pub causes: Vec<CauseLoad>,
}

/// Steps of one cause: a command, a kind of input, or a timer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CauseLoad {
    /// Name of the cause.
    pub cause: String,
    /// Number of steps since the start.
    pub steps: u64,
    /// Seconds that they took since the start.
    pub seconds: f64,
    /// Seconds of the longest step of the last five to ten minutes.
    pub longest_seconds: f64,
    /// Most rows that a step of the last five to ten minutes read or changed.
    pub largest_work: u64,
}
