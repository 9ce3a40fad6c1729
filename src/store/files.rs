//! Database files: names, creation, moving and removal. A kill at any moment leaves no file that the next start would
//! misinterpret.

use crate::store::StoreError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Suffix of a database that a restore has moved aside.
pub(super) const BEFORE_RESTORE: &str = ".before-restore";
/// Suffix of a copy made before an upgrade; the schema number follows.
pub(super) const BEFORE_UPGRADE: &str = ".schema-";
/// Number of bytes that are read at once: a page of the database.
const READ_BYTES: usize = 4_096;

/// Returns the path of a companion file of the database, such as its log.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Syncs the folder of a file, which makes created, renamed and removed names durable.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

pub(super) fn file_error(path: &Path, source: io::Error) -> StoreError {
    StoreError::File { path: path.to_owned(), source }
}

/// Returns the error of the disk if it cannot read the whole file or its log, and otherwise the error that was found: SQLite
/// reports a page that the disk cannot read as damaged.
pub(super) fn blame_disk(path: &Path, found: StoreError) -> StoreError {
    if !found.tells_of_damage() {
        return found;
    }
    match read_whole(path).and_then(|()| read_whole(&beside(path, "-wal")).or_else(only_if_there)) {
        Ok(()) => found,
        Err(source) => file_error(path, source),
    }
}

/// Reads a file to its end, in the way in which SQLite reads it.
fn read_whole(path: &Path) -> io::Result<()> {
    let (file, mut part, mut at) = (File::open(path)?, vec![0; READ_BYTES], 0);
    loop {
        match file.read_at(&mut part, at)? {
            0 => return Ok(()),
            read => at += read as u64,
        }
    }
}

/// Creates an empty file that only its owner can read. Fails if the path exists, even as a link.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Removes a file if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path).or_else(only_if_there)
}

/// Moves a file if it exists.
pub(super) fn move_if_there(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to).or_else(only_if_there)
}

fn only_if_there(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Suffix of an unfinished copy; a number follows.
const PART: &str = ".deepwell-part";

/// An unfinished copy. It stays locked while it is being written; an unlocked one was left behind by a killed process.
pub(super) struct UnfinishedCopy {
    pub(super) path: PathBuf,
    _lock: File,
}

impl UnfinishedCopy {
    /// Creates an empty file beside the future copy, and removes unfinished copies of killed processes there.
    pub(super) fn create(copy: &Path) -> Result<Self, StoreError> {
        remove_left_parts(&folder_of(copy));
        loop {
            let path = free_name(copy, PART)?;
            let failed = |error| file_error(&path, error);
            let lock = create_private(&path).map_err(failed)?;
            lock.try_lock().map_err(|error| failed(error.into()))?;
            // Before the lock was taken, another process may have removed the file as a leftover.
            let own = lock.metadata().map_err(failed)?.ino();
            if path.symlink_metadata().is_ok_and(|found| found.ino() == own) {
                return Ok(Self { path, _lock: lock });
            }
        }
    }
}

/// Removes unfinished copies of killed processes with their journals; errors are ignored. Only files that
/// [`UnfinishedCopy::create`] could have made are removed: private, with such a name, and either empty or a database.
pub(super) fn remove_left_parts(folder: &Path) {
    for path in fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.rsplit_once(PART).and_then(|(_, rest)| rest.strip_prefix('-'));
        if number.is_some_and(|n| n.parse::<u32>().is_ok()) && is_left_part(&path).unwrap_or(false) {
            // First, so that no copy of the same name is ever rolled back by it.
            let _ = remove(&beside(&path, "-journal"));
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
    // All zero bytes: SQLite may write the first page last.
    let is_ours = head.iter().all(|byte| *byte == 0) || head == HEAD;
    Ok(is_ours && file.try_lock().is_ok())
}

/// Maximum number of copies of one kind beside a database.
const MOST_ASIDE: u32 = 1_000;

/// Removes a copy if an earlier one of the same kind has the same bytes.
pub(super) fn remove_duplicate_copy(database: &Path, suffix: &str, copy: &Path) -> io::Result<()> {
    let others = (1..=MOST_ASIDE).map(|n| beside(database, &format!("{suffix}-{n}")));
    for other in others.take_while(|other| other != copy) {
        if are_same(&other, copy)? {
            fs::remove_file(copy)?;
            return sync_folder_of(copy);
        }
    }
    Ok(())
}

/// Returns `true` if both files have the same bytes; `false` if `one` is missing.
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

/// Returns a path beside the database that no file uses, and no `-wal` or `-shm` file of such a path.
pub(super) fn free_name(database: &Path, suffix: &str) -> Result<PathBuf, StoreError> {
    let mut names = (1..=MOST_ASIDE).map(|n| beside(database, &format!("{suffix}-{n}")));
    let is_free = |name: &PathBuf| {
        ["", "-wal", "-shm"].iter().all(|suffix| beside(name, suffix).symlink_metadata().is_err())
    };
    let full = || file_error(database, io::Error::other("there are too many copies beside it; remove some"));
    names.find(is_free).ok_or_else(full)
}

/// Returns `true` if the database does not exist and may be created. An empty file, or remains of a database, point to
/// lost data and are errors.
pub(super) fn is_missing(path: &Path) -> Result<bool, StoreError> {
    match fs::metadata(path) {
        Ok(file) if file.len() == 0 => Err(StoreError::Empty(path.to_owned())),
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match find_remains(path)? {
            Some(remains) => Err(StoreError::Remains { path: path.to_owned(), remains }),
            None => Ok(true),
        },
        Err(source) => Err(file_error(path, source)),
    }
}

/// Finds a file that proves that a database existed here: a log with content, or a copy moved aside.
fn find_remains(path: &Path) -> Result<Option<PathBuf>, StoreError> {
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

/// Bytes that must fit beside the database for it to count as writable; larger than almost every batch.
const ROOM_BYTES: usize = 1 << 20;

/// Writes a file of [`ROOM_BYTES`] and removes it.
pub(super) fn probe_disk_space(path: &Path) -> io::Result<()> {
    // Remove a file left by a killed process, or a link placed by another user.
    remove(path)?;
    let written = create_private(path).and_then(|mut file| {
        file.write_all(&vec![0; ROOM_BYTES])?;
        file.sync_all()
    });
    // Also remove an incomplete file, or it would use up the space.
    written.and(fs::remove_file(path))
}
