//! Putting a copy in the place of a stopped server's database. There is one moment at which it is decided: when the
//! copy is whole on the disk and has the name [`READY`]. Killed before it, nothing has happened; killed behind it, the
//! next restore or start carries out what is left.

use crate::store::files::{
    BEFORE_RESTORE, beside, file_error, folder_of, free_name, move_if_there, remove, sync_folder_of,
};
use crate::store::{StoreError, backup};
use sqlx::Connection as _;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A copy that is to take the place of the database.
const READY: &str = ".restore-ready";

/// Puts a copy in the place of a stopped server's database. What stood there is moved aside with its log, which would
/// else be replayed into the copy. Tells where it is now.
///
/// # Errors
/// [`StoreError`]; what stood there is untouched unless the copy is sound.
pub async fn restore(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StoreError> {
    let unfit = |reason: String| StoreError::UnfitCopy { path: copy.to_owned(), reason };
    match backup::check(copy).await {
        Ok(mistakes) => mistakes.into_iter().next().map_or(Ok(()), |mistake| Err(unfit(mistake)))?,
        Err(StoreError::NotOurs { reason, .. } | StoreError::Damaged(reason)) => return Err(unfit(reason)),
        Err(StoreError::Empty(_)) => return Err(unfit("it is empty".into())),
        Err(error) => return Err(error),
    }
    // One that was decided and not carried out comes first: the copy may be what it has put aside.
    finish(database)?;
    prepare(copy, database).await?;
    finish(database)
}

/// Brings the copy to the disk under the name by which it counts. A copy may have a log of its own: what a restore has
/// put aside has.
async fn prepare(copy: &Path, database: &Path) -> Result<(), StoreError> {
    let failed = |error| file_error(database, error);
    let part = beside(database, ".restore-part");
    remove(&part).map_err(failed)?;
    let mut connection = backup::open_to_read(copy).await?;
    let written = backup::write_copy(&mut connection, &part).await;
    connection.close().await?;
    written?;
    let publish = || {
        File::open(&part)?.sync_all()?;
        fs::rename(&part, beside(database, READY))?;
        sync_folder_of(database)
    };
    publish().map_err(failed)
}

/// Whether a restore was decided and has not been carried out.
pub(super) fn is_pending(database: &Path) -> bool {
    beside(database, READY).symlink_metadata().is_ok()
}

/// Carries out a restore that was decided. Every step of it may have been taken before. Tells where what stood there is
/// now.
///
/// # Errors
/// [`StoreError::File`]; it is still to be carried out.
pub(super) fn finish(database: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !is_pending(database) {
        return Ok(None);
    }
    let failed = |error| file_error(database, error);
    let aside = put_aside(database)?;
    fs::rename(beside(database, READY), database).and_then(|()| sync_folder_of(database)).map_err(failed)?;
    Ok(aside)
}

/// Gives what stands there a second name, and then its log. The database itself keeps its place until the copy takes it,
/// so that at no moment there is none.
fn put_aside(database: &Path) -> Result<Option<PathBuf>, StoreError> {
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
    // A log without its database is worth nothing: its new name must not be durable before the database's.
    sync_folder_of(database).map_err(failed)?;
    for suffix in ["-wal", "-shm"] {
        move_if_there(&beside(database, suffix), &beside(&aside, suffix)).map_err(failed)?;
    }
    sync_folder_of(database).map_err(failed)?;
    Ok(Some(aside))
}

/// The name that an interrupted restore has given to the database that still stands in its place.
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
