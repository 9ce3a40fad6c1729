//! What staff lay on accounts. Who may lay it on whom is a rule of the game.

use crate::base::{GameTime, listed};
use serde::{Deserialize, Serialize};

listed! {
    /// What an account may not do for a time.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Restraint {
        /// Nobody hears it.
        Mute = "muted",
        /// It may look, and ask for help, and nothing else.
        Freeze = "frozen",
    }
}

/// Something laid on an account, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sentence {
    /// The name of whoever did it.
    pub by: String,
    /// Why, in their words; may be empty.
    pub reason: String,
    /// When it began.
    pub since: GameTime,
    /// When it ends by itself; none if only staff can end it.
    pub until: Option<GameTime>,
}

impl Sentence {
    /// Whether it is over.
    pub fn is_over(&self, now: GameTime) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}
