//! Requests of the staff page.

use deepwell_core::base::BranchId;
use serde::{Deserialize, Serialize};

/// Request of the staff page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StaffRequest {
    /// Players, reports, bans, locks and branches, as far as the account may know them.
    Overview,
    /// Rooms of a floor of a branch, with the players in them.
    Floor {
        /// Number of the branch.
        branch: BranchId,
        /// Number of the floor; the first if absent.
        #[serde(default)]
        floor: Option<u32>,
    },
    /// Staff command to run as if typed.
    Line {
        /// Command line.
        line: String,
    },
    /// One-time code for a player who has lost the password.
    Recover {
        /// Name of the player.
        name: String,
        /// Hash of the code, which the web server makes.
        #[serde(default)]
        credential: String,
    },
    /// Right to see the figures of the server, which the web server adds.
    Load,
}
