//! Refusals about lids and locks of containers.

use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a container is not opened or closed. Texts are containers with their article.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum LidRefusal {
    #[error("{} is shut.", grammar::capitalise(.0))]
    Shut(String),
    #[error("{} cannot be opened or shut.", grammar::capitalise(.0))]
    NoLid(String),
    #[error("{} is {state} already.", grammar::capitalise(.name))]
    Stands { name: String, state: &'static str },
    #[error("{} is locked, and you carry nothing that opens it.", grammar::capitalise(.0))]
    Locked(String),
    #[error("{} has no lock to pick.", grammar::capitalise(.0))]
    NoLock(String),
    #[error("get picks things up: get lamp, or get all. pick opens locks.")]
    PicksUp,
    #[error("The lock of {0} is beyond anybody who has no key.")]
    CannotBePicked(String),
    #[error("You work at the lock of {0}, and it holds.")]
    LockHolds(String),
}
