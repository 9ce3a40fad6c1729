//! Lock that allows one server per state folder. The kernel releases it when the process ends for any reason.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use rustix::fs::OFlags;

/// Held while the server runs.
#[derive(Debug)]
pub struct ServerLock {
    _file: File,
}

impl ServerLock {
    /// Creates the parent folder of `path` if it is missing, and locks `path`. Fails if another process holds the lock.
    pub fn take(path: &Path) -> anyhow::Result<Self> {
        if let Some(folder) = path.parent() {
            make(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            // The process id is written to this file, so do not follow a symbolic link.
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(path)
            .with_context(|| cannot_open(path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("another server is running on this folder: it holds {}; stop it first", path.display())
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
        // For information only; no program reads it.
        let written = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        written
            .with_context(|| format!("cannot write {}; check for free space on the disk", path.display()))?;
        Ok(Self { _file: file })
    }
}

/// Describes why the lock cannot be opened: wrong owner of its folder, or a link in its place.
fn cannot_open(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new("."));
    let user = rustix::process::geteuid().as_raw();
    match fs::metadata(folder) {
        Ok(owned) if user != 0 && owned.uid() != user => format!(
            "cannot open the lock {}: its folder belongs to user {}, and the server runs as user {user}. Give it the \
             folder (chown -R {user} {}), or run the server as user {}",
            path.display(),
            owned.uid(),
            folder.display(),
            owned.uid()
        ),
        _ => format!("cannot open the lock {}, which must be a file and not a link", path.display()),
    }
}

/// Creates a folder and its parents durably, by syncing each parent. An existing folder is synced as well: a start that
/// created it may have been killed before its sync.
fn make(folder: &Path) -> io::Result<()> {
    let Some(above) = folder.parent() else { return Ok(()) };
    let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
    let sync = || File::open(above)?.sync_all();
    if folder.is_dir() {
        // The parent folder may not be readable for this user.
        let _ = sync();
        return Ok(());
    }
    make(above)?;
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    sync()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o2_second_server_is_refused_until_first_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("var/lock");
        let first = ServerLock::take(&path).unwrap();
        let refusal = ServerLock::take(&path).unwrap_err().to_string();
        assert!(refusal.starts_with("another server is running on this folder"), "{refusal}");
        drop(first);
        ServerLock::take(&path).unwrap();
    }

    #[test]
    fn symlinked_lock_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("lock"), folder.path().join("victim"));
        fs::write(&victim, "mine").unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        let refusal = ServerLock::take(&path).unwrap_err().to_string();
        assert!(refusal.contains("must be a file and not a link"), "{refusal}");
        assert_eq!(fs::read(&victim).unwrap(), b"mine");
    }
}
