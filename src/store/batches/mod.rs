//! Log of committed batches, for a restore to a moment after a backup. A server that keeps one numbers its batches: each
//! has a [`BatchPlace`], which its transaction also writes to the database, so a backup tells the batches that follow
//! it.

mod chain;
mod log;
mod segment;

use crate::store::{Store, StoreError};
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;
use std::path::Path;

pub use chain::NotReplayed;
pub(crate) use chain::{chain, leads_on};
pub use log::BatchLog;
pub(super) use log::Numbered;
pub(super) use segment::{NextFrame, SegmentReader};
pub(crate) use segment::{prune, prune_to};

/// Place of a batch: its number, and the random number of the run of the server that wrote it. The writer is 0 for a
/// database that was last changed without a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BatchPlace {
    pub(crate) sequence: u64,
    pub(crate) writer: u64,
}

impl BatchPlace {
    /// Reads the place of the last batch in a database.
    pub(super) async fn read(db: &mut SqliteConnection) -> Result<Self, StoreError> {
        let (sequence, writer): (i64, i64) =
            sqlx::query_as("select sequence, writer from lease").fetch_one(db).await?;
        Ok(Self { sequence: sequence.cast_unsigned(), writer: writer.cast_unsigned() })
    }
}

impl Store {
    /// Numbers all later batches, and logs them in a folder. The world must not be part of a cluster, whose log numbers
    /// its batches.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read, or the system has no random numbers or threads left.
    pub async fn log_batches(&mut self, folder: &Path) -> Result<(), StoreError> {
        let place = BatchPlace::read(&mut self.connection).await?;
        let mut random = [0; 8];
        SysRng.try_fill_bytes(&mut random).map_err(|error| StoreError::Failed(error.to_string()))?;
        // As a JSON number it must survive programs that read it as a floating-point number; 0 has a meaning.
        let writer = (u64::from_be_bytes(random) >> 12) + 1;
        let log = BatchLog::start(folder.to_owned(), place)?;
        self.numbered = Some(Numbered { place, writer, log });
        Ok(())
    }

    /// Notes that batches are not logged from here on, so that those that are logged later do not seem to follow the
    /// earlier ones.
    ///
    /// # Errors
    /// Those of a commit.
    pub async fn forget_batches(&mut self) -> Result<(), StoreError> {
        if BatchPlace::read(&mut self.connection).await?.writer != 0 {
            sqlx::query("update lease set writer = 0").execute(&mut self.connection).await?;
        }
        Ok(())
    }

    /// Returns the log of batches, if there is one.
    pub(crate) fn batch_log(&self) -> Option<BatchLog> {
        self.numbered.as_ref().map(|numbered| numbered.log.clone())
    }

    /// Waits until all batches are in the log.
    #[cfg(test)]
    pub(super) async fn flush_batches(&self) {
        if let Some(numbered) = &self.numbered {
            numbered.log.flush().await;
        }
    }
}
