//! Replaces a stopped server's database with a copy. The commit point is the moment when the copy is complete on disk
//! under the name [`READY`]. A restore killed earlier has no effect; one killed later is completed by the next restore
//! or start.

use crate::store::batches::{BatchPlace, NextFrame, NotReplayed, SegmentReader, chain};
use crate::store::files::{
    BEFORE_RESTORE, beside, file_error, folder_of, free_name, move_if_there, remove, sync_folder_of,
};
use crate::store::{Store, StoreError, backup, upgrade_of};
use deepwell_core::base::GameTime;
use sqlx::{Connection as _, SqliteConnection};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// File name suffix of a copy that is to replace the database.
const READY: &str = ".restore-ready";

/// Replaces a stopped server's database with a copy. The previous database is moved aside with its log, which SQLite
/// would otherwise replay into the copy. Returns the new path of the previous database, or `None` if there was no
/// database.
///
/// # Errors
/// [`StoreError`]; the previous database is unchanged unless the copy is sound.
pub async fn restore(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StoreError> {
    fitness(copy).await?;
    // Complete a pending restore first: `copy` may be the database that it moves aside.
    finish(database)?;
    prepare(copy, database).await?;
    finish(database)
}

/// Checks that a copy can be restored.
///
/// # Errors
/// [`StoreError`] with the reason.
pub(crate) async fn fitness(copy: &Path) -> Result<(), StoreError> {
    let unfit = |reason: String| StoreError::UnfitCopy { path: copy.to_owned(), reason };
    match backup::check(copy).await {
        Ok(mistakes) => mistakes.into_iter().next().map_or(Ok(()), |mistake| Err(unfit(mistake))),
        Err(StoreError::NotOurs { reason, .. } | StoreError::Damaged(reason)) => Err(unfit(reason)),
        Err(StoreError::Empty(_)) => Err(unfit("it is empty".into())),
        Err(error) => Err(error),
    }
}

/// Returns the path to which the next restore moves the database; `None` if there is no database.
///
/// # Errors
/// [`StoreError::File`] if there are too many copies beside it.
pub(crate) fn next_aside(database: &Path) -> Result<Option<PathBuf>, StoreError> {
    let is_there = |suffix| beside(database, suffix).symlink_metadata().is_ok();
    (is_there("") || is_there("-wal")).then(|| free_name(database, BEFORE_RESTORE)).transpose()
}

/// Result of a restore to a moment, or what it would be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RestoreResult {
    /// New path of the previous database.
    pub(crate) aside: Option<PathBuf>,
    /// Number of batches that were applied to the copy.
    pub(crate) applied: u64,
    /// World time of the last applied batch.
    pub(crate) until: Option<GameTime>,
    /// Set if the log of a cluster has later batches, so that the world is no longer part of the cluster.
    pub(crate) leaves_out: bool,
    /// Files of the log with an incomplete last batch, which was left out, and its length.
    pub(crate) torn: Vec<(PathBuf, u64)>,
}

/// Does the same as [`restore`], and applies the logged batches after the copy up to a moment.
///
/// # Errors
/// [`NotReplayed`]; the previous database is unchanged unless all batches are there and the result is sound.
pub(crate) async fn restore_to(
    copy: &Path,
    database: &Path,
    log: &Path,
    until: GameTime,
) -> Result<RestoreResult, NotReplayed> {
    restore_with(copy, database, async |store| replay(store, log, until).await).await
}

/// Returns what [`restore_to`] would apply to a sound copy.
///
/// # Errors
/// Those of [`restore_to`].
pub(crate) async fn replayable(
    copy: &Path,
    log: &Path,
    until: GameTime,
) -> Result<RestoreResult, NotReplayed> {
    require_present_schema(copy).await?;
    let mut db = backup::open_to_read(copy).await?;
    let place = place_in(&mut db).await;
    db.close().await.map_err(StoreError::from)?;
    let chain = chain(log, place?, until)?;
    let applied = chain.len();
    Ok(RestoreResult { applied, until: chain.until, torn: chain.torn, ..RestoreResult::default() })
}

/// Refuses a copy to which no batches can be applied because it must be upgraded first.
async fn require_present_schema(copy: &Path) -> Result<(), NotReplayed> {
    match upgrade_of(copy).await? {
        Some(upgrade) => Err(NotReplayed::Older(upgrade.to_string())),
        None => Ok(()),
    }
}

/// Refuses a copy that is newer than a moment.
#[cfg(feature = "cluster")]
pub(crate) async fn require_not_after(copy: &Path, until: GameTime) -> Result<(), NotReplayed> {
    let mut db = backup::open_to_read(copy).await?;
    let place = place_in(&mut db).await;
    db.close().await.map_err(StoreError::from)?;
    let (_, at) = place?;
    if at > until { Err(NotReplayed::TooNew(at)) } else { Ok(()) }
}

