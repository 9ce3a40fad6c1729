//! Results of searches that took several steps.

use crate::access::permissions;
use crate::building::zones;
use crate::command::build::{check, find};
use crate::effect::Class;
use crate::message::tell;
use crate::state::sweeps::SearchTarget;
use crate::turn::Turn;
use deepwell_core::base::Right;

/// Continues the next due search, and sends its result when it has finished.
pub(crate) fn go_on(turn: &mut Turn) {
    let Some((session, who, sweep)) = zones::sweep::next_slice(turn) else { return };
    let may = turn.seats.get(&session).is_some_and(|seat| permissions::has(turn, seat.account, Right::Look));
    if !may {
        return;
    }
    let result = match sweep.sought {
        SearchTarget::Mistakes { .. } => Ok(check::report(turn, sweep)),
        _ => find::report(turn, sweep),
    };
    match result {
        Ok(page) => tell::tell(turn, who, Class::Reply, page),
        Err(refusal) => tell::refuse(turn, who, &refusal),
    }
    turn.outbox.prompt(session);
}
