//! Sanctions on accounts. The game rules decide which staff may impose them on which accounts.

use crate::base::{GameTime, listed};
use serde::{Deserialize, Serialize};

listed! {
    /// Kind of sanction.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Sanction {
        /// The player cannot talk to others.
        Mute = "muted",
        /// The player can only look and ask for help.
        Freeze = "frozen",
    }
}

/// Sanction on an account, with its reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SanctionSentence {
    /// Name of the staff member who imposed it.
    pub by: String,
    /// Reason given by staff; may be empty.
    pub reason: String,
    /// Start time.
    pub since: GameTime,
    /// Expiry time; `None` if only staff can lift the sanction.
    pub until: Option<GameTime>,
}

impl SanctionSentence {
    /// Returns `true` if the sanction has expired.
    pub fn is_over(&self, now: GameTime) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}
