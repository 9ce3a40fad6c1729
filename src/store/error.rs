//! What can go wrong with storage, by who must act.

use std::io;
use std::path::PathBuf;

/// What stands in the way of storage that is itself in order, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// There is no room.
    Full,
    /// The disk or the system failed.
    Disk,
    /// Another program has it.
    Locked,
    /// The server's user may not.
    Access,
    /// Another program has been reading the database for so long that its log has grown to its bound.
    Reader,
}

impl Trouble {
    /// What the operator does about it.
    pub const fn cure(self) -> &'static str {
        match self {
            Self::Full => "make room on the disk",
            Self::Disk => {
                "look for room on the disk, then at the disk and the system's log; the database itself may be sound"
            }
            Self::Locked => "another program uses the database: wait for it, or end it",
            Self::Access => {
                "the server's user needs to read and write the file, what lies beside it, and its folder"
            }
            Self::Reader => {
                "another program has been reading the database all the while: end it, or raise server.wal_mib"
            }
        }
    }

    fn of_file(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory => Self::Access,
            _ => Self::Disk,
        }
    }

    /// What a result code of SQLite tells; none if the database itself, or the statement, is not in order. The primary code
    /// is the low byte.
    const fn of_code(code: u32) -> Option<Self> {
        match code & 0xff {
            13 => Some(Self::Full),
            10 => Some(Self::Disk),
            5 | 6 => Some(Self::Locked),
            3 | 8 | 14 => Some(Self::Access),
            _ => None,
        }
    }
}

/// A failure of the database. Its words name the file and the cure.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or the file cannot be read or written.
    #[error("{path}: {source}; {}", Trouble::of_file(.source).cure())]
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
    /// A copy that was to be put back is not fit for it.
    #[error("{path}: this copy is not sound ({reason}); nothing has been changed: restore another copy")]
    UnfitCopy {
        /// The copy.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that must not be there.
    #[error("{0}: exists already; name a file that does not")]
    Exists(PathBuf),
    /// The database cannot be read or written just now.
    #[error("the database cannot be used just now: {reason}; {}", .trouble.cure())]
    NotNow {
        /// What stands in the way.
        trouble: Trouble,
        /// What SQLite or the system says.
        reason: String,
    },
    /// A batch was written and could not be made durable: until something else has been written behind it, a start may find
    /// it in the database or not.
    #[error("the database cannot be written just now, and the last batch may be in it or not: {reason}; {}", Trouble::Disk.cure())]
    InDoubt {
        /// What SQLite says.
        reason: String,
    },
    /// Another server has opened the database and writes it from now on.
    #[error(
        "another server has opened this database, so this one writes nothing any more and stops; find out which of the two is meant to run (was the lock file beside the database moved away?)"
    )]
    Taken,
    /// Another program has written since the world was read.
    #[error(
        "another program has changed the database while the server runs; change it only with the server stopped"
    )]
    Disturbed,
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
        matches!(self, Self::NotNow { .. } | Self::InDoubt { .. })
    }

    /// Whether the database itself is not in order, as far as one look at it tells.
    pub const fn tells_of_damage(&self) -> bool {
        matches!(self, Self::NotOurs { .. } | Self::Damaged(_))
    }

    /// Whether a batch that failed so may be found to be stored after all.
    pub const fn leaves_doubt(&self) -> bool {
        matches!(self, Self::InDoubt { .. })
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::NotNow { trouble: Trouble::of_file(&error), reason: error.to_string() }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error
            .as_database_error()
            .and_then(sqlx::error::DatabaseError::code)
            .and_then(|code| code.parse::<u32>().ok());
        let reason = error.to_string();
        match (code.and_then(Trouble::of_code), code.map(|code| code & 0xff)) {
            (Some(trouble), _) => Self::NotNow { trouble, reason },
            (None, Some(CORRUPT | NOT_A_DATABASE)) => Self::Damaged(reason),
            (None, _) => broken_lease(&reason).unwrap_or(Self::Failed(reason)),
        }
    }
}

/// Maps a failed constraint of the table `lease` to its meaning.
fn broken_lease(reason: &str) -> Option<StoreError> {
    if reason.contains("lease.holder") {
        Some(StoreError::Taken)
    } else if reason.contains("lease.undisturbed") {
        Some(StoreError::Disturbed)
    } else {
        None
    }
}

/// Primary result codes of SQLite; they are the low byte of every code.
const CORRUPT: u32 = 11;
const NOT_A_DATABASE: u32 = 26;
