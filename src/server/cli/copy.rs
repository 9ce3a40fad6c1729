//! `deepwell backup` and `deepwell restore`: copying the database, and replacing it by a copy.

use super::{Failure, control, show, wait_for};
use crate::server::config::ServerConfig;
use crate::server::control_protocol::Command;
use crate::server::lock::Lock;
use crate::store;
use std::io::Write;
use std::path::Path;

/// Copies the database to a new file: through the server if it is running, else directly.
pub(super) fn backup(config: &ServerConfig, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let command = Command::Backup(control::absolute(file)?);
    match control::ask(&config.control_socket(), &command) {
        Ok(_) => {}
        Err(Failure::NotRunning(_)) => {
            let database = config.database();
            // Probably run in the wrong folder, so the message must name the path.
            if database.try_exists().is_ok_and(|exists| !exists) {
                return Err(Failure::NoDatabase(database));
            }
            wait_for(store::backup(&database, file))??;
        }
        Err(failure) => return Err(failure),
    }
    show(out, &format!("copied to {}\n", file.display()))
}

/// Replaces the database by a copy while holding the lock of the state folder.
pub(super) fn restore(config: &ServerConfig, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let _lock = Lock::take(&config.lock())?;
    let aside = wait_for(store::restore(file, &config.database()))??;
    let moved = aside
        .map_or_else(String::new, |aside| format!("; the old database was moved to {}", aside.display()));
    let upgrade = wait_for(store::upgrade_of(&config.database()))??;
    let older = upgrade.map_or_else(String::new, |upgrade| format!(" ({upgrade})"));
    let (file, database) = (file.display(), config.database());
    show(out, &format!("{file}{older} restored to {}{moved}\n", database.display()))
}
