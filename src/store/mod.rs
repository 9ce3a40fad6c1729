//! SQLite: open, migrate, load, and commit a batch at a time. One [`Store`] owns the one writing connection;
//! nothing here knows rules, and nothing waits for anything but the database (D1, D2, D10).

mod backup;
mod commit;
mod error;
mod load;

pub(crate) use backup::backup;
pub use backup::{check, restore};
pub use error::StoreError;

use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::fs;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

static MIGRATIONS: Migrator = sqlx::migrate!();

/// The open database.
#[derive(Debug)]
pub struct Store {
    connection: SqliteConnection,
    path: PathBuf,
    statements: commit::Statements,
}

/// How long a statement waits for another process, such as a backup, to let go.
const BUSY: Duration = Duration::from_secs(5);

/// The size that the write-ahead log shrinks back to after a checkpoint, in bytes.
const WAL_BYTES: &str = "16777216";

impl Store {
    /// Opens a database, or makes one where there is none, and brings it to this release's schema. An older schema
    /// is copied aside first. Never makes a fresh world in place of one that cannot be read (O2).
    ///
    /// # Errors
    /// [`StoreError`] with the file and the cure.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let fresh = prepare_file(path)?;
        let connect = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
        let connect = connect.pragma("journal_size_limit", WAL_BYTES).optimize_on_close(false, None);
        let mut connection = connect.connect().await.map_err(|error| not_ours(path, &error))?;
        require_sound_sqlite(&mut connection).await?;
        if !fresh {
            require_ours(path, &mut connection).await?;
        }
        migrate(path, &mut connection, fresh).await?;
        Ok(Self { connection, path: path.to_owned(), statements: commit::Statements::default() })
    }

    /// Tries to write without changing anything, to see whether storage works again (O3).
    ///
    /// # Errors
    /// As a commit would fail.
    pub async fn probe(&mut self) -> Result<(), StoreError> {
        self.run("begin immediate; update meta set data = data where id = 1; commit").await
    }

    /// Bytes of the write-ahead log on disk.
    pub fn wal_bytes(&self) -> u64 {
        fs::metadata(beside(&self.path, "-wal")).map_or(0, |file| file.len())
    }

    /// Writes the log back into the database and closes it.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost by it, the next start reads the log.
    pub async fn close(mut self) -> Result<(), StoreError> {
        sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&mut self.connection).await?;
        Ok(self.connection.close().await?)
    }

    async fn run(&mut self, sql: &'static str) -> Result<(), StoreError> {
        let done = sqlx::raw_sql(sql).execute(&mut self.connection).await;
        if done.is_err() {
            self.roll_back().await;
        }
        done.map(|_| ()).map_err(StoreError::from)
    }

    /// Ends whatever a failed batch left open. SQLite has often rolled back by itself already (D5).
    async fn roll_back(&mut self) {
        // The error that matters is the batch's own; this one says only that there was nothing to roll back.
        drop(sqlx::raw_sql("rollback").execute(&mut self.connection).await);
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(BUSY)
}

/// Makes an empty file with mode 0600 if there is none; true if it did.
fn prepare_file(path: &Path) -> Result<bool, StoreError> {
    let failed = |source: io::Error| StoreError::File { path: path.to_owned(), source };
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => {
            // A log without its database would be replayed into the new one.
            let _ = (fs::remove_file(beside(path, "-wal")), fs::remove_file(beside(path, "-shm")));
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let size = fs::metadata(path).map_err(failed)?.len();
            let waiting = fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
            if size == 0 && !waiting { Err(StoreError::Empty(path.to_owned())) } else { Ok(false) }
        }
        Err(error) => Err(failed(error)),
    }
}

/// The name of a file that belongs to the database, such as its log.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn not_ours(path: &Path, error: &sqlx::Error) -> StoreError {
    StoreError::NotOurs { path: path.to_owned(), reason: error.to_string() }
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
        .map_err(|error| not_ours(path, &error))?;
    if found == APPLICATION {
        return Ok(());
    }
    let reason = format!("its application id is {found:#x}");
    Err(StoreError::NotOurs { path: path.to_owned(), reason })
}

async fn migrate(path: &Path, connection: &mut SqliteConnection, fresh: bool) -> Result<(), StoreError> {
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    if !fresh {
        let table = &MIGRATIONS.table_name;
        let applied =
            connection.list_applied_migrations(table).await.map_err(|e| failed_migration(path, &e))?;
        let found = applied.iter().map(|migration| migration.version).max().unwrap_or(0);
        if found > known {
            return Err(StoreError::Newer { path: path.to_owned(), found, known });
        }
        if found < known {
            let copy = beside(path, &format!(".schema-{found}"));
            backup::copy(connection, &copy).await?;
        }
    }
    MIGRATIONS.run(connection).await.map_err(|error| failed_migration(path, &error))
}

fn failed_migration(path: &Path, error: &MigrateError) -> StoreError {
    StoreError::NotOurs { path: path.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests;
