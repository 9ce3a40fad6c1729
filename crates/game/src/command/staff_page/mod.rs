//! Staff page: requests of the web page for staff. It shows who is on, reports, bans and branches as data (`view`), and runs
//! staff commands. Rights, refusals and the audit log are the same as in the game. The character of the account is not
//! involved.

mod view;

use crate::access::permissions;
use crate::command::account::password;
use crate::command::parse::Actor;
use crate::command::staff::from_web::staff_from_web;
use crate::command::web_line::run_line;
use crate::effect::Declined;
use crate::input::staff_request::StaffRequest;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right, SessionId};
use serde::Serialize;
use serde_json::Value;

/// Answers a request of an account that is staff.
pub(crate) fn serve(
    turn: &mut Turn,
    asker: SessionId,
    account: AccountId,
    who: CharacterId,
    ask: StaffRequest,
) -> Result<Value, Declined> {
    let require = |turn: &Turn, right| {
        if permissions::has(turn, account, right) { Ok(()) } else { Err(Declined::from(Refusal::NotAllowed)) }
    };
    match ask {
        StaffRequest::Overview => Ok(overview(turn, account)),
        StaffRequest::Floor { branch, floor } => {
            require(turn, Right::Branches)?;
            Ok(value(view::floor(turn, branch, floor)))
        }
        StaffRequest::Line { line } => {
            let room = turn.world.characters[who].room;
            let actor = Actor { session: asker, account, who };
            Ok(value(run_line(turn, actor, room, &line, staff_from_web)))
        }
        StaffRequest::Recover { name, credential } => {
            require(turn, Right::Recover)?;
            password::new_page_code(turn, (asker, account), &name, credential)?;
            Ok(Value::Null)
        }
        StaffRequest::Load => {
            require(turn, Right::Server)?;
            Ok(Value::Null)
        }
    }
}

/// Returns what the page shows first.
pub(crate) fn overview(turn: &Turn, account: AccountId) -> Value {
    value(view::overview(turn, account))
}

fn value(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}
