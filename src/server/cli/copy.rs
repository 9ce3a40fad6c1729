//! `deepwell backup`: copying the database.

use super::{CliFailure, control, show, wait_for};
use crate::server::config::ServerConfig;
use crate::server::control::protocol::ControlCommand;
use crate::store;
use std::io::Write;
use std::path::{self, Path};

/// Copies the database to a new file: through the server if it is running, else directly.
pub(super) fn backup(config: &ServerConfig, file: &Path, out: &mut dyn Write) -> Result<(), CliFailure> {
    // The server may have another working directory.
    let absolute = path::absolute(file).map_err(|error| CliFailure::Io(file.display().to_string(), error))?;
    let command = ControlCommand::Backup { file: Some(absolute) };
    match control::ask(&config.control_socket(), &command) {
        Ok(_) => {}
        Err(CliFailure::NotRunning(_)) => {
            let database = config.database();
            // Probably run in the wrong folder, so the message must name the path.
            if database.try_exists().is_ok_and(|exists| !exists) {
                return Err(CliFailure::NoDatabase(database));
            }
            wait_for(store::backup(&database, file))??;
        }
        Err(failure) => return Err(failure),
    }
    show(out, &format!("copied to {}\n", file.display()))
}
