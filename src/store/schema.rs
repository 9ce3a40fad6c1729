//! Schema versions and migrations.

use crate::store::StoreError;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqlSafeStr, SqliteConnection};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Files of `migrations/`; `0002_parties.sql` migrates to schema 2. `build.rs` lists them, because sqlx's macro would
/// build SQLite a second time, for the compiler.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let step = |(file, sql): &(&'static str, &'static str)| {
        let (version, name) = file.trim_end_matches(".sql").split_once('_')?;
        let (version, name) = (version.parse().ok()?, name.replace('_', " "));
        Some(Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false))
    };
    let unnamed = |file| panic!("migrations/{file} is not named NUMBER_NAME.sql");
    Migrator::with_migrations(
        FILES.iter().map(|file| step(file).unwrap_or_else(|| unnamed(file.0))).collect(),
    )
});

/// Returns the latest schema of this release.
pub(super) fn known_schema() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Returns the schema of a database; fails for one of a later release.
pub(super) async fn require_known_schema(path: &Path, db: &mut SqliteConnection) -> Result<i64, StoreError> {
    let sql = "select coalesce(max(version), 0) from _sqlx_migrations";
    let found: i64 = sqlx::query_scalar(sql).fetch_one(db).await?;
    let known = known_schema();
    if found > known { Err(StoreError::Newer { path: path.to_owned(), found, known }) } else { Ok(found) }
}

/// Runs the migrations that a database lacks.
pub(super) async fn run(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    run_all(connection).await.map_err(|error| failed_migration(path, error))
}

/// Upgrades an in-memory copy, to test the migrations without changing the database.
pub(super) async fn rehearse(
    db: &mut SqliteConnection,
) -> Result<Result<SqliteConnection, MigrateError>, StoreError> {
    static REHEARSALS: AtomicU64 = AtomicU64::new(0);
    // A `memdb` name that begins with a slash is shared among the connections of this process only.
    let name = format!("/rehearsal-{}", REHEARSALS.fetch_add(1, Ordering::Relaxed));
    let options = SqliteConnectOptions::new().filename(&name).vfs("memdb").create_if_missing(true);
    let mut copy = options.foreign_keys(true).connect().await?;
    sqlx::query("vacuum into ?").bind(format!("file:{name}?vfs=memdb")).execute(db).await?;
    Ok(run_all(&mut copy).await.map(|()| copy))
}

/// Does what [`Migrator::run`] does; the compiler cannot prove that method's future to be `Send`.
async fn run_all(db: &mut SqliteConnection) -> Result<(), MigrateError> {
    MIGRATIONS.run_direct(None, db, false).await
}

/// Maps a failed SQL statement like any other SQLite error. The other errors mean that the migrations recorded in the
/// database are not those of this program.
pub(super) fn failed_migration(path: &Path, error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        other => StoreError::NotOurs { path: path.to_owned(), reason: other.to_string() },
    }
}
