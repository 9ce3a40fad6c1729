//! Position of a copy of the world in the log of a cluster.

use crate::store::{Store, StoreError, backup};
use serde::{Deserialize, Serialize};
use sqlx::Connection as _;
use sqlx::SqliteConnection;
use std::path::Path;

/// Position of a copy of the world in the log of a cluster.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogPosition {
    /// Random name of the history that the log continues. A world that was changed outside of the log is another
    /// history.
    pub history: String,
    /// Sequence number of the last entry of the log that is stored.
    pub sequence: u64,
    /// Number of the leadership in which that entry was written, 0 if there is none. A log that has lost entries can have
    /// another entry in its place.
    pub writer: u64,
}

impl Store {
    /// Returns the position in the log; `None` if the world is not part of a cluster.
    pub const fn position(&self) -> Option<&LogPosition> {
        self.position.as_ref()
    }

    /// Makes the world part of a cluster, or of none.
    ///
    /// # Errors
    /// Those of a commit.
    pub async fn place(&mut self, position: Option<LogPosition>) -> Result<(), StoreError> {
        let (sequence, writer) = position.as_ref().map_or((0, 0), |it| (it.sequence, it.writer));
        sqlx::query("update lease set history = ?, sequence = ?, writer = ?")
            .bind(position.as_ref().map(|it| it.history.clone()))
            .bind(sequence.cast_signed())
            .bind(writer.cast_signed())
            .execute(&mut self.connection)
            .await?;
        self.position = position;
        Ok(())
    }
}

pub(super) async fn read(db: &mut SqliteConnection) -> Result<Option<LogPosition>, StoreError> {
    let (history, sequence, writer): (Option<String>, i64, i64) =
        sqlx::query_as("select history, sequence, writer from lease").fetch_one(db).await?;
    let [sequence, writer] = [sequence, writer].map(i64::cast_unsigned);
    Ok(history.map(|history| LogPosition { history, sequence, writer }))
}

/// Returns the position of a database without changing it.
///
/// # Errors
/// [`StoreError`] if the database cannot be read.
pub(crate) async fn position_of(path: &Path) -> Result<Option<LogPosition>, StoreError> {
    let mut db = backup::open_to_read(path).await?;
    let position = read(&mut db).await;
    db.close().await?;
    position
}
