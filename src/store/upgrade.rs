//! Upgrades a database to this release's schema, after copying it.

use crate::store::{StoreError, backup, files, schema};
use sqlx::{Connection, SqliteConnection};
use std::fmt;
use std::path::Path;

/// Pending upgrade of a database with an older schema.
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

/// Returns the pending upgrade, or `None` if the database has this release's schema.
///
/// # Errors
/// [`StoreError`] if the database cannot be read or was written by a later release.
pub async fn upgrade_of(path: &Path) -> Result<Option<Upgrade>, StoreError> {
    let mut db = backup::open_to_read(path).await?;
    let from = schema::require_known_schema(path, &mut db).await?;
    db.close().await?;
    let to = schema::known_schema();
    Ok((from < to).then_some(Upgrade { from, to }))
}

/// Upgrades a database to this release's schema. An older database is copied first; it stays unchanged unless the copy
/// is sound and its world can be loaded. Each migration is one transaction; a start after a kill continues with the
/// next one.
pub(super) async fn migrate(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found = schema::require_known_schema(path, connection).await?;
    if found < schema::known_schema() {
        let suffix = format!("{}{found}", files::BEFORE_UPGRADE);
        let copy = files::free_name(path, &suffix)?;
        backup::copy(connection, &copy).await?;
        // An earlier start that failed after copying may have left an identical copy.
        files::remove_duplicate_copy(path, &suffix, &copy)
            .map_err(|source| files::file_error(&copy, source))?;
        // Releases before schema 8 left deleted content in free pages. Vacuum before the migrations, so that a start
        // after a kill repeats it.
        sqlx::raw_sql("vacuum").execute(&mut *connection).await?;
    }
    schema::run(path, connection).await?;
    if found < schema::known_schema() {
        // A migration that makes new tables leaves as many free pages. A start after a kill does without this.
        sqlx::raw_sql("vacuum").execute(connection).await?;
    }
    Ok(())
}
