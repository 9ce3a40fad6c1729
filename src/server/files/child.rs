//! Programs that the server runs: each in its own process group, and killed with its children when it takes too long.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::time::{Instant, sleep};

/// Time between two looks whether the program has ended.
pub(in crate::server) const LOOK: Duration = Duration::from_millis(50);

/// Reason why a program did not succeed.
#[derive(Debug, thiserror::Error)]
pub(in crate::server) enum ProgramFailed {
    /// It cannot be started.
    #[error("it cannot be run: {0}")]
    NotRun(#[from] io::Error),
    /// It ended with another exit code than 0, or by a signal.
    #[error("it ended with {0}")]
    Status(ExitStatus),
    /// It took too long.
    #[error("it was killed after {} s", .0.as_secs())]
    TimedOut(Duration),
}

/// Runs a program without input and waits for its end.
pub(in crate::server) async fn run(mut command: Command, patience: Duration) -> Result<(), ProgramFailed> {
    let mut child = command.stdin(Stdio::null()).process_group(0).spawn()?;
    // Closes its copies of pipes.
    drop(command);
    let deadline = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return if status.success() { Ok(()) } else { Err(ProgramFailed::Status(status)) };
        }
        if Instant::now() >= deadline {
            kill(&mut child)?;
            return Err(ProgramFailed::TimedOut(patience));
        }
        sleep(LOOK).await;
    }
}

/// Kills the program with its children.
fn kill(child: &mut Child) -> io::Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        kill_process_group(group, Signal::KILL)?;
    }
    child.wait().map(|_| ())
}
