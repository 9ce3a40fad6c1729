//! The command line: its arguments, and the commands that do not need a running game.

mod check;
mod control;
mod copy;
mod dungeon;
mod import_area;
mod listing;
mod manual;
mod restore;
mod settings;
mod simulate;
pub(super) mod start;

use super::config::{Config, ConfigError, ConfigSources, Effective};
use super::logging;
use crate::server::config::in_force::ConfigOrigins;
use crate::server::config::mistake::StartMistake;
use crate::server::content::ContentError;
use crate::server::control::protocol::{ControlRefusal, NoResult};
use crate::server::start::next_start;
use crate::store::{NotReplayed, StoreError};
use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use deepwell_core::base::unicode;
use deepwell_tools::simulate::RunViolation;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process;

/// A multiplayer text-dungeon server.
#[derive(Parser, Clone, Debug)]
#[command(version, after_help = EXIT_CODES)]
pub struct CliArguments {
    /// Configuration file and overrides.
    #[command(flatten)]
    pub settings: SettingArguments,
    /// Command; by default `serve`.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

const EXIT_CODES: &str = "\
Exit codes: 0 success, 1 mistakes found (settings, content, database, rules), 2 wrong usage, 3 failure, \
4 control: no answer in time, the work continues.";

/// Configuration file and overrides
#[derive(Args, Clone, Debug, Default)]
pub struct SettingArguments {
    /// Configuration file [default: ./config.toml, if it exists]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Override a setting of file and environment; may be given several times
    #[arg(long, global = true, value_name = "SECTION.KEY=VALUE")]
    pub set: Vec<String>,
}

/// Commands of the program
#[derive(Subcommand, Clone, Debug)]
pub enum CliCommand {
    /// Run the server (the default)
    Serve,
    /// Run the connections of a server whose game runs as `deepwell host`
    Gateway,
    /// Run the game of a server whose connections run as `deepwell gateway`; it can restart while clients stay connected
    Host(start::HostArguments),
    /// Check configuration, content and database without changing them, and report all mistakes
    Check,
    /// Print settings, or compare them with those of another file
    #[command(subcommand)]
    Config(settings::ConfigCommand),
    /// Generate branches without a server, and print, draw, count or prove them
    #[command(subcommand)]
    Dungeon(dungeon::DungeonCommand),
    /// Run bots in virtual time and check all invariants; timings and limits are derived from the seed
    Simulate(simulate::SimulateArguments),
    /// Convert area files of Circle and tba servers to a zone and prototypes; exit code 1 if parts cannot be read
    ImportArea(import_area::ImportArguments),
    /// Print what MUD listing sites read from the server (MSSP), and what is missing; exit code 1 if something is wrong
    Listing(listing::ListingArguments),
    /// Send a command to the running server
    Control(control::ControlArguments),
    /// Copy the database to a new file; works with the server running or stopped
    Backup {
        /// File to write; it must not exist
        file: PathBuf,
    },
    /// Replace the database by a copy and keep the old one under another name; the server must be stopped. Without a
    /// file, list the backups in backup.folder
    Restore(restore::RestoreArguments),
    /// Print completions of the command line for a shell
    Completions {
        /// Shell that reads them
        shell: Shell,
    },
    /// Print the manual page of the program, or write a page for each command to a folder
    Manual {
        /// Folder to write to; it is created if it does not exist
        folder: Option<PathBuf>,
    },
}

/// Hint for a command that was run in another folder than the server's.
const FOLDER_HINT: &str = "Specify the server's folder: run this command where the server was started, with the \
                               same --config FILE, or with --set server.state_dir=FOLDER";

/// Reason why a command failed; determines the exit code.
#[derive(Debug, thiserror::Error)]
pub enum CliFailure {
    /// Invalid settings.
    #[error("{}", lines(.0))]
    Settings(Vec<ConfigError>),
    /// Mistakes found and already printed, by commands such as `check` or `dungeon verify`.
    #[error("mistakes found: {0}")]
    Found(usize),
    /// Invariant violated in a simulation.
    #[error(transparent)]
    Violation(Box<RunViolation>),
    /// Arguments that do not fit the content or each other.
    #[error("{0}")]
    Usage(String),
    /// Content that cannot be loaded.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// Database error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No server listens on the control socket.
    #[error("no server is running on this folder: no answer at {0}. {FOLDER_HINT}")]
    NotRunning(PathBuf),
    /// No server answers at any of the places where one may be, a line each.
    #[error("no server answers:\n{}\n{FOLDER_HINT}", .0.join("\n"))]
    NoServer(Vec<String>),
    /// No database to copy.
    #[error("there is no database at {0}. {FOLDER_HINT}")]
    NoDatabase(PathBuf),
    /// Logged batches that cannot be applied.
    #[error("nothing has been changed: {0}")]
    Replay(#[from] NotReplayed),
    /// No backup that can be restored.
    #[error("no backup in {0} can be restored")]
    NoBackup(PathBuf),
    /// The server could not start, or did not shut down cleanly.
    #[error("{0:#}")]
    Server(#[from] anyhow::Error),
    /// The server is running but not healthy.
    #[error("{0}")]
    Degraded(String),
    /// The host has ended instead of starting again.
    #[error("the host has ended and did not start again; its log tells why")]
    NotBack,
    /// The server refused the request.
    #[error("the server refused: {0}")]
    Refused(#[from] ControlRefusal),
    /// The server accepted the request, but its outcome is not known.
    #[error("{0}")]
    Unanswered(String),
    /// I/O error of a file, a socket or the output.
    #[error("{0}: {1}")]
    Io(String, io::Error),
}

impl From<NoResult> for CliFailure {
    fn from(why: NoResult) -> Self {
        match why {
            NoResult::Refused(refused) => Self::Refused(refused),
            NoResult::Unanswered(message) => Self::Unanswered(message),
        }
    }
}

impl CliFailure {
    /// Returns the exit code: 1 for mistakes to correct, 2 for wrong usage, 3 for failures, 4 for work that continues
    /// in the server.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Settings(_) | Self::Found(_) | Self::Violation(_) | Self::Content(_) => 1,
            Self::Store(error) if error.is_mistake() => 1,
            Self::Replay(NotReplayed::Store(error)) if error.is_mistake() => 1,
            Self::Server(error) if error.is::<StartMistake>() => 1,
            Self::Usage(_) => 2,
            Self::Store(_)
            | Self::NotRunning(_)
            | Self::NoServer(_)
            | Self::NoDatabase(_)
            | Self::NoBackup(_)
            | Self::Replay(_)
            | Self::Degraded(_)
            | Self::NotBack
            | Self::Server(_)
            | Self::Refused(_)
            | Self::Io(..) => 3,
            Self::Unanswered(_) => 4,
        }
    }

    /// Returns `true` if the reader of the output closed it, as in `deepwell config print | head -1`.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io(_, error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl CliArguments {
    /// Parses a command line, including the program name. `--set` counts at every position; by default clap keeps only
    /// the values of the innermost command.
    ///
    /// # Errors
    /// The message to show, which may be the requested help.
    pub fn read(line: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut line = line.into_iter();
        let (mut front, mut back) = (Vec::from_iter(line.next()), Vec::new());
        while let Some(word) = line.next() {
            if word == "--" {
                back.push(word);
                back.extend(line.by_ref());
            } else if word.to_string_lossy().starts_with("--set=") {
                front.push(word);
            } else if word == "--set"
                && let Some(value) = line.next()
            {
                front.extend([word, value]);
            } else {
                back.push(word);
            }
        }
        Self::try_parse_from(front.into_iter().chain(back))
    }
}

impl SettingArguments {
    /// Reads the sources of settings.
    pub fn sources(&self) -> Result<ConfigSources, CliFailure> {
        ConfigSources::gather(self.config.as_deref(), self.set.clone())
            .map_err(|mistake| CliFailure::Settings(vec![mistake]))
    }

