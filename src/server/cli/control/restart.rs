//! Wait for a host that starts again: a restart is answered before it begins, and the operator wants to know that the
//! world is back.

use super::{ask, ask_over};
use crate::server::cli::CliFailure;
use crate::server::control::protocol::ControlCommand;
use serde_json::Value;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Maximum time for the old process to write its last changes and end.
const END: Duration = Duration::from_mins(1);
/// Maximum time for the new process to load the world; an upgrade of the database takes longest.
const LOAD: Duration = Duration::from_mins(15);
/// Maximum time without a process before it counts as failed: a supervisor starts another one sooner.
const GONE: Duration = Duration::from_secs(15);
/// Time between two tries to reach the new process.
const LOOK: Duration = Duration::from_millis(100);

/// Requests a restart, and returns its result when the new process answers.
pub(super) fn restart(socket: &Path, stream: UnixStream) -> Result<Value, CliFailure> {
    let failed = |error| CliFailure::Io(socket.display().to_string(), error);
    let process = process_of(socket);
    let mut held = stream.try_clone().map_err(failed)?;
    let result = ask_over(socket, stream, &ControlCommand::Restart)?;
    // The connection ends with the old process.
    held.set_read_timeout(Some(END)).map_err(failed)?;
    match held.read(&mut [0]) {
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
            let message = format!("the host has not ended within {} s; its log tells why", END.as_secs());
            return Err(CliFailure::Unanswered(message));
        }
        _ => {}
    }
    wait_for(socket, process)?;
    Ok(result)
}

/// Waits until a host answers.
#[expect(clippy::disallowed_methods, reason = "a command of the operator waits for another process")]
fn wait_for(socket: &Path, process: Option<u64>) -> Result<(), CliFailure> {
    let (deadline, mut seen) = (Instant::now() + LOAD, Instant::now());
    while Instant::now() < deadline {
        if ask(socket, &ControlCommand::Status).is_ok() {
            return Ok(());
        }
        if process.is_none_or(|process| Path::new(&format!("/proc/{process}")).exists()) {
            seen = Instant::now();
        } else if seen.elapsed() > GONE {
            return Err(CliFailure::NotBack);
        }
        thread::sleep(LOOK);
    }
    let message = format!("the host has not loaded the world within {} s; its log tells why", LOAD.as_secs());
    Err(CliFailure::Unanswered(message))
}

/// Returns the process id of the host at a socket, if its ready file tells it.
fn process_of(socket: &Path) -> Option<u64> {
    let ready = fs::read_to_string(socket.with_file_name("ready.json")).ok()?;
    serde_json::from_str::<Value>(&ready).ok()?.get("pid")?.as_u64()
}
