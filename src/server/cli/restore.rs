//! `deepwell restore`: replaces the database by a copy, lists the backups, and tells what a restore would do.

use super::{Failure, show, wait_for};
use crate::base::GameTime;
use crate::server::backups::{BackupFile, list};
use crate::server::config::{Config, ServerConfig};
use crate::server::lock::Lock;
use crate::store::{self, StoreError};
use clap::Args;
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
    #[arg(long, requires = "file", conflicts_with = "dry_run", value_name = "FOLDER")]
    batches: Option<PathBuf>,
    /// Moment up to which batches are applied, such as "2027-01-15 08:00:00" in UTC [default: all]
    #[arg(long, requires = "batches", value_name = "TIME", value_parser = moment)]
    until: Option<GameTime>,
}

fn moment(text: &str) -> Result<GameTime, &'static str> {
    GameTime::parse(text).ok_or("expected a date and time in UTC such as \"2027-01-15 08:00:00\"")
}

/// Restores a copy, tells what a restore would do, or lists the backups.
pub(super) fn restore(
    config: &Config,
    arguments: &RestoreArguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match (&arguments.file, arguments.dry_run) {
        (Some(file), false) => match &arguments.batches {
            None => replace(&config.server, file, out),
            Some(batches) => {
                let until = arguments.until.unwrap_or(GameTime(i64::MAX));
                replay(&config.server, file, (batches, until), out)
            }
        },
        (Some(file), true) => {
            let sound = soundness(file)?;
            show(out, &format!("{}: {sound}.\n", file.display()))?;
            show(out, &plan(&config.server, file)?)
        }
        (None, _) => list_backups(config, out),
    }
}

/// Replaces the database by a copy while holding the lock of the state folder.
fn replace(config: &ServerConfig, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let _lock = Lock::take(&config.lock())?;
    let aside = wait_for(store::restore(file, &config.database()))??;
    let moved = moved(aside);
    let upgrade = wait_for(store::upgrade_of(&config.database()))??;
    let older = upgrade.map_or_else(String::new, |upgrade| format!(" ({upgrade})"));
    let (file, database) = (file.display(), config.database());
    show(out, &format!("{file}{older} restored to {}{moved}\n", database.display()))
}

/// Replaces the database by a copy and the batches that follow it, while holding the lock of the state folder.
fn replay(
    config: &ServerConfig,
    file: &Path,
    (batches, until): (&Path, GameTime),
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let _lock = Lock::take(&config.lock())?;
    let replayed = wait_for(store::restore_to(file, &config.database(), batches, until))??;
    for (path, bytes) in &replayed.torn {
        let path = path.display();
        show(out, &format!("{path}: the last batch is incomplete and was left out, {bytes} bytes\n"))?;
    }
    let (count, last) = (replayed.applied, replayed.until.map(|at| format!(" up to {}", at.utc())));
    let moved = moved(replayed.aside);
    let (file, database) = (file.display(), config.database());
    let (last, database) = (last.unwrap_or_default(), database.display());
    show(out, &format!("{file} and {count} batches{last} restored to {database}{moved}\n"))
}

fn moved(aside: Option<PathBuf>) -> String {
    aside.map_or_else(String::new, |aside| format!("; the old database was moved to {}", aside.display()))
}

/// Lists the backups, newest first, and tells what a restore of the newest sound one would do.
fn list_backups(config: &Config, out: &mut dyn Write) -> Result<(), Failure> {
    let unset = || Failure::Usage("backup.folder is \"off\": name the file to restore".to_owned());
    let folder = config.backup.folder.as_ref().ok_or_else(unset)?;
    let files = list(folder).map_err(|error| Failure::Io(folder.display().to_string(), error))?;
    let mut newest = None;
    for BackupFile { at, path, bytes } in files.into_iter().rev() {
        let sound = match soundness(&path) {
            Ok(sound) => {
                newest.get_or_insert_with(|| path.clone());
                sound
            }
            Err(Failure::Store(StoreError::UnfitCopy { reason, .. })) => format!("damaged: {reason}"),
            Err(failure) => format!("cannot be restored: {failure}"),
        };
        show(out, &format!("{}: {}, {bytes} bytes, {sound}\n", path.display(), at.utc()))?;
    }
    let newest = newest.ok_or_else(|| Failure::NoBackup(folder.clone()))?;
    show(out, &format!("\nTo restore the newest sound backup: deepwell restore {}\n", newest.display()))?;
    show(out, &plan(&config.server, &newest)?)
}

/// Checks a copy, and describes its schema.
fn soundness(file: &Path) -> Result<String, Failure> {
    wait_for(store::fitness(file))??;
    let schema = match wait_for(store::upgrade_of(file))?? {
        Some(upgrade) => upgrade.to_string(),
        None => "this release's schema".to_owned(),
    };
    Ok(format!("sound, {schema}"))
}

/// Describes what a restore of a sound copy would do.
fn plan(config: &ServerConfig, file: &Path) -> Result<String, Failure> {
    let database = config.database();
    let moves = store::next_aside(&database)?.map_or_else(String::new, |aside| {
        let (database, aside) = (database.display(), aside.display());
        format!("It would move {database} with its -wal and -shm to {aside}.\n")
    });
    let is_running = UnixStream::connect(config.control_socket()).is_ok();
    let stop = if is_running { "The server must be stopped before.\n" } else { "" };
    Ok(format!("{stop}{moves}It would copy {} to {}.\n", file.display(), database.display()))
}
