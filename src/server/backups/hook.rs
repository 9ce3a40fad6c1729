//! The operator's program that runs after each backup. It is started directly, not by a shell.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::server::files::child::{self, ProgramFailed};

/// Runs the program and waits for its end.
pub(super) async fn run(
    program: &Path,
    file: &Path,
    error: Option<&str>,
    patience: Duration,
) -> Result<(), ProgramFailed> {
    // A name without a slash would be searched for in PATH.
    let mut command = Command::new(std::path::absolute(program)?);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.env("BACKUP_FILE", file).env("BACKUP_OUTCOME", if error.is_some() { "failed" } else { "made" });
    command.env("BACKUP_ERROR", error.unwrap_or_default());
    child::run(command, patience).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::files::child::LOOK;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use tokio::time::{Instant, sleep};

    fn script(folder: &Path, text: &str) -> PathBuf {
        let path = folder.join("hook");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        path
    }

    #[tokio::test]
    async fn program_gets_file_and_outcome_and_its_failure_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("told");
        let text = format!("echo \"$BACKUP_FILE $BACKUP_OUTCOME $BACKUP_ERROR $#\" > {}", record.display());
        let minute = Duration::from_mins(1);
        let program = script(folder.path(), &text);
        let file = Path::new("/b/a b.db");
        run(&program, file, None, minute).await.unwrap();
        assert_eq!(fs::read_to_string(&record).unwrap(), "/b/a b.db made  0\n");
        run(&program, file, Some("no room"), minute).await.unwrap();
        assert_eq!(fs::read_to_string(&record).unwrap(), "/b/a b.db failed no room 0\n");

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
        assert!(matches!(failed, ProgramFailed::TimedOut(_)), "{failed}");
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
