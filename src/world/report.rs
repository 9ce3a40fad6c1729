//! What players tell those who run the place: a mistake, a misspelling, a wish, or that somebody is a nuisance.

use crate::base::{AccountId, GameTime, ReportId, RoomId, listed};
use serde::{Deserialize, Serialize};

listed! {
    /// What a report is about.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ReportKind {
        /// Something does not work as it should.
        Bug = "bug",
        /// Something is misspelt or reads badly.
        Typo = "typo",
        /// Something would be better otherwise.
        Idea = "idea",
        /// Somebody makes play a misery.
        Person = "complaint",
    }
}

/// A report. In storage it is one row, until staff has settled it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Identity, never used again.
    pub id: ReportId,
    /// What it is about.
    pub kind: ReportKind,
    /// When it was made.
    pub at: GameTime,
    /// By whom.
    pub account: AccountId,
    /// The name of the character.
    pub name: String,
    /// Where: the room may be gone by now.
    pub room: RoomId,
    /// The name of that room then.
    pub room_name: String,
    /// The branch it was in, its seed and the place, by which the room can be made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Whom it is about, and by which character's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<(AccountId, String)>,
    /// What was said.
    pub text: String,
    /// The last lines that the reporter had been told, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heard: Vec<String>,
}
