//! The books that the world keeps: a line for what staff do, and what is old goes, a little at a time.

use super::timers::Timer;
use super::turn::Turn;
use crate::base::{AccountId, GameTime, Span};
use crate::world::AuditRecord;

/// How often something goes.
const EVERY: Span = Span::mins(10);
/// Lines of what staff did that go at once.
const AUDIT_STEP: usize = 500;

/// Writes down what staff did, or, without an account, the operator.
pub(crate) fn audit(turn: &mut Turn, account: Option<AccountId>, action: &str) {
    let name = account.and_then(|account| turn.world.accounts.get(account)).map(|row| row.name.clone());
    let name = name.unwrap_or_else(|| "the operator".into());
    write_down(turn, account, name, action.to_owned());
}

/// Writes down what the server did by itself.
pub(crate) fn audit_own(turn: &mut Turn, action: String) {
    write_down(turn, None, "the server".into(), action);
}

fn write_down(turn: &mut Turn, account: Option<AccountId>, name: String, action: String) {
    let (id, at, most) = (turn.world.new_audit_id(), turn.now, turn.config.limits.audit_lines);
    turn.world.audit(AuditRecord { id, at, account, name, action }, most);
}

/// Lets go of some of what is older than it has to be kept.
pub(crate) fn trim_books(turn: &mut Turn) {
    let limits = &turn.config.limits;
    let (audit, ledger) = (turn.now - limits.audit_kept, turn.now - limits.ledger_kept);
    turn.world.forget_audit(audit, AUDIT_STEP);
    // Before there was an account there was nothing to write down.
    let began = turn.world.accounts.iter().next().map(|(_, first)| first.created_at);
    if began.is_some_and(|began: GameTime| began < ledger) {
        turn.world.forget_ledger(ledger);
    }
    schedule_trim(turn);
}

/// When it is looked at next.
pub(crate) fn schedule_trim(turn: &mut Turn) {
    turn.timers.schedule(turn.now + EVERY, Timer::TrimBooks);
}
