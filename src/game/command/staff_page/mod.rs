//! Staff page: requests of the web page for staff. It shows who is on, reports, bans and branches as data (`view`), and runs
//! staff commands. Rights, refusals and the audit log are the same as in the game. The character of the account is not
//! involved.

mod view;

use crate::base::{AccountId, CharacterId, Right, SessionId};
use crate::game::access::permissions;
use crate::game::command::parse::Actor;
use crate::game::command::staff::at_desk::staff_at_desk;
use crate::game::effect::Declined;
use crate::game::input::staff_request::StaffRequest;
use crate::game::refusal::Refusal;
use crate::game::state::Desk;
use crate::game::turn::Turn;
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
        StaffRequest::Branch { branch } => {
            require(turn, Right::Branches)?;
            Ok(value(view::branch(turn, branch)))
        }
        StaffRequest::Line { line } => {
            Ok(value(run_line(turn, Actor { session: asker, account, who }, line)))
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

fn value(told: impl Serialize) -> Value {
    serde_json::to_value(told).unwrap_or_default()
}

/// Result of a command.
#[derive(Serialize)]
struct LineResult {
    line: String,
    words: String,
    refused: bool,
}

/// Runs a staff command, and returns what it says.
fn run_line(turn: &mut Turn, actor: Actor, line: String) -> LineResult {
    let room = turn.world.characters[actor.who].room;
    turn.desk = Some(Desk { who: actor.who, room, is_dry_run: false, heard: Vec::new() });
    let done = staff_at_desk(turn, actor, &line);
    let heard = turn.desk.take().map(|desk| desk.heard).unwrap_or_default();
    if let Err(Refusal::Asleep(part)) = done {
        // The page repeats the line.
        turn.sleepers.request(part);
    }
    let refusal = done.err().map(|refusal| refusal.markup().text().to_owned());
    let refused = refusal.is_some();
    let words: Vec<String> = heard.into_iter().chain(refusal).collect();
    LineResult { line, words: words.join("\n"), refused }
}
