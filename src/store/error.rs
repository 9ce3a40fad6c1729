//! Storage errors, classified by the action that the operator must take.

use std::io;
use std::path::PathBuf;

/// Cause of a storage failure that does not point to a damaged database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The disk is full.
    Full,
    /// I/O error of the disk or the operating system.
    Disk,
    /// Another program holds a lock on the database.
    Locked,
    /// The server's user lacks permission.
    Access,
    /// The file or its folder does not exist.
    Missing,
    /// The file system is read-only, for all programs or for the server.
    ReadOnly,
    /// A long-running reader has kept the write-ahead log from shrinking until it reached its limit.
    Reader,
}

impl Trouble {
    /// Suggested fix for the operator.
    pub const fn cure(self) -> &'static str {
        match self {
            Self::Full => "free space on the disk",
            Self::Disk => {
                "check for free space on the disk, then check the disk and the system log; the database itself may be sound"
            }
            Self::Locked => "another program has locked the database: wait for it, or stop it",
            Self::Access => {
                "the server's user needs read and write access to the file, the files beside it, and the folder"
            }
            Self::Missing => "check the path: the file or its folder does not exist",
            Self::ReadOnly => {
                "the folder is read-only for the server: mount it writable, or, under systemd, add it with ReadWritePaths="
            }
            Self::Reader => {
                "a long-running reader blocks checkpoints: stop that program, or raise server.wal_mib"
            }
        }
    }

    fn of_file(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => {
                Self::Access
            }
            _ => Self::Disk,
        }
    }

    /// Classifies a SQLite result code by its primary code, the low byte. `None` if the database or the statement is at
    /// fault.
    pub(super) const fn of_code(code: u32) -> Option<Self> {
        match code & 0xff {
            13 => Some(Self::Full),
            10 => Some(Self::Disk),
            5 | 6 | 15 => Some(Self::Locked),
            3 | 8 | 14 => Some(Self::Access),
            _ => None,
        }
    }
}

/// A database error. The message names the file and the fix.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or the file cannot be read or written.
    #[error("{path}: {source}; {}", Trouble::of_file(.source).cure())]
    File {
        /// File or folder that was accessed.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file exists but is empty.
    #[error("{0}: the file is empty; restore a backup, or remove it to start a new world")]
    Empty(PathBuf),
    /// The database file is missing, but a file that belongs to it exists.
    #[error(
        "{path}: the database is missing, but {remains} exists; put the database back or restore a backup, or move that file away to start a new world"
    )]
    Remains {
        /// Missing database file.
        path: PathBuf,
        /// File that was found.
        remains: PathBuf,
    },
    /// The file is not a database of this server, or it is damaged.
    #[error("{path}: not a database of this server ({reason}); restore a backup")]
    NotOurs {
        /// Path of the database.
        path: PathBuf,
        /// Message of SQLite.
        reason: String,
    },
    /// The file was written by a later release.
    #[error(
        "{path}: written by a later release (schema {found}; this release supports up to {known}); run the later release"
    )]
    Newer {
        /// Path of the database.
        path: PathBuf,
        /// Schema of the file.
        found: i64,
        /// Latest schema of this release.
        known: i64,
    },
    /// The SQLite version in this binary may lose data.
    #[error(
        "SQLite {0} may lose committed data; this server needs 3.51.3 or later, so build it with its Cargo.lock"
    )]
    OldSqlite(String),
    /// An invalid row.
    #[error(
        "table {table}, row {id}: {reason}; restore a backup, or correct the row while the server is stopped"
    )]
    BadRow {
        /// Name of the table.
        table: &'static str,
        /// Key of the row.
        id: String,
        /// Problem that was found.
        reason: String,
    },
    /// Rows of a branch that do not belong together.
    #[error(
        "the rows of a branch contradict each other: {0}; restore a backup, or correct the rows while the server is stopped"
    )]
    Inconsistent(String),
    /// The copy failed its check and was deleted.
    #[error(
        "the database is inconsistent, and no copy was kept: {0}; repair it with the release that wrote it, or restore a backup"
    )]
    Unsound(String),
    /// The copy to be restored failed its check.
    #[error(
        "{path}: this copy cannot be restored ({reason}); nothing has been changed: restore another copy"
    )]
    UnfitCopy {
        /// Path of the copy.
        path: PathBuf,
        /// Problem that was found.
        reason: String,
    },
    /// The target file already exists.
    #[error("{0}: already exists; choose another file name")]
    Exists(PathBuf),
    /// The database cannot be read or written at present.
    #[error("the database is temporarily unavailable: {reason}; {}", .trouble.cure())]
    NotNow {
        /// Cause of the failure.
        trouble: Trouble,
        /// Message of SQLite or the operating system.
        reason: String,
    },
    /// A batch was written but could not be synced. Until a later write replaces it in the log, a restart may or may
    /// not recover it.
    #[error("the database cannot be written at present, and the last batch may or may not be stored: {reason}; {}", Trouble::Disk.cure())]
    InDoubt {
        /// Message of SQLite.
        reason: String,
    },
    /// Another server has opened the database and taken the write lease.
    #[error(
        "another server has opened this database, so this one stops without writing; check which of the two should run (was the lock file beside the database moved away?)"
    )]
    Taken,
    /// The log of the cluster cannot be reached. The last batch may or may not be in it.
    #[error("the log of the cluster cannot be reached, and the last batch may or may not be in it: {0}")]
    NoLog(String),
    /// Another host of the cluster leads.
    #[error("another host of the cluster leads the world, so this one stops writing")]
    Deposed,
    /// Another program has written to the database since the world was loaded.
    #[error(
        "another program has changed the database while the server runs; change it only with the server stopped"
    )]
    Disturbed,
    /// The file is damaged.
    #[error("the database is damaged: {0}; restore a backup")]
    Damaged(String),
    /// Any other SQLite error.
    #[error("the database failed: {0}")]
    Failed(String),
}

