//! `deepwell restore`: replaces the database by a copy, lists the backups, and tells what a restore would do.

use super::{CliFailure, show, wait_for};
use crate::server::backups::{BackupFile, list};
use crate::server::cluster::restore;
use crate::server::config::{ClusterConfig, Config, ServerConfig};
use crate::server::files::lock::ServerLock;
use crate::store::{self, NotReplayed, RestoreResult, Store, StoreError};
use clap::Args;
use deepwell_core::base::{GameTime, Span};
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// Copy to restore
#[derive(Args, Clone, Debug)]
pub struct RestoreArguments {
    /// Copy to restore; without it, the backups in backup.folder are listed, newest first
    file: Option<PathBuf>,
    /// Tell what the restore would do, and change nothing
    #[arg(long, requires = "file")]
    dry_run: bool,
    /// Apply the batches in this folder (backup.batches) that follow the copy
    #[arg(long, requires = "file", group = "log", value_name = "FOLDER")]
    batches: Option<PathBuf>,
    /// Apply the batches that follow the copy from the log of the cluster (cluster.nats)
    #[arg(long, requires = "file", group = "log")]
    from_cluster: bool,
    /// Moment up to which batches are applied, such as "2027-01-15 08:00:00" in UTC [default: all]
    #[arg(long, requires = "log", value_name = "TIME", value_parser = moment)]
    until: Option<GameTime>,
}

/// Batches that are applied to a copy.
enum RestoreLog<'a> {
    Folder(&'a Path),
    Cluster(&'a ClusterConfig),
}

impl<'a> RestoreLog<'a> {
    /// Returns the log that the arguments name, if they name one.
    fn read(config: &'a Config, arguments: &'a RestoreArguments) -> Result<Option<Self>, CliFailure> {
        if arguments.from_cluster && !config.cluster.is_on() {
            let message = "cluster.nats is empty: set it to the NATS servers that have the log";
            return Err(CliFailure::Usage(message.to_owned()));
        }
        let cluster = arguments.from_cluster.then_some(Self::Cluster(&config.cluster));
        Ok(arguments.batches.as_deref().map(Self::Folder).or(cluster))
    }
}

/// Parses a moment. Without a fraction it is the end of its second, so that a moment printed by this command includes the
/// batch that it was printed for.
fn moment(text: &str) -> Result<GameTime, &'static str> {
    let rest = if text.contains('.') { Span::ZERO } else { Span(999) };
    let at = GameTime::parse(text).map(|at| at + rest);
    at.ok_or("expected a date and time in UTC such as \"2027-01-15 08:00:00\"")
}

/// Restores a copy, tells what a restore would do, or lists the backups.
pub(super) fn restore(
    config: &Config,
    arguments: &RestoreArguments,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let Some(file) = &arguments.file else { return list_backups(config, out) };
    let (log, until) = (RestoreLog::read(config, arguments)?, arguments.until.unwrap_or(GameTime(i64::MAX)));
    match (log, arguments.dry_run) {
        (None, false) => replace(&config.server, file, out),
        (Some(log), false) => replay(&config.server, file, (&log, until), out),
        (log, true) => {
            let sound = soundness(file)?;
            show(out, &format!("{}: {sound}.\n", file.display()))?;
            let batches = log.map_or(Ok(String::new()), |log| batches_to_apply(file, &log, until))?;
            show(out, &(plan(&config.server, file)? + &batches))
        }
    }
}

/// Replaces the database by a copy while holding the lock of the state folder.
fn replace(config: &ServerConfig, file: &Path, out: &mut dyn Write) -> Result<(), CliFailure> {
    let _lock = ServerLock::take(&config.lock())?;
    let (aside, next) = wait_for(restore_alone(file, &config.database()))??;
    let moved = moved(aside);
    let upgrade = wait_for(store::upgrade_of(&config.database()))??;
    let older = upgrade.map_or_else(String::new, |upgrade| format!(" ({upgrade})"));
    let (file, database) = (file.display(), config.database());
    show(out, &format!("{file}{older} restored to {}{moved}\n{next}", database.display()))
}

/// Replaces the database by a copy. A copy of the present schema is no longer part of a cluster, so that a host does not
/// read from the log what the copy lacks. Returns the new path of the previous database, and the next step.
async fn restore_alone(file: &Path, database: &Path) -> Result<(Option<PathBuf>, &'static str), NotReplayed> {
    let is_in_cluster = matches!(store::position_of(file).await, Ok(Some(_)));
    // What is wrong with the file is for the restore to say.
    if !is_in_cluster || !matches!(store::upgrade_of(file).await, Ok(None)) {
        return Ok((store::restore(file, database).await?, ""));
    }
    let leave = async |store: &mut Store| {
        store.place(None).await?;
        Ok(RestoreResult::default())
    };
    Ok((store::restore_with(file, database, leave).await?.aside, LEFT_CLUSTER))
}

/// Next step after a restore of a copy that was part of a cluster.
const LEFT_CLUSTER: &str = "The restored world is no longer part of its cluster. To make it the world of the cluster, stop all \
     hosts, and start this one with --new-history.\n";

