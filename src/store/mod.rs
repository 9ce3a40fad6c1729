//! SQLite storage: opens, migrates and loads the database, and commits batches. One [`Store`] owns the only writing
//! connection. This module contains no game rules and waits for nothing but the database.

mod backup;
mod batches;
mod parts;
mod columns;
mod commit;
mod error;
mod files;
mod lease;
mod ledger;
mod load;
mod log;
mod position;
mod prove;
mod restore;
mod schema;
mod upgrade;

pub use backup::check;
#[cfg(feature = "cluster")]
pub(crate) use backup::copy_committed;
pub(crate) use backup::{backup, backup_beside_world, place_of, read};
pub use batches::{BatchLog, NotReplayed};
pub(crate) use batches::{leads_on, prune, prune_to};
pub use commit::{Batch, batch_format};
pub use error::{StoreError, Trouble};
pub(crate) use ledger::ledger_of;
pub use parts::PartReader;
pub use position::LogPosition;
pub(crate) use position::position_of;
#[cfg(feature = "cluster")]
pub(crate) use restore::require_not_after;
pub use restore::restore;
pub(crate) use restore::{RestoreResult, fitness, next_aside, replayable, restore_to, restore_with};
pub use upgrade::{Upgrade, upgrade_of};

use files::{
    beside, blame_disk, create_private, file_error, folder_of, is_missing, probe_disk_space, remove,
    remove_left_parts, sync_folder_of,
};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: SqliteConnection,
    path: PathBuf,
    statements: commit::Statements,
    lease: lease::DatabaseLease,
    log: log::WriteAheadLog,
    /// Position in the log of a cluster; `None` if the world is not part of one.
    position: Option<LogPosition>,
    /// Numbers of batches, and their log; `None` if batches are not logged.
    numbered: Option<batches::Numbered>,
    /// Set if branches without players, and accounts that are away, are not loaded.
    leaves: (bool, bool),
    /// Set while the log may still hold rows of a deleted account.
    has_deleted: bool,
    /// Duration of the last COMMIT statement of a batch.
    disk_time: Duration,
}

/// Busy timeout of a statement while another process, such as a backup, holds a lock.
const BUSY: Duration = Duration::from_secs(5);

/// Busy timeout while the game runs. It is short because output to players is held back until their batch is committed.
const BUSY_IN_PLAY: &str = "pragma busy_timeout = 1000";

/// Keeps the undo log of a statement in memory: it holds the pages that one batch changes. In a file it would double the
/// cost of a batch of many rows.
const TEMPORARY_IN_MEMORY: &str = "pragma temp_store = memory";

/// Size limit of the write-ahead log after a checkpoint, in bytes.
const WAL_BYTES: &str = "4194304";

impl Store {
    /// Opens the database, or creates it if the file is missing, and upgrades it to this release's schema. An older
    /// database is copied first. An unreadable database is never replaced with a new world.
    ///
    /// # Errors
    /// [`StoreError`] with the file and a suggested fix.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let opened = match Self::open_once(path).await {
            Err(error) if error.tells_of_damage() => {
                log_damage(&error);
                Self::open_once(path).await
            }
            opened => opened,
        };
        opened.map_err(|error| blame_disk(path, error))
    }

    async fn open_once(path: &Path) -> Result<Self, StoreError> {
        if let Some(aside) = restore::finish(path)? {
            tracing::warn!(aside = %aside.display(), "completed an interrupted restore");
        }
        remove_left_parts(&folder_of(path));
        if is_missing(path)? {
            create(path).await?;
        }
        let mut connection = connect(path).await?;
        require_ours(path, &mut connection).await?;
        upgrade::migrate(path, &mut connection).await?;
        // After the upgrade, which may use larger temporary files.
        sqlx::raw_sql(BUSY_IN_PLAY).execute(&mut connection).await?;
        sqlx::raw_sql(TEMPORARY_IN_MEMORY).execute(&mut connection).await?;
        let lease = lease::DatabaseLease::take(&mut connection).await?;
        let position = position::read(&mut connection).await?;
        let (statements, log) = (commit::Statements::default(), log::WriteAheadLog::default());
        Ok(Self {
            connection,
            path: path.to_owned(),
            statements,
            lease,
            log,
            position,
            numbered: None,
            leaves: (false, false),
            has_deleted: false,
            disk_time: Duration::ZERO,
        })
    }

    /// Checks whether storage is writable again, without changing data. Writing a row is not enough: on a full disk it
    /// still fits into the log space allocated by a failed batch.
    ///
    /// # Errors
    /// The errors of a commit.
    pub async fn probe(&mut self) -> Result<(), StoreError> {
        let path = beside(&self.path, ".probe");
        let tried =
            tokio::task::spawn_blocking(move || probe_disk_space(&path)).await.map_err(io::Error::from);
        tried.flatten()?;
        self.require_log_space().await?;
        self.write_nothing().await
    }

    /// Checkpoints the log and closes the database. Does not wait for readers, such as a backup: if one is active, the
    /// log stays and the next start reads it.
    ///
    /// # Errors
    /// [`StoreError`]; no data is lost, because the next start reads the log.
    pub async fn close(mut self) -> Result<(), StoreError> {
        sqlx::raw_sql("pragma busy_timeout = 0; pragma wal_checkpoint(truncate)")
            .execute(&mut self.connection)
            .await?;
        self.connection.close().await?;
        if let Some(numbered) = &self.numbered {
            numbered.log.flush().await;
        }
        Ok(())
    }

    /// Ends the transaction that a failed batch left open, unless SQLite has already rolled it back.
    async fn roll_back(&mut self) {
        // The caller reports the batch's own error; an error here only means that there was nothing to roll back.
        drop(sqlx::raw_sql("rollback").execute(&mut self.connection).await);
    }
}