impl StoreError {
    /// Returns `true` if a retry may succeed, for example after space is freed or a lock is released.
    pub const fn can_retry(&self) -> bool {
        matches!(self, Self::NotNow { .. } | Self::InDoubt { .. } | Self::NoLog(_))
    }

    /// Returns `true` if the error points to a damaged database. A single failed read is not proof.
    pub const fn tells_of_damage(&self) -> bool {
        matches!(self, Self::NotOurs { .. } | Self::Damaged(_))
    }

    /// Returns `true` if the database, a copy or the program must be corrected before another attempt can succeed.
    pub const fn is_mistake(&self) -> bool {
        matches!(
            self,
            Self::Empty(_)
                | Self::Remains { .. }
                | Self::NotOurs { .. }
                | Self::Newer { .. }
                | Self::OldSqlite(_)
                | Self::BadRow { .. }
                | Self::Inconsistent(_)
                | Self::Unsound(_)
                | Self::UnfitCopy { .. }
                | Self::Damaged(_)
                | Self::Failed(_)
        )
    }

    /// Returns `true` if the failed batch may nevertheless be stored.
    pub const fn leaves_doubt(&self) -> bool {
        matches!(self, Self::InDoubt { .. } | Self::NoLog(_))
    }

    /// Returns `true` if this server must not write any more, because another one does.
    pub const fn ends_writing(&self) -> bool {
        matches!(self, Self::Taken | Self::Deposed)
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::NotNow { trouble: Trouble::of_file(&error), reason: error.to_string() }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = code_of(&error);
        let reason = error.to_string();
        match (code.and_then(Trouble::of_code), code.map(|code| code & 0xff)) {
            (Some(trouble), _) => Self::NotNow { trouble, reason },
            (None, Some(CORRUPT | NOT_A_DATABASE)) => Self::Damaged(reason),
            (None, _) => broken_lease(&reason).unwrap_or(Self::Failed(reason)),
        }
    }
}

/// Returns the result code of SQLite in an error.
fn code_of(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code)?;
    code.parse().ok()
}

/// Returns `true` if SQLite does not recognise a file as a database.
pub(super) fn is_foreign(error: &sqlx::Error) -> bool {
    code_of(error).is_some_and(|code| code & 0xff == NOT_A_DATABASE)
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

/// Primary result codes of SQLite: the low byte of every code.
const CORRUPT: u32 = 11;
const NOT_A_DATABASE: u32 = 26;

#[cfg(test)]
mod tests {
    use super::*;

    /// O2, O3: each error of the operating system has the suggestion that fits it, and only a damaged file is answered with
    /// a backup.
    #[test]
    fn o2_every_trouble_has_its_own_fix() {
        for (code, cure) in [
            (2, "check the path: the file or its folder does not exist"),
            (5, "check the disk and the system log; the database itself may be sound"),
            (13, "the server's user needs read and write access to the file"),
            (28, "free space on the disk"),
            (30, "add it with ReadWritePaths="),
            (122, "free space on the disk"),
        ] {
            let error = StoreError::from(io::Error::from_raw_os_error(code)).to_string();
            assert!(error.contains(cure) && !error.contains("backup"), "{error}");
        }
        for (code, cure) in [
            (13, Some("free space on the disk")),
            (266, Some("check the disk and the system log")),
            (5, Some("another program has locked the database: wait for it, or stop it")),
            (14, Some("needs read and write access")),
            (11, None),
            (26, None),
            (1, None),
        ] {
            assert_eq!(
                Trouble::of_code(code).is_some_and(|it| it.cure().contains(cure.unwrap_or("?"))),
                cure.is_some()
            );
        }
        assert!(
            Trouble::Reader.cure().contains("a long-running reader blocks checkpoints: stop that program")
        );
    }
}
