//! SQLite: open, migrate, load, and commit a batch at a time. One [`Store`] owns the one writing connection;
//! nothing here knows rules, and nothing waits for anything but the database.

mod backup;
mod commit;
mod error;
mod files;
mod lease;
mod ledger;
mod load;
mod log;
mod restore;
mod schema;
mod upgrade;

pub use backup::check;
pub(crate) use backup::{backup, read};
pub use error::{StoreError, Trouble};
pub(crate) use ledger::ledger_of;
pub use restore::restore;
pub use upgrade::{Upgrade, upgrade_of};

use files::{
    beside, create_private, file_error, folder_of, is_missing, remove, remove_left_parts, sync_folder_of,
    try_room,
};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The open database.
#[derive(Debug)]
pub struct Store {
    connection: SqliteConnection,
    path: PathBuf,
    statements: commit::Statements,
    lease: lease::Lease,
    log: log::Log,
    /// The log may hold rows of somebody who was deleted.
    has_deleted: bool,
}

/// How long a statement waits for another process, such as a backup, to let go.
const BUSY: Duration = Duration::from_secs(5);

/// In play a batch waits no longer than this: what it says is held back meanwhile.
const BUSY_IN_PLAY: &str = "pragma busy_timeout = 1000";

/// The size that the write-ahead log shrinks back to after a checkpoint, in bytes.
const WAL_BYTES: &str = "4194304";

impl Store {
    /// Opens a database, or makes one where there is none, and brings it to this release's schema. An older schema
    /// is copied aside first. Never makes a fresh world in place of one that cannot be read.
    ///
    /// # Errors
    /// [`StoreError`] with the file and the cure.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        match Self::open_once(path).await {
            Err(error) if error.tells_of_damage() => {
                log_damage(&error);
                Self::open_once(path).await
            }
            opened => opened,
        }
    }

    async fn open_once(path: &Path) -> Result<Self, StoreError> {
        if let Some(aside) = restore::finish(path)? {
            tracing::warn!(aside = %aside.display(), "a restore that was interrupted has been carried out");
        }
        remove_left_parts(&folder_of(path));
        if is_missing(path)? {
            create(path).await?;
        }
        let mut connection = connect(path).await?;
        require_ours(path, &mut connection).await?;
        upgrade::migrate(path, &mut connection).await?;
        sqlx::raw_sql(BUSY_IN_PLAY).execute(&mut connection).await?;
        let lease = lease::Lease::take(&mut connection).await?;
        let (statements, log) = (commit::Statements::default(), log::Log::default());
        Ok(Self { connection, path: path.to_owned(), statements, lease, log, has_deleted: false })
    }

    /// Tries to write without changing anything, to see whether storage works again. A row alone would prove
    /// little: it fits into what a failed batch has left of the log on a disk that is full.
    ///
    /// # Errors
    /// As a commit would fail.
    pub async fn probe(&mut self) -> Result<(), StoreError> {
        let path = beside(&self.path, ".probe");
        let tried = tokio::task::spawn_blocking(move || try_room(&path)).await.map_err(io::Error::from);
        tried.flatten()?;
        self.require_room_in_log().await?;
        self.write_nothing().await
    }

    /// Writes the log back into the database and closes it. A reader, such as a backup, is not waited for: then the
    /// log stays, and the next start reads it.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost by it, the next start reads the log.
    pub async fn close(mut self) -> Result<(), StoreError> {
        sqlx::raw_sql("pragma busy_timeout = 0; pragma wal_checkpoint(truncate)")
            .execute(&mut self.connection)
            .await?;
        Ok(self.connection.close().await?)
    }

    /// Ends whatever a failed batch left open. SQLite has often rolled back by itself already.
    async fn roll_back(&mut self) {
        // The error that matters is the batch's own; this one says only that there was nothing to roll back.
        drop(sqlx::raw_sql("rollback").execute(&mut self.connection).await);
    }
}

/// A read that failed may look like damage to SQLite; what is damaged looks so again.
fn log_damage(error: &StoreError) {
    tracing::warn!(%error, "the database looks damaged and is looked at once more; if it is sound then, look at the disk");
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(BUSY)
}

/// Opens a file for writing, whatever is in it.
async fn connect(path: &Path) -> Result<SqliteConnection, StoreError> {
    let connect = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    // What is deleted, a password hash for one, is overwritten in the file.
    let connect = connect.pragma("secure_delete", "on");
    let connect = connect.pragma("journal_size_limit", WAL_BYTES).optimize_on_close(false, None);
    let mut connection = connect.connect().await.map_err(|error| not_opened(path, error))?;
    require_sound_sqlite(&mut connection).await?;
    Ok(connection)
}

/// Makes a database with mode 0600 and the whole schema, and only then gives it its name: a start that is killed
/// half-way must not leave a file that all later ones refuse.
async fn create(path: &Path) -> Result<(), StoreError> {
    let part = beside(path, ".new");
    let failed = |error| file_error(path, error);
    ["", "-wal", "-shm"].iter().try_for_each(|suffix| remove(&beside(&part, suffix))).map_err(failed)?;
    create_private(&part).map_err(failed)?;
    let mut connection = connect(&part).await?;
    schema::run(path, &mut connection).await?;
    sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&mut connection).await?;
    connection.close().await?;
    // What is left here is empty: a log with anything in it has been refused.
    ["-wal", "-shm"].iter().try_for_each(|suffix| remove(&beside(path, suffix))).map_err(failed)?;
    fs::rename(&part, path).and_then(|()| sync_folder_of(path)).map_err(failed)
}

/// What it means that a database cannot be opened. What SQLite takes for no database at all is named as such.
fn not_opened(path: &Path, error: sqlx::Error) -> StoreError {
    match StoreError::from(error) {
        StoreError::Damaged(reason) => StoreError::NotOurs { path: path.to_owned(), reason },
        other => other,
    }
}

async fn require_sound_sqlite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let version: String = sqlx::query_scalar("select sqlite_version()").fetch_one(connection).await?;
    let parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
    if parts.as_slice() >= [3, 51, 3].as_slice() { Ok(()) } else { Err(StoreError::OldSqlite(version)) }
}

/// What `pragma application_id` says of our databases: "DWP1".
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
