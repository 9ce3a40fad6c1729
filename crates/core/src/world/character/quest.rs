//! Progress of a character in quests.

use crate::base::rare::is_default;
use crate::base::{BranchId, ExitId, GameTime};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Progress of a character in one achievement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AchievementProgress {
    /// Number of times that its goal was met.
    pub count: u32,
    /// Time at which it was earned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<GameTime>,
}

/// Status of a quest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestStatus {
    /// Begun.
    #[default]
    Active,
    /// Completed, with its reward.
    Done,
    /// Failed or abandoned.
    Failed,
}

/// Progress of a character in one quest.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct QuestProgress {
    /// Status.
    pub status: QuestStatus,
    /// Progress of the steps, by key; 0 is left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u32>,
    /// Steps whose lines have run since the quest was last completed, also in attempts that were abandoned.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub paid: BTreeSet<String>,
    /// Time of its start, or of its end.
    pub at: GameTime,
    /// Branch of the character at its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchId>,
    /// Start exit behind which an errand counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<ExitId>,
    /// Number of times that it was completed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub times: u32,
    /// Name of an active quest, for when its definition is gone.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// Edition of the definition in the last notice to the player: 0 once told that it is gone, `None` in older rows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub edition: Option<u32>,
}
