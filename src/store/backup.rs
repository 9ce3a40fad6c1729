//! Copies of the database: taken while the server runs and checked before they get their name. Checks of a database
//! with an older schema upgrade it in memory.

use crate::store::batches::BatchPlace;
use crate::store::files::{
    UnfinishedCopy, blame_disk, create_private, file_error, is_missing, sync_folder_of,
};
use crate::store::{StoreError, Trouble, load, options, prove, schema};
use deepwell_core::world::{Meta, Snapshot, World};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Writes a consistent copy of the committed data to a new file, over a separate connection. The copy is checked before
/// it gets its name.
///
/// # Errors
/// [`StoreError`]; no file is left behind.
pub(crate) async fn backup(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut connection = options(from).read_only(true).connect().await?;
    let copied = copy(&mut connection, to).await;
    connection.close().await?;
    copied
}

/// Does the same as [`backup`] while the server runs: the copy is checked row by row, without loading a second world.
///
/// # Errors
/// [`StoreError`]; no file is left behind.
pub(crate) async fn backup_beside_world(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut connection = options(from).read_only(true).connect().await?;
    let copied = copy_proved(&mut connection, to, CopyProof::Rows).await;
    connection.close().await?;
    copied
}

/// Returns the problems that are found without loading a world: damage to the file, another schema than that of this
/// release, invalid rows, references to rows that do not exist, and amounts of items and money that differ from their
/// totals.
///
/// # Errors
/// [`StoreError`] if the database cannot be read or was written by a later release.
async fn prove_copy(path: &Path) -> Result<Vec<String>, StoreError> {
    let mut db = open_to_read(path).await?;
    let found = schema::require_known_schema(path, &mut db).await?;
    let mut mistakes = damage(&mut db).await?;
    let known = schema::known_schema();
    if found != known {
        mistakes.push(format!("its schema is {found}, and that of this release is {known}"));
    }
    if mistakes.is_empty() {
        match prove::prove_rows(&mut db).await {
            Ok(differences) => mistakes.extend(differences),
            Err(error) => mistakes.push(error.to_string()),
        }
    }
    db.close().await?;
    Ok(mistakes)
}

/// Returns the place of the last batch in a copy.
///
/// # Errors
/// [`StoreError`] if the copy cannot be read.
pub(crate) async fn place_of(copy: &Path) -> Result<BatchPlace, StoreError> {
    let mut db = open_to_read(copy).await?;
    let place = BatchPlace::read(&mut db).await;
    db.close().await?;
    place
}

/// Way to check a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CopyProof {
    /// By [`check`], which loads the world.
    World,
    /// By [`prove_copy`].
    Rows,
}

/// Writes the committed data to a new file, over a separate connection, without checking or syncing it.
///
/// # Errors
/// [`StoreError`]; an incomplete file may be left behind.
#[cfg(feature = "cluster")]
pub(crate) async fn copy_committed(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut connection = options(from).read_only(true).connect().await?;
    let written = write_copy(&mut connection, to).await;
    connection.close().await?;
    written
}

pub(super) async fn copy(connection: &mut SqliteConnection, to: &Path) -> Result<(), StoreError> {
    copy_proved(connection, to, CopyProof::World).await
}

async fn copy_proved(
    connection: &mut SqliteConnection,
    to: &Path,
    proof: CopyProof,
) -> Result<(), StoreError> {
    if to.symlink_metadata().is_ok() {
        return Err(StoreError::Exists(to.to_owned()));
    }
    let part = UnfinishedCopy::create(to)?;
    let result = match fill_copy(connection, &part.path).await {
        Ok(()) => publish(&part.path, to, proof).await,
        Err(error) => Err(error),
    };
    if result.is_err() {
        let _ = fs::remove_file(&part.path);
    }
    result
}

/// Writes the committed data, including the log, to a new file. The file is not synced yet.
pub(super) async fn write_copy(connection: &mut SqliteConnection, to: &Path) -> Result<(), StoreError> {
    create_private(to).map_err(|error| file_error(to, error))?;
    fill_copy(connection, to).await
}

/// Writes the committed data to an existing empty file.
async fn fill_copy(connection: &mut SqliteConnection, to: &Path) -> Result<(), StoreError> {
    let name = to.to_str().ok_or_else(|| file_error(to, io::Error::other("the name is not UTF-8")))?;
    sqlx::query("vacuum into ?").bind(name).execute(connection).await?;
    Ok(())
}

/// Checks a finished copy, syncs it, and gives it its name without replacing another file.
async fn publish(part: &Path, to: &Path, proof: CopyProof) -> Result<(), StoreError> {
    let mistakes = match proof {
        CopyProof::World => check(part).await?,
        CopyProof::Rows => prove_copy(part).await?,
    };
    if let Some(mistake) = mistakes.into_iter().next() {
        return Err(StoreError::Unsound(mistake));
    }
    let sync = || {
        File::open(part)?.sync_all()?;
        fs::hard_link(part, to)?;
        fs::remove_file(part)?;
        sync_folder_of(to)
    };
    sync().map_err(|error| file_error(to, error))
}

