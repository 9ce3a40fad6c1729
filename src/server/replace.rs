//! Files that are replaced as a whole: whoever looks at any moment, a kill included, sees the one or the other.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Puts a file with these permissions in the place of another, and makes it durable.
pub(super) fn replace_file(path: &Path, mode: u32, bytes: &[u8]) -> io::Result<()> {
    let mut next = path.as_os_str().to_owned();
    next.push(".next");
    let next = Path::new(&next);
    // One that a kill has left behind, or a link that would be followed.
    remove_if_there(next)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(next)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(next, path)?;
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Removes a file that may not be there.
pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    fs::remove_file(path).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })
}
