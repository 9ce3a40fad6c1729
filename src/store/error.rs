//! What can go wrong with storage, by who must act.

use std::io;
use std::path::PathBuf;

/// A failure of the database. Its words name the file and the cure.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or the file cannot be read or written.
    #[error("{path}: {source}; the server's user needs to read and write it")]
    File {
        /// What was tried.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The file is there but empty.
    #[error("{0}: the file is empty; restore a backup, or remove it to begin a fresh world")]
    Empty(PathBuf),
    /// The file is not there, but something that was part of it is.
    #[error(
        "{path}: there is no database, but {remains} is left of one; put the database back or restore a backup, or move that file away to begin a fresh world"
    )]
    Remains {
        /// The file that is missing.
        path: PathBuf,
        /// What is there.
        remains: PathBuf,
    },
    /// The file is no database of ours, or damaged.
    #[error("{path}: not a database of this server ({reason}); restore a backup")]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// The file was written by a later release.
    #[error(
        "{path}: written by a later release (schema {found}, this one knows up to {known}); run that release"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The latest schema of this release.
        known: i64,
    },
    /// The SQLite in this binary may lose data.
    #[error(
        "SQLite {0} may lose committed data; this server needs 3.51.3 or later, so build it with its Cargo.lock"
    )]
    OldSqlite(String),
    /// A row that cannot be what it says.
    #[error("table {table}, row {id}: {reason}; restore a backup, or mend the row with the server stopped")]
    BadRow {
        /// The table.
        table: &'static str,
        /// The row.
        id: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What was copied is not fit to be relied on, so the copy was thrown away.
    #[error(
        "the database is not sound, and no copy of it was kept: {0}; mend it with the release that wrote it, or restore a backup"
    )]
    Unsound(String),
    /// A file that must not be there.
    #[error("{0}: exists already; name a file that does not")]
    Exists(PathBuf),
    /// The disk is full, or the file cannot be written just now.
    #[error("the database cannot be written just now: {0}")]
    NotNow(String),
    /// The file is damaged.
    #[error("the database is damaged: {0}; restore a backup")]
    Damaged(String),
    /// Anything else SQLite says.
    #[error("the database failed: {0}")]
    Failed(String),
}

impl StoreError {
    /// Whether the same may succeed later: space comes back, a lock is released.
    pub const fn can_retry(&self) -> bool {
        matches!(self, Self::NotNow(_))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error
            .as_database_error()
            .and_then(sqlx::error::DatabaseError::code)
            .and_then(|code| code.parse::<u32>().ok());
        // The primary result code is the low byte: 5 busy, 6 locked, 8 read-only, 10 I/O, 11 corrupt, 13 full, 14 cannot open,
        // 26 not a database.
        match code.map(|code| code & 0xff) {
            Some(5 | 6 | 8 | 10 | 13 | 14) => Self::NotNow(error.to_string()),
            Some(11 | 26) => Self::Damaged(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}