/// Replaces the database by a copy and the batches that follow it, while holding the lock of the state folder.
fn replay(
    config: &ServerConfig,
    file: &Path,
    (log, until): (&RestoreLog<'_>, GameTime),
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let _lock = ServerLock::take(&config.lock())?;
    let database = config.database();
    let replayed = match log {
        RestoreLog::Folder(folder) => wait_for(store::restore_to(file, &database, folder, until))??,
        RestoreLog::Cluster(cluster) => wait_for(restore::restore(cluster, file, &database, until))??,
    };
    show(out, &torn_words(&replayed))?;
    let (count, last) =
        (counted(replayed.applied), replayed.until.map(|at| format!(" up to {}", at.utc_to_second())));
    let (last, moved) = (last.unwrap_or_default(), moved(replayed.aside));
    let (file, database) = (file.display(), database.display());
    show(out, &format!("{file} and {count}{last} restored to {database}{moved}\n"))?;
    if replayed.leaves_out { show(out, NEW_HISTORY) } else { Ok(()) }
}

/// Next step after a restore that leaves out batches of the log.
const NEW_HISTORY: &str = "The log of the cluster has later batches. Stop all hosts, and start the one with this world with \
     --new-history: the log then begins anew.\n";

/// Describes what a restore would apply to a copy.
fn batches_to_apply(file: &Path, log: &RestoreLog<'_>, until: GameTime) -> Result<String, CliFailure> {
    match log {
        RestoreLog::Folder(folder) => {
            let found = wait_for(store::replayable(file, folder, until))??;
            let last = found
                .until
                .map_or_else(String::new, |at| format!(", the last one of {}", at.utc_to_second()));
            let (torn, count) = (torn_words(&found), counted(found.applied));
            Ok(format!("{torn}It would apply {count} of {}{last}.\n", folder.display()))
        }
        RestoreLog::Cluster(cluster) => {
            let found = wait_for(restore::look(cluster, file, until))??;
            let times = found.times.map_or_else(String::new, |(first, last)| {
                format!(", of {} to {}", first.utc_to_second(), last.utc_to_second())
            });
            let left = found.batches - found.due;
            let next = if left > 0 {
                format!("It would leave out {}. {NEW_HISTORY}", counted(left))
            } else {
                String::new()
            };
            let world = &cluster.world;
            Ok(format!(
                "The log of the cluster \"{world}\" has {} after the copy{times}.\nIt would apply {}.\n{next}",
                counted(found.batches),
                counted(found.due)
            ))
        }
    }
}

fn counted(batches: u64) -> String {
    if batches == 1 { "1 batch".to_owned() } else { format!("{batches} batches") }
}

/// Names the files of a log whose last batch is incomplete.
fn torn_words(replayed: &RestoreResult) -> String {
    let torn = replayed.torn.iter();
    let warning = |(path, bytes): &(PathBuf, u64)| {
        let path = path.display();
        format!("{path}: the last batch is incomplete and is left out, {bytes} bytes\n")
    };
    torn.map(warning).collect()
}

fn moved(aside: Option<PathBuf>) -> String {
    aside.map_or_else(String::new, |aside| format!("; the old database was moved to {}", aside.display()))
}

/// Lists the backups, newest first, and tells what a restore of the newest sound one would do.
fn list_backups(config: &Config, out: &mut dyn Write) -> Result<(), CliFailure> {
    let unset = || CliFailure::Usage("backup.folder is \"off\": name the file to restore".to_owned());
    let folder = config.backup.folder.as_ref().ok_or_else(unset)?;
    let files = list(folder).map_err(|error| CliFailure::Io(folder.display().to_string(), error))?;
    let mut newest = None;
    for BackupFile { at, path, bytes } in files.into_iter().rev() {
        let sound = match soundness(&path) {
            Ok(sound) => {
                newest.get_or_insert_with(|| path.clone());
                sound
            }
            Err(CliFailure::Store(StoreError::UnfitCopy { reason, .. })) => format!("damaged: {reason}"),
            Err(failure) => format!("cannot be restored: {failure}"),
        };
        show(out, &format!("{}: {}, {bytes} bytes, {sound}\n", path.display(), at.utc_to_second()))?;
    }
    let newest = newest.ok_or_else(|| CliFailure::NoBackup(folder.clone()))?;
    show(out, &format!("\nTo restore the newest sound backup: deepwell restore {}\n", newest.display()))?;
    show(out, &plan(&config.server, &newest)?)
}

/// Checks a copy, and describes its schema.
fn soundness(file: &Path) -> Result<String, CliFailure> {
    wait_for(store::fitness(file))??;
    let schema = match wait_for(store::upgrade_of(file))?? {
        Some(upgrade) => upgrade.to_string(),
        None => "this release's schema".to_owned(),
    };
    Ok(format!("sound, {schema}"))
}

/// Describes what a restore of a sound copy would do.
fn plan(config: &ServerConfig, file: &Path) -> Result<String, CliFailure> {
    let database = config.database();
    let moves = store::next_aside(&database)?.map_or_else(String::new, |aside| {
        let (database, aside) = (database.display(), aside.display());
        format!("It would move {database} with its -wal and -shm to {aside}.\n")
    });
    let is_running = UnixStream::connect(config.control_socket()).is_ok();
    let stop = if is_running { "The server must be stopped before.\n" } else { "" };
    Ok(format!("{stop}{moves}It would copy {} to {}.\n", file.display(), database.display()))
}
