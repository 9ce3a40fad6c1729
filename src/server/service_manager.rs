//! Notices to a service manager such as systemd: datagrams to the socket named by `NOTIFY_SOCKET`. Without that variable
//! nothing is sent.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use rustix::time::{ClockId, clock_gettime};

/// Variable with the address of the socket.
const SOCKET: &str = "NOTIFY_SOCKET";

/// Reports that clients can connect, or that a reload or a restart is complete.
pub(super) fn ready() {
    report("READY=1\n");
}

/// Reports that the process stops.
pub(super) fn stopping() {
    report("STOPPING=1\n");
}

/// Reports that the process reloads, or starts again under the same process id, and will report to be ready.
pub(super) fn reloading() {
    let now = clock_gettime(ClockId::Monotonic);
    report(&format!("RELOADING=1\nMONOTONIC_USEC={}\n", now.tv_sec * 1_000_000 + now.tv_nsec / 1_000));
}

/// A reload in progress; its end is reported on drop.
pub(super) struct Reload(());

impl Reload {
    /// Reports the begin.
    pub(super) fn begin() -> Self {
        reloading();
        Self(())
    }
}

impl Drop for Reload {
    fn drop(&mut self) {
        ready();
    }
}

fn report(state: &str) {
    let Some(socket) = env::var_os(SOCKET).filter(|socket| !socket.is_empty()) else { return };
    if let Err(error) = send(&socket, state) {
        tracing::warn!(socket = %socket.display(), %error, "cannot report to the service manager");
    }
}

/// Sends a datagram to a path, or to an abstract address, which begins with `@`.
fn send(socket: &OsStr, state: &str) -> io::Result<()> {
    let address = match socket.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address)?;
    Ok(())
}
