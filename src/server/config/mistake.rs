//! Mistakes that prevent a start until the operator corrects them. The exit code tells a supervisor not to try again.

use std::io;

use crate::net::tls::TlsError;
use crate::server::content::ContentError;
use crate::store::StoreError;

/// A mistake in settings, content, certificate or stored world.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
pub(in crate::server) struct StartMistake(anyhow::Error);

/// Marks an error of a start as a mistake, unless a later attempt may succeed: when the disk responds, another program
/// has released the database, or memory is free.
pub(in crate::server) fn mistake(error: impl Into<anyhow::Error>) -> anyhow::Error {
    let error = error.into();
    if is_lasting(&error) { StartMistake(error).into() } else { error }
}

fn is_lasting(error: &anyhow::Error) -> bool {
    if let Some(stored) = error.downcast_ref::<StoreError>() {
        return stored.is_mistake();
    }
    let read = match (error.downcast_ref(), error.downcast_ref()) {
        (Some(ContentError::Unreadable(_, error)), _) | (_, Some(TlsError::Unreadable(_, error))) => {
            Some(error)
        }
        (Some(ContentError::Ended(_)), _) => return false,
        _ => error.chain().find_map(|cause| cause.downcast_ref()),
    };
    read.is_none_or(names_another_file)
}

/// Returns `true` if a file cannot be read because of its path, permissions or content, and not because of the disk.
fn names_another_file(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidData
    )
}
