//! Atomic file replacement: readers see the old or the new file, even after a kill.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Replaces a file atomically and durably; the new one has the permissions `mode`.
pub(in crate::server) fn replace_file(path: &Path, mode: u32, bytes: &[u8]) -> io::Result<()> {
    let mut next = path.as_os_str().to_owned();
    next.push(".next");
    let next = Path::new(&next);
    // Left by a killed server, or a link that must not be followed.
    remove_if_there(next)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(next)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(next, path)?;
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Removes a file; a missing file is not an error.
pub(in crate::server) fn remove_if_there(path: &Path) -> io::Result<()> {
    fs::remove_file(path).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })
}