    /// Returns where the settings come from, to read them again.
    fn origins(self) -> ConfigOrigins {
        ConfigOrigins { file: self.config, overrides: self.set }
    }

    /// Returns the effective settings.
    pub fn effective(&self) -> Result<Effective, CliFailure> {
        self.sources()?.check().map_err(CliFailure::Settings)
    }
}

/// Runs a command and writes its output.
pub fn run(arguments: CliArguments, out: &mut dyn Write) -> Result<(), CliFailure> {
    let settings = arguments.settings;
    match arguments.command.unwrap_or(CliCommand::Serve) {
        CliCommand::Serve => serve(settings.effective()?.config, settings),
        CliCommand::Gateway => gateway(settings.effective()?.config, settings),
        CliCommand::Host(start) => host(settings.effective()?.config, settings, start),
        CliCommand::Check => check::check(&settings, out),
        CliCommand::Config(command) => settings::config(&settings, &command, out),
        CliCommand::Dungeon(command) => dungeon::dungeon(&settings.effective()?.config, &command, out),
        CliCommand::Simulate(plan) => simulate::simulate(&settings, &plan, out),
        CliCommand::ImportArea(plan) => import_area::import_area(&settings, &plan, out),
        CliCommand::Listing(listing) => listing::listing(&settings, listing, out),
        CliCommand::Control(control) => control::control(&settings, &control, out),
        CliCommand::Backup { file } => copy::backup(&settings.effective()?.config.server, &file, out),
        CliCommand::Restore(plan) => restore::restore(&settings.effective()?.config, &plan, out),
        CliCommand::Completions { shell } => manual::completions(shell, out),
        CliCommand::Manual { folder } => manual::manual(folder.as_deref(), out),
    }
}

fn serve(config: Config, settings: SettingArguments) -> Result<(), CliFailure> {
    if config.cluster.is_on() {
        let message = "cluster.nats is set: run deepwell host and deepwell gateway (see docs/operate/cluster.md), or \
                     leave it empty";
        return Err(CliFailure::Usage(message.to_owned()));
    }
    // Dropped last, so that messages logged during shutdown are written.
    let _log = logging::start(&config.log, "server").context("the log cannot be started")?;
    Ok(super::serve(config, settings.origins())?)
}

fn gateway(config: Config, settings: SettingArguments) -> Result<(), CliFailure> {
    let _log = logging::start(&config.log, "gateway").context("the log cannot be started")?;
    Ok(super::gateway::serve_gateway(config, settings.origins())?)
}

fn host(config: Config, settings: SettingArguments, start: start::HostArguments) -> Result<(), CliFailure> {
    let program = next_start::program().context("cannot be started again")?;
    let log = logging::start(&config.log, "host").context("the log cannot be started")?;
    if !super::host::serve_host(config, settings.origins(), start)? {
        return Ok(());
    }
    drop(log);
    // A history begins once.
    let line = std::env::args_os().skip(1).filter(|word| word != "--new-history");
    // Returns only if the program cannot be started.
    let error = process::Command::new(&program).args(line).exec();
    Err(CliFailure::Io(program.display().to_string(), error))
}

/// Prints text, with control characters from the server, a database or a file as escapes.
fn show(out: &mut dyn Write, text: &str) -> Result<(), CliFailure> {
    let text = unicode::escape_unprintable(text);
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| CliFailure::Io("output".into(), error))
}

fn lines(mistakes: &[ConfigError]) -> String {
    mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Runs a future to completion on a new runtime.
fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, CliFailure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| CliFailure::Io("the runtime cannot start".into(), error))?;
    Ok(runtime.block_on(work))
}

#[cfg(test)]
mod tests;
