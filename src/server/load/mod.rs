//! Load of the game loop, for `deepwell control top`.

pub(super) mod busy_rooms;
pub(super) mod history;
pub(super) mod peaks;

use serde::{Deserialize, Serialize};

use deepwell_core::base::RoomId;

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
    /// Rooms whose steps did the most work in the last five to ten minutes, the busiest first.
    #[serde(default)]
    pub busy_rooms: Vec<RoomLoad>,
}

/// Steps of the players, creatures and timers of one room.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoomLoad {
    /// Number of the room.
    pub room: RoomId,
    /// Its name; empty if it has been deleted.
    pub name: String,
    /// Its area.
    pub area: String,
    /// Number of steps.
    pub steps: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Rows that they read or changed.
    pub work: u64,
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
