//! Schemas: which one a database has, which one this release knows, and the steps from the one to the other.

use crate::store::StoreError;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqlSafeStr, SqliteConnection};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The files of `migrations/`: `0002_parties.sql` is the step to schema 2. They are listed by our own build, because the
/// macro of sqlx would have SQLite built a second time, for the compiler.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let step = |(file, sql): &(&'static str, &'static str)| {
        let (version, name) = file.trim_end_matches(".sql").split_once('_')?;
        let (version, name) = (version.parse().ok()?, name.replace('_', " "));
        Some(Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false))
    };
    let unnamed = |file| panic!("migrations/{file} is not named NUMBER_WHAT.sql");
    Migrator::with_migrations(
        FILES.iter().map(|file| step(file).unwrap_or_else(|| unnamed(file.0))).collect(),
    )
});

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

/// Carries out the steps that a database lacks.
pub(super) async fn run(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    run_all(connection).await.map_err(|error| failed_migration(path, error))
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

/// What SQLite could not carry out is told as any other of its failures; else the steps that the database says it has taken
/// are not those of this program.
pub(super) fn failed_migration(path: &Path, error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        other => StoreError::NotOurs { path: path.to_owned(), reason: other.to_string() },
    }
}