/// Checks a database without changing it and returns all problems: damage to the file, dangling references,
/// inconsistent rows. A database with an older schema is upgraded in memory first, so the result is what the next start
/// would find.
///
/// # Errors
/// [`StoreError`] if the database cannot be read or was written by a later release.
pub async fn check(path: &Path) -> Result<Vec<String>, StoreError> {
    let found = find_mistakes(path).await.map_err(|error| blame_disk(path, error))?;
    let Some(first) = found.first() else { return Ok(found) };
    match blame_disk(path, StoreError::Damaged(first.clone())) {
        StoreError::Damaged(_) => Ok(found),
        error => Err(error),
    }
}

/// Does the same as [`check`], but takes the reports of SQLite as they are.
async fn find_mistakes(path: &Path) -> Result<Vec<String>, StoreError> {
    let mut db = open_to_read(path).await?;
    let found = schema::require_known_schema(path, &mut db).await?;
    let mut mistakes = damage(&mut db).await?;
    if found == schema::known_schema() {
        mistakes.extend(contradictions(&mut db, mistakes.is_empty()).await?);
    } else if mistakes.is_empty() {
        mistakes.extend(mistakes_after_upgrade(&mut db, found).await?);
    }
    db.close().await?;
    Ok(mistakes)
}

/// Reads the world of a database without changing the file. An older schema is upgraded in memory.
///
/// # Errors
/// [`StoreError`] if the database cannot be read or was written by a later release.
pub(crate) async fn read(path: &Path) -> Result<Snapshot, StoreError> {
    read_rows(path).await.map_err(|error| blame_disk(path, error))
}

async fn read_rows(path: &Path) -> Result<Snapshot, StoreError> {
    let mut db = open_to_read(path).await?;
    if schema::require_known_schema(path, &mut db).await? != schema::known_schema() {
        db = schema::rehearse(&mut db).await?.map_err(|error| schema::failed_migration(path, error))?;
    }
    load::load(&mut db).await
}

pub(super) async fn open_to_read(path: &Path) -> Result<SqliteConnection, StoreError> {
    // An empty file, and remains without their database, are errors of their own.
    is_missing(path)?;
    fs::metadata(path).map_err(|error| file_error(path, error))?;
    let connected = options(path).read_only(true).connect().await;
    let mut db = connected.map_err(|error| blame_disk(path, super::not_opened(path, error)))?;
    super::require_ours(path, &mut db).await.map_err(|error| blame_disk(path, error))?;
    Ok(db)
}

/// Runs SQLite's own checks: broken pages, violated constraints, dangling references.
async fn damage(db: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let damage: Vec<String> = sqlx::query_scalar("pragma integrity_check(20)").fetch_all(&mut *db).await?;
    damage.iter().try_for_each(|line| require_read(line))?;
    let mut mistakes: Vec<String> = damage.into_iter().filter(|line| line != "ok").collect();
    let loose: Vec<(String, Option<i64>, String, i64)> =
        sqlx::query_as("pragma foreign_key_check").fetch_all(&mut *db).await?;
    mistakes.extend(loose.into_iter().map(|(table, row, parent, _)| {
        format!("table {table}, row {}: refers to a row of {parent} that does not exist", row.unwrap_or(0))
    }));
    Ok(mistakes)
}

/// Returns an error for a page that `integrity_check` could not read: the disk is at fault, the page may be sound.
fn require_read(line: &str) -> Result<(), StoreError> {
    let code = line.rsplit_once("error code=").and_then(|(_, code)| code.parse().ok());
    match code.and_then(Trouble::of_code) {
        Some(trouble) => Err(StoreError::NotNow { trouble, reason: line.to_owned() }),
        None => Ok(()),
    }
}

/// Finds inconsistencies between the rows of this release's schema. If the file is damaged, reports only the first
/// unreadable row.
async fn contradictions(db: &mut SqliteConnection, is_whole: bool) -> Result<Vec<String>, StoreError> {
    let found = match load::load(db).await {
        Ok(stored) if is_whole && stored.meta.is_some() => {
            match World::load(stored, Meta::fresh(deepwell_core::base::Seed(0))).map(Box::new) {
                Ok(world) => Box::pin(load::mismatches(db, &world)).await,
                Err(invalid) => Ok(invalid.0),
            }
        }
        loaded => loaded.map(|_| Vec::new()),
    };
    found.or_else(|error| if error.is_mistake() { Ok(vec![error.to_string()]) } else { Err(error) })
}

/// Returns the problems that the next start would find after upgrading an older database.
async fn mistakes_after_upgrade(db: &mut SqliteConnection, found: i64) -> Result<Vec<String>, StoreError> {
    let mut upgraded = match schema::rehearse(db).await? {
        Ok(upgraded) => upgraded,
        Err(error) => return Ok(vec![format!("schema {found} cannot be upgraded: {error}")]),
    };
    let mut mistakes = damage(&mut upgraded).await?;
    mistakes.extend(contradictions(&mut upgraded, mistakes.is_empty()).await?);
    upgraded.close().await?;
    let known = schema::known_schema();
    Ok(mistakes.into_iter().map(|mistake| format!("upgraded to schema {known}: {mistake}")).collect())
}
