//! Files in the state folder that the operator may edit while the server runs. A file is replaced atomically, and only
//! if its content is a version that the world knows.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tokio::task::JoinError;

use crate::base::Digest;
use crate::server::replace::replace_file;

/// Reason why a file is not written or read.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error("{} cannot be written: {source}.", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("{} cannot be read: {source}.", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(
        "{} has been changed by somebody else, and is left as it is: zone diff tells how, zone import takes it over, or \
         move it away.",
        .0.display()
    )]
    Changed(PathBuf),
    #[error("{} is too long: limits.zone_file_bytes is {bytes_max}.", .path.display())]
    TooLong { path: PathBuf, bytes_max: u64 },
    #[error("{} is a link, and no links are followed there: put a folder or a file in its place.", .0.display())]
    Link(PathBuf),
    #[error("The server has too many files to write and to read: try again in a moment.")]
    Busy,
    #[error("the file could not be worked on: {0}")]
    Ended(#[from] JoinError),
}

/// Returns the path of a file below the state folder. Fails if a part of the path is a symbolic link.
pub(super) fn place(state: &Path, below: &Path) -> Result<PathBuf, FileError> {
    let mut path = state.to_owned();
    for part in below {
        path.push(part);
        if path.is_symlink() {
            return Err(FileError::Link(path));
        }
    }
    Ok(path)
}

/// Writes a file if it is missing or its present digest is one of `known`.
pub(super) fn write(path: &Path, text: &str, known: &[String], bytes_max: u64) -> Result<(), FileError> {
    match read(path, bytes_max) {
        Ok(there) if known.contains(&Digest::of_text(&there).to_string()) => {}
        Err(FileError::Unreadable { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
        Err(FileError::Unreadable { path, source }) if source.kind() != io::ErrorKind::InvalidData => {
            return Err(FileError::Unwritable { path, source });
        }
        _ => return Err(FileError::Changed(path.to_owned())),
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    let written = made.and_then(|()| replace_file(path, 0o600, text.as_bytes()));
    written.map_err(|source| FileError::Unwritable { path: path.to_owned(), source })
}

pub(super) fn read(path: &Path, bytes_max: u64) -> Result<String, FileError> {
    let failed = |source: io::Error| FileError::Unreadable { path: path.to_owned(), source };
    let mut text = String::new();
    let file = open_file(path).map_err(failed)?;
    let bytes = file.take(bytes_max + 1).read_to_string(&mut text).map_err(failed)?;
    if bytes as u64 > bytes_max {
        return Err(FileError::TooLong { path: path.to_owned(), bytes_max });
    }
    Ok(text)
}

/// Opens a regular file. Does not follow symbolic links, and does not block on a pipe.
fn open_file(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no file")) }
}
