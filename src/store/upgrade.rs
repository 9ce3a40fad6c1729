//! Schemas: which one a database has, which one this release knows, and the way from the one to the other. The copy
//! made aside before an upgrade is `backup`'s.

use crate::store::{StoreError, backup, beside, remove};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) static MIGRATIONS: Migrator = sqlx::migrate!();

/// What the next start does to a database of an older schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Upgrade {
    from: i64,
    to: i64,
}

impl fmt::Display for Upgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "schema {}, which the next start upgrades to {}", self.from, self.to)
    }
}

/// The upgrade that a database waits for, if its schema is older than this release's.
///
/// # Errors
/// [`StoreError`] if it cannot be read, or was written by a later release.
pub async fn upgrade_of(path: &Path) -> Result<Option<Upgrade>, StoreError> {
    let mut db = backup::open_to_read(path).await?;
    let from = require_known_schema(path, &mut db).await?;
    db.close().await?;
    let to = known_schema();
    Ok((from < to).then_some(Upgrade { from, to }))
}

/// The latest schema of this release.
pub(super) fn known_schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// The schema of a database; refuses one of a later release.
pub(super) async fn require_known_schema(path: &Path, db: &mut SqliteConnection) -> Result<i64, StoreError> {
    let sql = "select coalesce(max(version), 0) from _sqlx_migrations";
    let found: i64 = sqlx::query_scalar(sql).fetch_one(db).await?;
    let known = known_schema();
    if found > known { Err(StoreError::Newer { path: path.to_owned(), found, known }) } else { Ok(found) }
}

/// Brings a database to this release's schema. An older one is copied aside first, and left as it is unless the copy
/// is sound and its world would load. Each step is one transaction, and a start after a kill goes on behind the last.
pub(super) async fn migrate(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found = require_known_schema(path, connection).await?;
    if found < known_schema() {
        let copy = backup::free_name(path, &format!(".schema-{found}"))?;
        // A start that was killed over the copy has left its part behind. The folder is locked: nobody writes it now.
        let left = beside(&copy, ".part-1");
        remove(&left).map_err(|source| StoreError::File { path: left, source })?;
        backup::copy(connection, &copy).await?;
    }
    run(path, connection).await
}

/// Carries out the steps that a database lacks.
pub(super) async fn run(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    run_all(connection).await.map_err(|error| failed_migration(path, &error))
}

/// Upgrades a copy that is only in memory, to see what would become of the database.
pub(super) async fn rehearse(
    db: &mut SqliteConnection,
) -> Result<Result<SqliteConnection, MigrateError>, StoreError> {
    static REHEARSALS: AtomicU64 = AtomicU64::new(0);
    // A name that begins with a slash is shared by the connections of this process and by nobody else.
    let name = format!("/rehearsal-{}", REHEARSALS.fetch_add(1, Ordering::Relaxed));
    let options = SqliteConnectOptions::new().filename(&name).vfs("memdb").create_if_missing(true);
    let mut copy = options.foreign_keys(true).connect().await?;
    sqlx::query("vacuum into ?").bind(format!("file:{name}?vfs=memdb")).execute(db).await?;
    Ok(run_all(&mut copy).await.map(|()| copy))
}

/// What [`Migrator::run`] does; that one's future cannot be proved to be fit for a task that changes threads.
async fn run_all(db: &mut SqliteConnection) -> Result<(), MigrateError> {
    MIGRATIONS.run_direct(None, db, false).await
}

fn failed_migration(path: &Path, error: &MigrateError) -> StoreError {
    StoreError::NotOurs { path: path.to_owned(), reason: error.to_string() }
}
