//! Unix sockets of the state folder, which only the server's user may open.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

/// The socket file; removed on drop.
#[derive(Debug)]
pub(in crate::server) struct SocketFile {
    path: PathBuf,
}

impl SocketFile {
    /// Opens the socket with access for the server's user only. Replaces a stale file; the caller must hold the lock of
    /// the state folder.
    pub(in crate::server) fn open(path: &Path) -> io::Result<(Self, UnixListener)> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(path)?;
        std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
        Ok((Self { path: path.to_owned() }, listener))
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // If this fails, the next server replaces the file.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn stale_socket_is_replaced_with_mode_0600() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("control.sock");
        std::fs::write(&path, "stale").unwrap();
        let (socket, _listener) = SocketFile::open(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        drop(socket);
        assert!(!path.exists());
    }
}