/// Logs apparent damage before the single retry: a transient read error can look like damage, real damage fails again.
fn log_damage(error: &StoreError) {
    tracing::warn!(%error, "the database looks damaged, reading it once more; if that succeeds, check the disk");
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(BUSY)
}

/// Opens a file for writing, without checking its contents.
async fn connect(path: &Path) -> Result<SqliteConnection, StoreError> {
    let connect = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    // Overwrites deleted content, such as password hashes, in the file.
    let connect = connect.pragma("secure_delete", "on");
    let connect = connect.pragma("journal_size_limit", WAL_BYTES).optimize_on_close(false, None);
    let mut connection = connect.connect().await.map_err(|error| not_opened(path, error))?;
    require_sound_sqlite(&mut connection).await?;
    Ok(connection)
}

/// Creates a database with mode 0600 and the complete schema, then renames it into place: a start that is killed
/// half-way must not leave a file that later starts refuse.
async fn create(path: &Path) -> Result<(), StoreError> {
    let part = beside(path, ".new");
    let failed = |error| file_error(path, error);
    ["", "-wal", "-shm"].iter().try_for_each(|suffix| remove(&beside(&part, suffix))).map_err(failed)?;
    create_private(&part).map_err(failed)?;
    let mut connection = connect(&part).await?;
    schema::run(path, &mut connection).await?;
    sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&mut connection).await?;
    connection.close().await?;
    // Leftovers here are empty: `is_missing` has refused a log with content.
    ["-wal", "-shm"].iter().try_for_each(|suffix| remove(&beside(path, suffix))).map_err(failed)?;
    fs::rename(&part, path).and_then(|()| sync_folder_of(path)).map_err(failed)
}

/// Maps an error from opening a database. A file that SQLite does not recognise becomes [`StoreError::NotOurs`].
fn not_opened(path: &Path, error: sqlx::Error) -> StoreError {
    if error::is_foreign(&error) {
        return StoreError::NotOurs { path: path.to_owned(), reason: error.to_string() };
    }
    error.into()
}

async fn require_sound_sqlite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let version: String = sqlx::query_scalar("select sqlite_version()").fetch_one(connection).await?;
    let parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
    if parts.as_slice() >= [3, 51, 3].as_slice() { Ok(()) } else { Err(StoreError::OldSqlite(version)) }
}

/// Value of `pragma application_id` in our databases: "DWP1".
const APPLICATION: i64 = 0x4457_5031;

async fn require_ours(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found: i64 = sqlx::query_scalar("pragma application_id")
        .fetch_one(connection)
        .await
        .map_err(|error| not_opened(path, error))?;
    if found == APPLICATION {
        return Ok(());
    }
    let reason = format!("its application id is {found:#x}");
    Err(StoreError::NotOurs { path: path.to_owned(), reason })
}

#[cfg(test)]
mod tests;
