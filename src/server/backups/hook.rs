//! The operator's program that runs after each backup. It is started directly, not by a shell, and killed with its
//! children when it takes too long.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::time::{Instant, sleep};

/// Time between two looks whether the program has ended.
const LOOK: Duration = Duration::from_millis(50);

/// Reason why the program failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum HookFailed {
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

/// Runs the program and waits for its end.
pub(super) async fn run(
    program: &Path,
    file: &Path,
    error: Option<&str>,
    patience: Duration,
) -> Result<(), HookFailed> {
    // A name without a slash would be searched for in PATH.
    let mut command = Command::new(std::path::absolute(program)?);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command.env("BACKUP_FILE", file).env("BACKUP_OUTCOME", if error.is_some() { "failed" } else { "made" });
    command.env("BACKUP_ERROR", error.unwrap_or_default());
    let mut child = command.spawn()?;
    let deadline = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return if status.success() { Ok(()) } else { Err(HookFailed::Status(status)) };
        }
        if Instant::now() >= deadline {
            kill(&mut child)?;
            return Err(HookFailed::TimedOut(patience));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    fn script(folder: &Path, text: &str) -> PathBuf {
        let path = folder.join("hook");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        path
    }

    #[tokio::test]
    async fn program_gets_file_and_outcome_and_its_failure_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let told = folder.path().join("told");
        let text = format!("echo \"$BACKUP_FILE $BACKUP_OUTCOME $BACKUP_ERROR $#\" > {}", told.display());
        let minute = Duration::from_mins(1);
        let program = script(folder.path(), &text);
        let file = Path::new("/b/a b.db");
        run(&program, file, None, minute).await.unwrap();
        assert_eq!(fs::read_to_string(&told).unwrap(), "/b/a b.db made  0\n");
        run(&program, file, Some("no room"), minute).await.unwrap();
        assert_eq!(fs::read_to_string(&told).unwrap(), "/b/a b.db failed no room 0\n");

        let program = script(folder.path(), "exit 3");
        let failed = run(&program, file, None, minute).await.unwrap_err().to_string();
        assert_eq!(failed, "it ended with exit status: 3");
        let failed = run(&folder.path().join("none"), file, None, minute).await.unwrap_err().to_string();
        assert!(failed.starts_with("it cannot be run: "), "{failed}");
    }

    #[tokio::test]
    async fn program_that_takes_too_long_is_killed_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let child = folder.path().join("child");
        let program = script(folder.path(), &format!("sleep 1000 & echo $! > {}; wait", child.display()));
        let failed = run(&program, Path::new("/b"), None, Duration::from_secs(1)).await.unwrap_err();
        assert!(matches!(failed, HookFailed::TimedOut(_)), "{failed}");
        let child = fs::read_to_string(&child).unwrap();
        let stat = || fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        let is_running = || !stat().is_empty() && !stat().contains(") Z ");
        let deadline = Instant::now() + Duration::from_mins(1);
        while is_running() {
            assert!(Instant::now() < deadline, "its child runs on");
            sleep(LOOK).await;
        }
    }
}
