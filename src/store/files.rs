//! The files of a database: their names, and how they are made, moved and removed, so that a kill at any moment leaves
//! nothing behind that the next start takes for something else.

use crate::store::StoreError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// What a restore has put aside is named so, behind the database's own name.
pub(super) const BEFORE_RESTORE: &str = ".before-restore";
/// The start of the name of a copy made before an upgrade; the schema follows.
pub(super) const BEFORE_UPGRADE: &str = ".schema-";

/// The name of a file that belongs to the database, such as its log.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Makes names durable that were given or taken in a file's folder.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

pub(super) fn file_error(path: &Path, source: io::Error) -> StoreError {
    StoreError::File { path: path.to_owned(), source }
}

/// Makes an empty file that nobody else may read, where nothing was, not even a link.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Removes a file that may not be there.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path).or_else(only_if_there)
}

/// Moves a file that may not be there.
pub(super) fn move_if_there(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to).or_else(only_if_there)
}

fn only_if_there(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// The end of the name of a copy that is being written; a number follows.
const PART: &str = ".deepwell-part";

/// A copy that is being written, locked for as long as that goes on: what a kill leaves behind is known by it.
pub(super) struct Part {
    pub(super) path: PathBuf,
    _lock: File,
}

impl Part {
    /// Makes an empty one beside the copy that it is to become, and removes what killed ones have left there.
    pub(super) fn create(copy: &Path) -> Result<Self, StoreError> {
        remove_left_parts(&folder_of(copy));
        loop {
            let path = free_name(copy, PART)?;
            let failed = |error| file_error(&path, error);
            let lock = create_private(&path).map_err(failed)?;
            lock.try_lock().map_err(|error| failed(error.into()))?;
            // Before it was locked, another that cleans up may have taken it for left behind.
            let own = lock.metadata().map_err(failed)?.ino();
            if path.symlink_metadata().is_ok_and(|found| found.ino() == own) {
                return Ok(Self { path, _lock: lock });
            }
        }
    }
}

/// Removes parts of copies that nobody writes any more, as far as that can be done. Only what was made as [`Part::create`]
/// makes it: a private file of this name that holds a database, or nothing yet.
pub(super) fn remove_left_parts(folder: &Path) {
    for path in fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.rsplit_once(PART).and_then(|(_, rest)| rest.strip_prefix('-'));
        if number.is_some_and(|n| n.parse::<u32>().is_ok()) && is_left_part(&path).unwrap_or(false) {
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_left_part(path: &Path) -> io::Result<bool> {
    const HEAD: &[u8; 16] = b"SQLite format 3\0";
    let found = path.symlink_metadata()?;
    if !found.is_file() || found.permissions().mode() & 0o777 != 0o600 {
        return Ok(false);
    }
    let (mut head, mut file) = (Vec::new(), File::open(path)?);
    Read::by_ref(&mut file).take(HEAD.len() as u64).read_to_end(&mut head)?;
    // The first page may be the last to be written.
    let is_ours = head.iter().all(|byte| *byte == 0) || head == HEAD;
    Ok(is_ours && file.try_lock().is_ok())
}

/// How many copies of one kind may lie beside a database.
const MOST_ASIDE: u32 = 1_000;

/// Removes a copy if another of the same kind holds the same bytes.
pub(super) fn keep_first(database: &Path, suffix: &str, copy: &Path) -> io::Result<()> {
    let others = (1..=MOST_ASIDE).map(|n| beside(database, &format!("{suffix}-{n}")));
    for other in others.take_while(|other| other != copy) {
        if are_same(&other, copy)? {
            fs::remove_file(copy)?;
            return sync_folder_of(copy);
        }
    }
    Ok(())
}

/// Whether two files hold the same bytes. One that is not there holds none.
fn are_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (Ok(one), other) = (File::open(one), File::open(other)?) else { return Ok(false) };
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (some, more) = (one.fill_buf()?, other.fill_buf()?);
        let count = some.len().min(more.len());
        if some[..count] != more[..count] {
            return Ok(false);
        }
        if count == 0 {
            return Ok(some.len() == more.len());
        }
        one.consume(count);
        other.consume(count);
    }
}

/// A name beside a database that neither a file has, nor a log of such a file.
pub(super) fn free_name(database: &Path, suffix: &str) -> Result<PathBuf, StoreError> {
    let mut names = (1..=MOST_ASIDE).map(|n| beside(database, &format!("{suffix}-{n}")));
    let is_free = |name: &PathBuf| {
        ["", "-wal", "-shm"].iter().all(|suffix| beside(name, suffix).symlink_metadata().is_err())
    };
    let full = || file_error(database, io::Error::other("too many copies lie beside it; remove some"));
    names.find(is_free).ok_or_else(full)
}

/// Whether there is no database yet, so that one may be made. An empty file is none, but somebody's loss, and so is
/// what is left of one: they are refused.
pub(super) fn is_missing(path: &Path) -> Result<bool, StoreError> {
    match fs::metadata(path) {
        Ok(file) if file.len() == 0 => Err(StoreError::Empty(path.to_owned())),
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match remains_of(path)? {
            Some(remains) => Err(StoreError::Remains { path: path.to_owned(), remains }),
            None => Ok(true),
        },
        Err(source) => Err(file_error(path, source)),
    }
}

/// A file that tells of a database that was here: a log with something in it, or a copy that was put aside.
fn remains_of(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let log = beside(path, "-wal");
    if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        return Ok(Some(log));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let aside = [BEFORE_RESTORE, BEFORE_UPGRADE].map(|suffix| format!("{name}{suffix}"));
    let listed = fs::read_dir(folder_of(path)).map_err(|error| file_error(path, error))?;
    let mut found: Vec<PathBuf> = listed
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            aside.iter().any(|start| name.starts_with(start))
        })
        .collect();
    found.sort();
    Ok(found.into_iter().next())
}

/// Bytes that must fit beside the database before it counts as writable: more than nearly every batch.
const ROOM_BYTES: usize = 1 << 20;

/// Writes a file of that size and removes it.
pub(super) fn try_room(path: &Path) -> io::Result<()> {
    // One that a kill has left behind, or a link that somebody has put there.
    remove(path)?;
    let written = create_private(path).and_then(|mut file| {
        file.write_all(&vec![0; ROOM_BYTES])?;
        file.sync_all()
    });
    // What did fit must not stay, or there would never be room.
    written.and(fs::remove_file(path))
}
