//! Journal entries for building commands and digging steps.

use crate::building::journal;
use crate::command::parse::Actor;
use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;

/// Runs a change and records what it modified in the journal.
pub(crate) fn write_down<T>(
    turn: &mut Turn,
    actor: Actor,
    line: &str,
    work: impl FnOnce(&mut Turn) -> T,
) -> T {
    let from = turn.workplace(actor.who);
    journal::watch(turn);
    let done = work(turn);
    if let Some(notice) = journal::write_entry(turn, Some(actor.account), line, Some(from)) {
        tell::tell(turn, actor.who, Class::Notice, notice);
    }
    done
}
