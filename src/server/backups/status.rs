//! Figures about backups, for operators.

use serde::{Deserialize, Serialize};

/// Figures about backups.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BackupStatus {
    /// Path of the last sound backup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Time of that backup in seconds since 1970, 0 without one.
    pub last_success_seconds: i64,
    /// Its size.
    pub bytes: u64,
    /// Time it took to make and check it, 0 if that was before the start.
    pub duration_seconds: f64,
    /// Number of failed backups since the start.
    pub failed: u64,
    /// Number of failed runs of the program in `backup.hook` since the start.
    pub hooks_failed: u64,
    /// Number of batches written to the log since the start.
    #[serde(default)]
    pub batches_logged: u64,
    /// Size of the log of batches.
    #[serde(default)]
    pub batches_bytes: u64,
    /// Number of batches that are missing in the log since the start.
    pub batches_lost: u64,
    /// Set if no backup has been made for longer than twice `backup.every`.
    pub late: bool,
    /// Reason of the last failure, until a backup succeeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