/// Does the same as [`restore`], and changes the copy before it replaces the database.
///
/// # Errors
/// Those of `apply`, and [`NotReplayed`]; the previous database is unchanged unless the result is sound.
pub(crate) async fn restore_with(
    copy: &Path,
    database: &Path,
    apply: impl AsyncFnOnce(&mut Store) -> Result<RestoreResult, NotReplayed>,
) -> Result<RestoreResult, NotReplayed> {
    fitness(copy).await?;
    require_present_schema(copy).await?;
    finish(database)?;
    let part = write_part(copy, database).await?;
    let mut store = Store::open(&part).await?;
    // The copy is synced as a whole, when it is complete.
    let unsynced = sqlx::raw_sql("pragma synchronous = off").execute(&mut store.connection).await;
    unsynced.map_err(StoreError::from)?;
    let replayed = apply(&mut store).await;
    store.close().await?;
    let mut replayed = replayed?;
    fitness(&part).await?;
    publish_part(&part, database)?;
    replayed.aside = finish(database)?;
    Ok(replayed)
}

/// Reads the place and the time of the last batch in a copy.
async fn place_in(db: &mut SqliteConnection) -> Result<(BatchPlace, GameTime), StoreError> {
    let time: i64 = sqlx::query_scalar("select time from lease").fetch_one(&mut *db).await?;
    Ok((BatchPlace::read(db).await?, GameTime(time)))
}

/// Applies the batches of a log to a copy.
async fn replay(store: &mut Store, log: &Path, until: GameTime) -> Result<RestoreResult, NotReplayed> {
    let chain = chain(log, place_in(&mut store.connection).await?, until)?;
    let mut replayed = RestoreResult { torn: chain.torn, ..RestoreResult::default() };
    for (path, writer, numbers) in chain.stretches {
        let failed = |source| NotReplayed::File { path: path.clone(), source };
        let mut reader = SegmentReader::open(&path).map_err(failed)?;
        reader.skip_header().map_err(failed)?;
        while let NextFrame::Frame(record) = reader.record().map_err(failed)? {
            if numbers.contains(&record.sequence) {
                store.write(&record.batch, Some((record.sequence, writer))).await?;
                replayed.applied += 1;
                replayed.until = Some(record.at);
            }
        }
    }
    Ok(replayed)
}

/// Writes the copy to disk and gives it the name [`READY`]. The source may have a log: a database moved aside by a
/// restore does.
async fn prepare(copy: &Path, database: &Path) -> Result<(), StoreError> {
    let part = write_part(copy, database).await?;
    publish_part(&part, database)
}

/// Writes the copy to disk, beside the database.
async fn write_part(copy: &Path, database: &Path) -> Result<PathBuf, StoreError> {
    let failed = |error| file_error(database, error);
    let part = beside(database, ".restore-part");
    ["", "-wal", "-shm", "-journal"]
        .iter()
        .try_for_each(|suffix| remove(&beside(&part, suffix)))
        .map_err(failed)?;
    let mut connection = backup::open_to_read(copy).await?;
    let written = backup::write_copy(&mut connection, &part).await;
    connection.close().await?;
    written?;
    Ok(part)
}

/// Syncs a copy beside the database and gives it the name [`READY`].
fn publish_part(part: &Path, database: &Path) -> Result<(), StoreError> {
    let publish = || {
        File::open(part)?.sync_all()?;
        fs::rename(part, beside(database, READY))?;
        sync_folder_of(database)
    };
    publish().map_err(|error| file_error(database, error))
}

/// Returns `true` if a restore was committed but not completed.
pub(super) fn is_pending(database: &Path) -> bool {
    beside(database, READY).symlink_metadata().is_ok()
}

/// Completes a committed restore. Idempotent: any of its steps may have run before. Returns the new path of the
/// previous database, if there was one.
///
/// # Errors
/// [`StoreError::File`]; the restore is still pending.
pub(super) fn finish(database: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !is_pending(database) {
        return Ok(None);
    }
    let failed = |error| file_error(database, error);
    let aside = move_aside(database)?;
    fs::rename(beside(database, READY), database).and_then(|()| sync_folder_of(database)).map_err(failed)?;
    Ok(aside)
}

/// Gives the database a second name, then moves its log. The database keeps its own name until the copy replaces it, so
/// the path is never missing.
fn move_aside(database: &Path) -> Result<Option<PathBuf>, StoreError> {
    let failed = |error| file_error(database, error);
    let log = beside(database, "-wal");
    let (there, log_there) = (database.symlink_metadata().is_ok(), log.symlink_metadata().is_ok());
    if !there && !log_there {
        return Ok(None);
    }
    let named_before = if there { second_name(database).map_err(failed)? } else { None };
    let aside = if let Some(aside) = named_before {
        aside
    } else {
        let aside = free_name(database, BEFORE_RESTORE)?;
        if there {
            fs::hard_link(database, &aside).map_err(failed)?;
        }
        aside
    };
    // A log is useless without its database: the database's second name must be durable before the log's.
    sync_folder_of(database).map_err(failed)?;
    for suffix in ["-wal", "-shm"] {
        move_if_there(&beside(database, suffix), &beside(&aside, suffix)).map_err(failed)?;
    }
    sync_folder_of(database).map_err(failed)?;
    Ok(Some(aside))
}

/// Returns the second name that an interrupted restore has given to the present database.
fn second_name(database: &Path) -> io::Result<Option<PathBuf>> {
    let own = fs::metadata(database)?;
    let start = beside(database, BEFORE_RESTORE);
    for entry in fs::read_dir(folder_of(database))? {
        let path = entry?.path();
        let is_aside = path.to_string_lossy().starts_with(&*start.to_string_lossy());
        let same =
            || fs::metadata(&path).is_ok_and(|file| (file.dev(), file.ino()) == (own.dev(), own.ino()));
        if is_aside && same() {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
