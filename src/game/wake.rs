//! Waking of branches, and the inputs that wait for it.

use crate::base::BranchId;
use crate::game::account::login;
use crate::game::branch::{asleep, expiry};
use crate::game::character::affects;
use crate::game::creature;
use crate::game::effect::Class;
use crate::game::input::Input;
use crate::game::input::envelope::Envelope;
use crate::game::message::tell;
use crate::game::refusal::Refusal;
use crate::game::state::timers::Timer;
use crate::game::turn::Turn;
use crate::world::BranchRows;
use std::sync::Arc;

/// Returns the input, if it can be played now. Otherwise it waits for a branch.
pub(crate) fn admit(turn: &mut Turn, envelope: Envelope) -> Option<Envelope> {
    if turn.world.asleep().branches.is_empty() {
        return Some(envelope);
    }
    let session = envelope.input.session();
    if let Some(branch) = session.and_then(|session| turn.sleepers.awaited_by(session)) {
        defer(turn, branch, envelope);
        return None;
    }
    let (account, enters) = match &envelope.input {
        Input::DeleteAccount { account, .. } => (Some(*account), false),
        input => (input.entering_account(), true),
    };
    let refused = account.and_then(|account| asleep::require_awake_around(turn, account).err());
    match (refused, session) {
        (Some(Refusal::BranchAsleep(branch)), _) => {
            defer(turn, branch, envelope);
            None
        }
        (Some(refusal), Some(session)) if enters => {
            login::refuse_entry(turn, session, refusal.markup().text());
            None
        }
        _ => Some(envelope),
    }
}

/// Keeps an input until a branch is awake.
fn defer(turn: &mut Turn, branch: BranchId, envelope: Envelope) {
    let (session, most) = (envelope.input.session(), turn.config.limits.inputs_waiting);
    if !turn.sleepers.defer(branch, envelope, most)
        && let Some(who) = session.and_then(|session| turn.seats.get(&session)).map(|seat| seat.character)
    {
        tell::tell(turn, who, Class::Refusal, Refusal::TooManyWait.markup());
    }
}

/// Takes the rows of a branch into memory. The inputs that waited for them are played next. `None` means that they
/// cannot be read: the branch stays asleep.
pub(crate) fn wake_branch(turn: &mut Turn, branch: BranchId, rows: Option<Arc<BranchRows>>) {
    turn.sleepers.note_read(branch, rows.is_some());
    // A game that was reloaded from storage may get rows that it has not requested.
    if let Some(rows) = rows.filter(|_| turn.world.is_asleep(branch)) {
        turn.world.wake(branch, Arc::unwrap_or_clone(rows));
        resume_branch(turn, branch);
        asleep::schedule_sleep(turn, branch);
    }
    if turn.sleepers.take_doomed(branch) && !turn.world.is_asleep(branch) {
        expiry::collapse(turn, branch);
    }
}

/// Schedules the timers that follow from the rows of a branch.
fn resume_branch(turn: &mut Turn, branch: BranchId) {
    for item in asleep::items_in(turn, branch) {
        if let Some(at) = turn.world.items[item].gone_at {
            turn.timers.schedule(at, Timer::Crumble(item));
        }
    }
    let mobs = turn.world.branch_index(branch).map(|index| index.mobs.clone()).unwrap_or_default();
    for mob in mobs {
        affects::schedule_affects(turn, mob);
        creature::resume_mind(turn, mob);
    }
}

/// Lets the sleeping branches collapse whose start room has been removed.
pub(crate) fn resume_collapses(turn: &mut Turn) {
    let detached = |branch: &BranchId| turn.world.branches.get(*branch).is_some_and(|row| row.is_detached);
    let doomed: Vec<BranchId> = turn.world.asleep().branches.iter().copied().filter(detached).collect();
    for branch in doomed {
        turn.sleepers.doom(branch);
    }
}

/// Repeats the current input when a branch is awake.
pub(crate) fn repeat_later(turn: &mut Turn, branch: BranchId, input: Input) {
    let caller = turn.caller;
    defer(turn, branch, Envelope { caller, ..input.into() });
}
