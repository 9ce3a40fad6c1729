//! Reports from players to staff: bugs, typos, ideas and complaints.

use crate::base::{AccountId, GameTime, ReportId, RoomId, listed};
use serde::{Deserialize, Serialize};

listed! {
    /// Kind of report.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ReportKind {
        /// Malfunction.
        Bug = "bug",
        /// Spelling mistake or bad wording.
        Typo = "typo",
        /// Suggestion for improvement.
        Idea = "idea",
        /// Complaint about another player.
        Person = "complaint",
    }
}

/// Report, stored as one row until staff settle it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Unique id, never reused.
    pub id: ReportId,
    /// Kind of report.
    pub kind: ReportKind,
    /// Creation time.
    pub at: GameTime,
    /// Account of the reporter.
    pub account: AccountId,
    /// Name of the reporting character.
    pub name: String,
    /// Room of the reporter; it may have been deleted since.
    pub room: RoomId,
    /// Name of the room at that time.
    pub room_name: String,
    /// Branch, seed and position, from which the room can be regenerated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Account that the report is about, with the name of its character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<(AccountId, String)>,
    /// Text of the report.
    pub text: String,
    /// Last lines sent to the reporter, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heard: Vec<String>,
}
