//! Audit log of staff actions, and trimming of old audit and ledger entries in small steps.

use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, AuditId, GameTime, Span};
use deepwell_core::text::sanitise;
use deepwell_core::world::AuditRecord;

/// Interval between trims.
const EVERY: Span = Span::mins(10);
/// Name of the operator in the log.
const OPERATOR: &str = "the operator";
/// Maximum number of audit entries deleted per trim.
const AUDIT_STEP: usize = 500;

/// Logs an action of the operator, with the name of that user of the machine if it is known.
pub(crate) fn audit_operator(turn: &mut Turn, by: Option<&str>, action: &str) -> AuditId {
    let name = by.map_or_else(|| OPERATOR.to_owned(), |by| format!("{OPERATOR} ({by})"));
    write_down(turn, None, name, action)
}

/// Logs an action of staff or, without an account, of the operator. Returns the entry.
pub(crate) fn audit(turn: &mut Turn, account: Option<AccountId>, action: &str) -> AuditId {
    let name = account.and_then(|account| turn.world.accounts.get(account)).map(|row| row.name.clone());
    let name = name.unwrap_or_else(|| OPERATOR.into());
    write_down(turn, account, name, action)
}

/// Logs an action of the server itself.
pub(crate) fn audit_own(turn: &mut Turn, action: &str) {
    write_down(turn, None, "the server".into(), action);
}

/// Adds an entry: one line of clean text, wherever the action comes from.
fn write_down(turn: &mut Turn, account: Option<AccountId>, name: String, action: &str) -> AuditId {
    let (id, at, most) = (turn.world.new_audit_id(), turn.now, turn.config.limits.audit_lines);
    // A field that is written line by line may exceed the length of a typed line.
    let action = sanitise::clean_line(action, turn.config.limits.line_bytes as usize);
    turn.world.audit.write(AuditRecord { id, at, account, name, action }, most);
    id
}

/// Deletes some of the audit and ledger entries that are past their retention, and schedules the next trim.
pub(crate) fn trim_logs(turn: &mut Turn) {
    let limits = &turn.config.limits;
    let (audit, ledger) = (turn.now - limits.audit_kept, turn.now - limits.ledger_kept);
    turn.world.audit.prune(audit, AUDIT_STEP);
    // The ledger has no entries from before the first account.
    let began = turn.world.accounts.iter().next().map(|(_, first)| first.created_at);
    if began.is_some_and(|began: GameTime| began < ledger) {
        turn.world.forget_ledger(ledger);
    }
    schedule_trim(turn);
}

/// Schedules the next trim.
pub(crate) fn schedule_trim(turn: &mut Turn) {
    turn.timers.schedule(turn.now + EVERY, Timer::TrimLogs);
}
