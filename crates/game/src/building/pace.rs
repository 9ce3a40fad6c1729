//! Pace of building commands: each costs its builder the work that it does, a builder who owes too much has to wait, and work
//! on very many rooms is queued.

use crate::refusal::{Refusal, refuse};
use crate::state::file_work::FileWork;
use crate::state::slices::WAIT;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::AccountId;

/// Share of the work of a slice for each room in the files, or in their zones before, that are checked or imported in one
/// step.
const ROOM_SHARE: usize = 10;

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

/// Returns `true` if rooms are too many to be imported in one step.
pub(crate) fn are_many(turn: &Turn, rooms: usize) -> bool {
    rooms * ROOM_SHARE > turn.config.limits.slice_work as usize
}

/// Adds work on zone files to the queue.
pub(crate) fn queue(turn: &mut Turn, work: FileWork) {
    turn.file_work.push_back(work);
    if turn.file_work.len() == 1 {
        turn.timers.schedule(turn.now + WAIT, Timer::Files);
    }
}
