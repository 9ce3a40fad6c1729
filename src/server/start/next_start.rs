//! Check of the next start, before the running game ends for it: the program file that a restart would run reads
//! settings, content and database. A restart with a mistake would leave players without a game.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::process::Command;
use std::time::Duration;

use crate::server::config::in_force::ConfigOrigins;
use crate::server::files::child::{self, ProgramFailed};

/// Maximum time for the check; the database of a large world takes longest.
const CHECK: Duration = Duration::from_mins(2);
/// Maximum number of bytes of its output that are shown.
const OUTPUT_BYTES: u64 = 16_384;

/// Program and settings of the next start.
#[derive(Clone, Debug)]
pub(in crate::server) struct NextStart {
    program: OsString,
    origins: ConfigOrigins,
}

/// Reason why the next start would fail.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the next start would fail, so the game continues. {program} check: {why}{output}")]
pub(in crate::server) struct WouldFail {
    program: String,
    why: String,
    /// Lines of the check, each after a line break.
    output: String,
}

/// Returns the program file of this process, by the name of its start, so that an upgrade may replace the file or a link
/// to it.
pub(in crate::server) fn program() -> io::Result<OsString> {
    std::env::args_os().next().ok_or_else(|| io::Error::other("the command line has no program name"))
}

impl NextStart {
    /// Names program and settings; the program is that of this process.
    pub(in crate::server) fn new(origins: ConfigOrigins) -> io::Result<Self> {
        Ok(Self { program: program()?, origins })
    }

    /// Runs the check.
    ///
    /// # Errors
    /// All that it finds.
    pub(in crate::server) async fn check(&self) -> Result<(), WouldFail> {
        let would_fail = |why: &ProgramFailed, output: &str| {
            let output = output.lines().fold(String::new(), |all, line| all + "\n" + line);
            WouldFail { program: self.program.display().to_string(), why: why.to_string(), output }
        };
        let (mut report, out, err) = pipe().map_err(|error| would_fail(&error.into(), ""))?;
        let mut command = Command::new(&self.program);
        if let Some(file) = &self.origins.file {
            command.arg("--config").arg(file);
        }
        command.args(self.origins.overrides.iter().flat_map(|setting| ["--set", setting]));
        command.arg("check").stdout(out).stderr(err);
        // Reads to the end, so that the program never waits for a reader.
        let reader = tokio::task::spawn_blocking(move || {
            let mut output = Vec::new();
            let read = report.by_ref().take(OUTPUT_BYTES).read_to_end(&mut output);
            let rest = io::copy(&mut report, &mut io::sink());
            read.and(rest).map(|_| String::from_utf8_lossy(&output).into_owned())
        });
        let ended = child::run(command, CHECK).await;
        let output = reader.await.ok().and_then(Result::ok).unwrap_or_default();
        ended.map_err(|why| would_fail(&why, &output))
    }
}

/// Returns a pipe with two ends to write to.
fn pipe() -> io::Result<(io::PipeReader, io::PipeWriter, io::PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    Ok((reader, writer.try_clone()?, writer))
}
