//! `deepwell config`: prints settings, and compares them with those of a running server.

use super::control::place::{self, PACKAGED, Process};
use super::control::{self, changes};
use super::{CliFailure, SettingArguments, show};
use crate::server::config::{Config, ShownSettings};
use crate::server::control::protocol::ControlCommand;
use clap::Subcommand;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Settings to print
#[derive(Subcommand, Clone, PartialEq, Eq, Debug)]
pub enum ConfigCommand {
    /// Print the effective settings and the source of each
    Print {
        /// Only settings that differ from the defaults
        #[arg(long)]
        changed: bool,
    },
    /// Compare the settings of the running server or gateway, or those that a start would use, with those that another file would
    /// give; tells which take effect at `control reload` and which need a restart
    Diff {
        /// Configuration file to compare with; environment and --set override it, too
        file: PathBuf,
    },
    /// Print a config.toml with every setting, its comment and its default
    Defaults,
}

/// Prints or compares settings.
pub(super) fn config(
    settings: &SettingArguments,
    command: &ConfigCommand,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    match command {
        ConfigCommand::Print { changed: false } => {
            show(out, &settings.effective()?.print(ShownSettings::All))
        }
        ConfigCommand::Print { changed: true } => {
            let text = settings.effective()?.print(ShownSettings::Changed);
            show(out, if text.is_empty() { "# All settings are the defaults.\n" } else { &text })
        }
        ConfigCommand::Diff { file } => diff(settings, file, out),
        ConfigCommand::Defaults => show(out, &Config::shipped()),
    }
}

fn diff(settings: &SettingArguments, file: &Path, out: &mut dyn Write) -> Result<(), CliFailure> {
    let new = SettingArguments { config: Some(file.to_owned()), set: settings.set.clone() };
    let new = new.effective()?.config;
    let ValuesInForce { values, source } = values_in_force(settings, &[Process::Server, Process::Gateway])?;
    let changes = new.differences(&values);
    let lines = changes::lines(&changes, ["takes effect at a reload", "needs a restart"]);
    let lines = if lines.is_empty() { "no setting differs\n".to_owned() } else { lines };
    show(out, &format!("compared with {source}\n{lines}"))
}

/// Settings by name, and where they are from.
pub(super) struct ValuesInForce {
    /// Values by name.
    pub(super) values: BTreeMap<String, String>,
    /// Source in words.
    pub(super) source: String,
}

/// Returns the settings of the first of these processes that runs, or else those that a start would use.
pub(super) fn values_in_force(
    settings: &SettingArguments,
    processes: &[Process],
) -> Result<ValuesInForce, CliFailure> {
    match place::connect(settings, processes, PACKAGED) {
        Ok(found) => {
            let source = found.words();
            let values = control::ask_over(&found.socket, found.stream, &ControlCommand::Settings)?;
            let values = serde_json::from_value(values).map_err(|error| CliFailure::Server(error.into()))?;
            Ok(ValuesInForce { values, source })
        }
        Err(CliFailure::NoServer(_)) => {
            let values = settings.effective()?.config.values().into_iter().collect();
            let source = "the settings that a start would use; no server is running".to_owned();
            Ok(ValuesInForce { values, source })
        }
        Err(failure) => Err(failure),
    }
}
