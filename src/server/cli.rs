//! The command line: its arguments, and the commands that need no running game.
//! What the server does while it runs is not known here.

mod check;
mod control;
mod copy;
mod dungeon;
mod import_area;
mod simulate;

use super::config::{Config, ConfigError, Effective, Sources};
use super::content::ContentError;
use super::control_protocol::{NoResult, Refused};
use super::logging;
use crate::store::StoreError;
use crate::tools::simulate::Violation;
use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

/// A multiplayer text-dungeon server.
#[derive(Parser, Clone, Debug)]
#[command(version, after_help = EXIT_CODES)]
pub struct Arguments {
    /// Where settings are read from, and what wins over it.
    #[command(flatten)]
    pub settings: SettingArguments,
    /// What to do; without it, serve.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 mistakes found (settings, content, database, rules), 2 wrong usage, 3 it could not be done.";

/// Where settings come from.
#[derive(Args, Clone, Debug, Default)]
pub struct SettingArguments {
    /// File with settings [default: ./config.toml, if it is there]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Sets a value, over file and environment; may be given several times
    #[arg(long, global = true, value_name = "SECTION.KEY=VALUE")]
    pub set: Vec<String>,
}

/// What the program can do.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Runs the server (the default)
    Serve,
    /// Reads configuration, content and database without changing them, and tells every mistake
    Check,
    /// Shows settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Makes branches without a server and shows them
    #[command(subcommand)]
    Dungeon(dungeon::DungeonCommand),
    /// Plays bots in virtual time and checks every invariant; times and bounds are drawn from the seed, not set
    Simulate(simulate::SimulateArguments),
    /// Makes a zone and prototypes of area files of Circle and tba servers; code 1 if something in them cannot be read
    ImportArea(import_area::ImportArguments),
    /// Talks to the running server
    Control(control::ControlArguments),
    /// Copies the database to a new file, whether the server runs or not
    Backup {
        /// The file to write; it must not exist
        file: PathBuf,
    },
    /// Puts a copy in the place of the database, which is moved aside; the server must be stopped
    Restore {
        /// The copy
        file: PathBuf,
    },
}

/// What can be shown of the settings.
#[derive(Subcommand, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConfigCommand {
    /// Prints the settings in force and where each came from
    Print,
    /// Prints a config.toml with every setting, its comment and its default
    Defaults,
}

/// Cure for a command that was run in another folder than the server's.
const NAME_ITS_FOLDER: &str = "Name its folder: run this where the server was started, with its --config FILE, or with \
                               --set server.state_dir=FOLDER";

/// Why a command did not do what it should; each has its exit code.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings cannot be used.
    #[error("{}", lines(.0))]
    Settings(Vec<ConfigError>),
    /// `check` or `dungeon verify` found mistakes, and has told them.
    #[error("mistakes found: {0}")]
    Found(usize),
    /// The simulation found a promise broken.
    #[error(transparent)]
    Violation(Box<Violation>),
    /// The arguments make no sense together with the content.
    #[error("{0}")]
    Usage(String),
    /// The content cannot be used.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody answers on the control socket.
    #[error("no server runs on this folder: nothing answers at {0}. {NAME_ITS_FOLDER}")]
    NotRunning(PathBuf),
    /// There is nothing to copy.
    #[error("there is no database at {0}. {NAME_ITS_FOLDER}")]
    NoDatabase(PathBuf),
    /// The server could not start, or could not end as it should.
    #[error("{0:#}")]
    Server(#[from] anyhow::Error),
    /// The server runs and does not serve as it should.
    #[error("{0}")]
    Degraded(String),
    /// The server said no.
    #[error("the server refused: {0}")]
    Refused(#[from] Refused),
    /// The server took a request, and its outcome is not known.
    #[error("{0}")]
    Unanswered(String),
    /// A file, a socket or the output failed.
    #[error("{0}: {1}")]
    Io(String, io::Error),
}

impl From<NoResult> for Failure {
    fn from(why: NoResult) -> Self {
        match why {
            NoResult::Refused(refused) => Self::Refused(refused),
            NoResult::Unanswered(words) => Self::Unanswered(words),
        }
    }
}

impl Failure {
    /// The exit code of the process: 1 for mistakes that somebody has to mend, 3 for what could not be done, 4 for
    /// work that goes on in the server.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Settings(_) | Self::Found(_) | Self::Violation(_) | Self::Content(_) => 1,
            Self::Usage(_) => 2,
            Self::Store(_)
            | Self::NotRunning(_)
            | Self::NoDatabase(_)
            | Self::Degraded(_)
            | Self::Server(_)
            | Self::Refused(_)
            | Self::Io(..) => 3,
            Self::Unanswered(_) => 4,
        }
    }

    /// Whether only the reader of the output went away, as in `deepwell config print | head -1`.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io(_, error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl Arguments {
    /// Reads a command line, the name of the program first. `--set` counts wherever it stands: clap by itself keeps
    /// only those of the innermost command.
    ///
    /// # Errors
    /// What to tell the user, who may have asked for nothing but help.
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
    pub fn sources(&self) -> Result<Sources, Failure> {
        Sources::gather(self.config.as_deref(), self.set.clone())
            .map_err(|mistake| Failure::Settings(vec![mistake]))
    }

    /// The settings in force.
    pub fn effective(&self) -> Result<Effective, Failure> {
        self.sources()?.check().map_err(Failure::Settings)
    }
}

/// Carries out a command and writes what it shows.
pub fn run(arguments: Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let settings = arguments.settings;
    match arguments.command.unwrap_or(Command::Serve) {
        Command::Serve => serve(settings.effective()?.config),
        Command::Check => check::check(&settings, out),
        Command::Config(ConfigCommand::Print) => show(out, &settings.effective()?.print()),
        Command::Config(ConfigCommand::Defaults) => show(out, &Config::shipped()),
        Command::Dungeon(command) => dungeon::dungeon(&settings.effective()?.config, &command, out),
        Command::Simulate(plan) => simulate::simulate(&settings, &plan, out),
        Command::ImportArea(plan) => import_area::import_area(&settings, &plan, out),
        Command::Control(control) => control::control(&settings.effective()?.config.server, &control, out),
        Command::Backup { file } => copy::backup(&settings.effective()?.config.server, &file, out),
        Command::Restore { file } => copy::restore(&settings.effective()?.config.server, &file, out),
    }
}

fn serve(config: Config) -> Result<(), Failure> {
    // Dropped last, so that what the server logs as it stops is written.
    let _log = logging::start(&config.log).context("the log cannot be started")?;
    Ok(super::serve(config)?)
}

fn show(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::Io("output".into(), error))
}

fn lines(mistakes: &[ConfigError]) -> String {
    mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Waits for a piece of work with the database.
fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Io("the runtime cannot start".into(), error))?;
    Ok(runtime.block_on(work))
}

#[cfg(test)]
mod tests;
