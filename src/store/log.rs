//! Monitors and limits the write-ahead log. SQLite checkpoints it automatically, except while a long-running reader is
//! active: then it grows until the reader has finished.

use crate::store::files::beside;
use crate::store::{BUSY_IN_PLAY, Store, StoreError, Trouble};
use std::fs;

/// Write-ahead log of an open database.
#[derive(Debug)]
pub(super) struct WriteAheadLog {
    /// Size limit in bytes; writes are refused beyond it.
    most: u64,
    /// Size at the last warning about growth; 0 if none is in effect.
    reported: u64,
}

/// Default size limit in bytes. Only a long-running reader makes the log grow this large.
const MOST: u64 = 256 << 20;
/// Divisor of the limit: from this fraction on, the server checkpoints the log itself.
const WATCHED: u64 = 4;

impl Default for WriteAheadLog {
    fn default() -> Self {
        Self { most: MOST, reported: 0 }
    }
}

impl Store {
    /// Sets the size limit of the log, in bytes.
    pub const fn bound_log(&mut self, most: u64) {
        self.log.most = most;
    }

    /// Returns the size of the write-ahead log on disk, in bytes.
    pub fn log_bytes(&self) -> u64 {
        fs::metadata(beside(&self.path, "-wal")).map_or(0, |file| file.len())
    }

    /// Warns the operator if the log cannot be checkpointed, and fails if it has reached its limit. After a complete
    /// checkpoint the next batch restarts the log and truncates it.
    pub(super) async fn require_log_space(&mut self) -> Result<(), StoreError> {
        let bytes = self.log_bytes();
        if bytes < self.log.most / WATCHED {
            if std::mem::take(&mut self.log.reported) > 0 {
                tracing::info!(bytes, "the write-ahead log can be checkpointed again");
            }
            return Ok(());
        }
        let is_full = bytes >= self.log.most;
        if self.write_back(is_full).await? {
            return Ok(());
        }
        if bytes >= 2 * self.log.reported {
            self.log.reported = bytes;
            tracing::warn!(
                bytes,
                most = self.log.most,
                "the write-ahead log keeps growing: a long-running reader blocks checkpoints"
            );
        }
        let reason = format!("the write-ahead log has grown to {} MiB", bytes >> 20);
        if is_full { Err(StoreError::NotNow { trouble: Trouble::Reader, reason }) } else { Ok(()) }
    }

    /// Checkpoints and empties the log because it still holds rows of a deleted account. Does not wait for readers,
    /// such as a backup: if one is active, the next batch tries again.
    pub(super) async fn empty_log(&mut self) {
        // Errors are ignored: the batch is stored, and a failed checkpoint is retried.
        drop(sqlx::raw_sql("pragma busy_timeout = 0").execute(&mut self.connection).await);
        self.has_deleted = !self.write_back(true).await.unwrap_or(false);
        drop(sqlx::raw_sql(BUSY_IN_PLAY).execute(&mut self.connection).await);
    }

    /// Checkpoints the log as far as readers allow; returns `true` if it was written back completely. With `all`, it
    /// waits for readers up to the busy timeout and truncates the log.
    async fn write_back(&mut self, all: bool) -> Result<bool, StoreError> {
        let sql = if all { "pragma wal_checkpoint(truncate)" } else { "pragma wal_checkpoint(passive)" };
        let (busy, written, back): (i64, i64, i64) =
            sqlx::query_as(sql).fetch_one(&mut self.connection).await?;
        Ok(busy == 0 && written == back)
    }
}
