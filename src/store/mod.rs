//! SQLite: open, migrate, load, and commit a batch at a time. One [`Store`] owns the one writing connection;
//! nothing here knows rules, and nothing waits for anything but the database.

mod backup;
mod commit;
mod error;
mod load;
mod schema;
mod upgrade;

pub(crate) use backup::backup;
pub use backup::{check, restore};
pub use error::StoreError;
pub use upgrade::{Upgrade, upgrade_of};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    /// is copied aside first. Never makes a fresh world in place of one that cannot be read.
    ///
    /// # Errors
    /// [`StoreError`] with the file and the cure.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        if is_missing(path)? {
            create(path).await?;
        }
        let mut connection = connect(path).await?;
        require_ours(path, &mut connection).await?;
        upgrade::migrate(path, &mut connection).await?;
        Ok(Self { connection, path: path.to_owned(), statements: commit::Statements::default() })
    }

    /// Tries to write without changing anything, to see whether storage works again. A row alone would prove
    /// little: it fits into what a failed batch has left of the log on a disk that is full.
    ///
    /// # Errors
    /// As a commit would fail.
    pub async fn probe(&mut self) -> Result<(), StoreError> {
        let path = beside(&self.path, ".probe");
        let tried = tokio::task::spawn_blocking(move || try_room(&path)).await.map_err(io::Error::from);
        tried.flatten().map_err(|error| StoreError::NotNow(error.to_string()))?;
        self.run("begin immediate; update meta set data = data where id = 1; commit").await
    }

    /// Bytes of the write-ahead log on disk.
    pub fn wal_bytes(&self) -> u64 {
        fs::metadata(beside(&self.path, "-wal")).map_or(0, |file| file.len())
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

    async fn run(&mut self, sql: &'static str) -> Result<(), StoreError> {
        let done = sqlx::raw_sql(sql).execute(&mut self.connection).await;
        if done.is_err() {
            self.roll_back().await;
        }
        done.map(|_| ()).map_err(StoreError::from)
    }

    /// Ends whatever a failed batch left open. SQLite has often rolled back by itself already.
    async fn roll_back(&mut self) {
        // The error that matters is the batch's own; this one says only that there was nothing to roll back.
        drop(sqlx::raw_sql("rollback").execute(&mut self.connection).await);
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(BUSY)
}

/// Bytes that must fit beside the database before it counts as writable: more than nearly every batch.
const ROOM_BYTES: usize = 1 << 20;

/// Writes a file of that size and removes it.
fn try_room(path: &Path) -> io::Result<()> {
    let written = fs::File::create(path).and_then(|mut file| {
        file.write_all(&vec![0; ROOM_BYTES])?;
        file.sync_all()
    });
    // What did fit must not stay, or there would never be room.
    written.and(fs::remove_file(path))
}

/// Opens a file for writing, whatever is in it.
async fn connect(path: &Path) -> Result<SqliteConnection, StoreError> {
    let connect = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    let connect = connect.pragma("journal_size_limit", WAL_BYTES).optimize_on_close(false, None);
    let mut connection = connect.connect().await.map_err(|error| not_ours(path, &error))?;
    require_sound_sqlite(&mut connection).await?;
    Ok(connection)
}

/// Whether there is no database yet. An empty file is none, but somebody's loss: it is refused.
fn is_missing(path: &Path) -> Result<bool, StoreError> {
    match fs::metadata(path) {
        Ok(file) => {
            let waiting = fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
            if file.len() == 0 && !waiting { Err(StoreError::Empty(path.to_owned())) } else { Ok(false) }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(source) => Err(StoreError::File { path: path.to_owned(), source }),
    }
}

/// Makes a database with mode 0600 and the whole schema, and only then gives it its name: a start that is killed
/// half-way must not leave a file that all later ones refuse.
async fn create(path: &Path) -> Result<(), StoreError> {
    let part = beside(path, ".new");
    let failed = |source: io::Error| StoreError::File { path: path.to_owned(), source };
    [part.clone(), beside(&part, "-wal"), beside(&part, "-shm")]
        .iter()
        .try_for_each(remove)
        .map_err(failed)?;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part).map_err(failed)?;
    let mut connection = connect(&part).await?;
    schema::run(path, &mut connection).await?;
    sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&mut connection).await?;
    connection.close().await?;
    // A log without its database would be replayed into the new one.
    [beside(path, "-wal"), beside(path, "-shm")].iter().try_for_each(remove).map_err(failed)?;
    fs::rename(&part, path).and_then(|()| fs::File::open(folder_of(path))?.sync_all()).map_err(failed)
}

/// Removes a file that may not be there.
fn remove(path: &PathBuf) -> io::Result<()> {
    fs::remove_file(path).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
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

#[cfg(test)]
mod tests;
