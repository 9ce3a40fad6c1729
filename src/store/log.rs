//! The write-ahead log. SQLite writes it back into the database by itself, unless somebody reads the database for long: then
//! it grows until they have done. It is watched, told of, and bounded.

use crate::store::files::beside;
use crate::store::{BUSY_IN_PLAY, Store, StoreError, Trouble};
use std::fs;

/// The log of an open database.
#[derive(Debug)]
pub(super) struct Log {
    /// Bytes beyond which nothing is written.
    most: u64,
    /// Its size when it was last told that it grows; 0 while it does not.
    told: u64,
}

/// What a database is opened with: a bound that nothing but a reader who stays brings a log to.
const MOST: u64 = 256 << 20;
/// The part of the bound from which on it is asked whether the log can be written back.
const WATCHED: u64 = 4;

impl Default for Log {
    fn default() -> Self {
        Self { most: MOST, told: 0 }
    }
}

impl Store {
    /// Refuses to let the log grow beyond this many bytes.
    pub const fn bound_log(&mut self, most: u64) {
        self.log.most = most;
    }

    /// Bytes of the write-ahead log on disk.
    pub fn log_bytes(&self) -> u64 {
        fs::metadata(beside(&self.path, "-wal")).map_or(0, |file| file.len())
    }

    /// Tells the operator of a log that cannot be written back, and refuses to make one longer that has come to its bound. A
    /// log that can be is begun anew by the next batch, and cut.
    pub(super) async fn require_room_in_log(&mut self) -> Result<(), StoreError> {
        let bytes = self.log_bytes();
        if bytes < self.log.most / WATCHED {
            if std::mem::take(&mut self.log.told) > 0 {
                tracing::info!(bytes, "the log of the database can be written back again");
            }
            return Ok(());
        }
        let is_full = bytes >= self.log.most;
        if self.write_back(is_full).await? {
            return Ok(());
        }
        if bytes >= 2 * self.log.told {
            self.log.told = bytes;
            tracing::warn!(
                bytes,
                most = self.log.most,
                "the log of the database grows: somebody reads it for long"
            );
        }
        let reason = format!("its log has grown to {} MiB", bytes >> 20);
        if is_full { Err(StoreError::NotNow { trouble: Trouble::Reader, reason }) } else { Ok(()) }
    }

    /// Writes the log back and empties it, because somebody was deleted whose rows are still in it. A reader, such as a
    /// backup, is not waited for: then the next batch tries again.
    pub(super) async fn forget_log(&mut self) {
        // The batch is stored, whatever becomes of this; one that fails is tried again.
        drop(sqlx::raw_sql("pragma busy_timeout = 0").execute(&mut self.connection).await);
        self.has_deleted = !self.write_back(true).await.unwrap_or(false);
        drop(sqlx::raw_sql(BUSY_IN_PLAY).execute(&mut self.connection).await);
    }

    /// Writes the log back as far as readers allow. Says whether that was all of it. Where it must be all, it waits for
    /// them as long as for any lock, and leaves an empty log.
    async fn write_back(&mut self, all: bool) -> Result<bool, StoreError> {
        let sql = if all { "pragma wal_checkpoint(truncate)" } else { "pragma wal_checkpoint(passive)" };
        let (busy, written, back): (i64, i64, i64) =
            sqlx::query_as(sql).fetch_one(&mut self.connection).await?;
        Ok(busy == 0 && written == back)
    }
}
