//! What the page for builders asks of the game, as data. What is answered is in `desk`.

use crate::base::RoomId;
use serde::{Deserialize, Serialize};

/// What is told to a page whose log-in counts no more.
pub const DESK_CLOSED: &str =
    "You are not logged in here any more. Log in again; what you have written stays.";

/// What is told to whoever is no builder.
pub const NOT_A_BUILDER: &str = "This page is for builders, and that account is none.";

/// One thing that a page asks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeskAsk {
    /// Which zones there are, and what the content has to put into them.
    Zones,
    /// The map of a zone.
    Zone {
        /// Its key.
        zone: String,
        /// The revision that the page has: of that there is nothing to be told again.
        #[serde(default)]
        known: Option<String>,
        /// Whether what is wrong in it is to be told, too.
        #[serde(default)]
        check: bool,
    },
    /// A room with all that is in it.
    Room {
        /// Which.
        room: RoomId,
    },
    /// Lines to be carried out in a room, as if they were typed there, until one is refused.
    Build {
        /// Where.
        room: RoomId,
        /// The revision of the room that they are meant for; of no account if it is left out.
        #[serde(default)]
        revision: Option<String>,
        /// The lines.
        lines: Vec<String>,
    },
    /// Lines of which only is asked what would be refused.
    Try {
        /// Where.
        room: RoomId,
        /// The lines, each by itself.
        lines: Vec<String>,
    },
}
