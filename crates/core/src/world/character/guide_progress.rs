//! Progress of a player in the guided start, and the tips that were shown.

use crate::base::rare::is_default;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Progress of a player in the tutorial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuideState {
    /// Declined or never offered.
    #[default]
    Off,
    /// Offered; completed steps are already counted.
    Offered,
    /// In progress.
    On,
    /// Finished.
    Done,
}

impl GuideState {
    /// Returns `true` if steps are counted.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Offered | Self::On)
    }
}

/// Tutorial progress and tips shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GuideProgress {
    /// State of the tutorial.
    #[serde(skip_serializing_if = "is_default")]
    pub state: GuideState,
    /// Keys of completed steps.
    #[serde(skip_serializing_if = "is_default")]
    pub done: BTreeSet<String>,
    /// Tips already shown, by moment.
    #[serde(skip_serializing_if = "is_default")]
    pub tips: BTreeSet<String>,
}
