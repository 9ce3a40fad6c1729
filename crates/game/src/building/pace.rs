//! Pace of building commands: each costs its builder the work that it does, and a builder who owes too much has to wait.

use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::AccountId;

/// Refuses a command of a builder who has to wait.
pub(crate) fn require_rest(turn: &Turn, account: AccountId) -> Result<(), Refusal> {
    match turn.builder_work.wait(account, turn.now) {
        Some(_) => Err(refuse!("Your last commands were much work for the server. Try again in a moment.")),
        None => Ok(()),
    }
}

/// Runs a command of a builder and charges its work; the operator pays nothing.
pub(crate) fn charged<T>(turn: &mut Turn, account: Option<AccountId>, run: impl FnOnce(&mut Turn) -> T) -> T {
    let before = turn.world.work();
    let done = run(turn);
    if let Some(account) = account {
        let work = turn.world.work().wrapping_sub(before);
        turn.builder_work.charge(account, work, turn.now);
    }
    done
}
