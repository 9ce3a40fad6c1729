//! Results of searches that took several steps.

use crate::base::Right;
use crate::game::access::permissions;
use crate::game::building::zones;
use crate::game::command::build::{check, find};
use crate::game::effect::Class;
use crate::game::message::tell;
use crate::game::state::sweeps::SearchTarget;
use crate::game::turn::Turn;

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
