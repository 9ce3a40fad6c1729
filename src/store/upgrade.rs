//! Bringing a database to this release's schema, with a copy of what it was beside it.

use crate::store::{StoreError, backup, files, schema};
use sqlx::{Connection, SqliteConnection};
use std::fmt;
use std::path::Path;

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
    let from = schema::require_known_schema(path, &mut db).await?;
    db.close().await?;
    let to = schema::known_schema();
    Ok((from < to).then_some(Upgrade { from, to }))
}

/// Brings a database to this release's schema. An older one is copied aside first, and left as it is unless the copy
/// is sound and its world would load. Each step is one transaction, and a start after a kill goes on behind the last.
pub(super) async fn migrate(path: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found = schema::require_known_schema(path, connection).await?;
    if found < schema::known_schema() {
        let suffix = format!("{}{found}", files::BEFORE_UPGRADE);
        let copy = files::free_name(path, &suffix)?;
        backup::copy(connection, &copy).await?;
        // A start that failed behind its copy has left the same one.
        files::keep_first(path, &suffix, &copy).map_err(|source| files::file_error(&copy, source))?;
        // Releases before schema 8 left what they deleted in free pages. Before the steps, so that a start after a kill
        // does it again.
        sqlx::raw_sql("vacuum").execute(&mut *connection).await?;
    }
    schema::run(path, connection).await
}
