//! Web builder: requests of the web client for builders. It returns zones and rooms as data (`view`) and runs building
//! commands in the selected room. Rights, refusals, journal and limits are the same as in the game. The builder's
//! character is not involved. A change names the revision of the room that it was made for. Lines can be checked before
//! they are run (`dry_run`).

mod definitions;
mod dry_run;
mod packages;
mod scripts;
mod view;
mod zone_parts;

use crate::access::{audit_log, login_policy, permissions};
use crate::account::login;
use crate::building::pace;
use crate::command::parse::{Actor, is_quelled};
use crate::command::web_line::{LineResult, run_line};
use crate::command::{build_from_web, staff_page};
use crate::effect::{Declined, Effect};
use crate::input::builder_request::{BuilderRequest, WebPage};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right, RoomId, SessionId};
use deepwell_core::world::SeatToken;
use serde::Serialize;

/// Maximum number of lines per request.
const LINES_MAX: usize = 64;

const CHANGED: &str =
    "Somebody has changed this room since you opened it. Nothing was done, and what you wrote is still here.";

/// Logs an account in to the web builder or the staff page by storing its token.
pub(crate) fn log_in_builder(
    turn: &mut Turn,
    asker: SessionId,
    account: AccountId,
    token: String,
    page: WebPage,
) {
    let opened = page_character(turn, account, page).and_then(|who| {
        turn.require_writable()?;
        let limits = &turn.config.limits;
        let (most, until, now) = (limits.desks as usize, turn.now + limits.desk_life, turn.now);
        if let Some(row) = turn.world.accounts.edit(account) {
            row.desk_tokens.retain(|kept| now < kept.until && kept.hash != token);
            row.desk_tokens.push(SeatToken { hash: token, until });
            let over = row.desk_tokens.len().saturating_sub(most);
            row.desk_tokens.drain(..over);
        }
        login::note_address(turn, account);
        audit_log::audit(turn, Some(account), page.opened());
        Ok(match page {
            WebPage::Build => serde_json::to_value(view::zones(turn, account, who)).unwrap_or_default(),
            WebPage::Staff => staff_page::overview(turn, account),
        })
    });
    let opened = opened.map_err(|declined| match declined {
        Declined::LoggedOut if page == WebPage::Staff => Declined::NotStaff,
        Declined::LoggedOut => Declined::NotABuilder,
        other => other,
    });
    answer(turn, asker, opened);
}

/// Logs out of the web builder by removing the token.
pub(crate) fn log_out_builder(turn: &mut Turn, asker: SessionId, account: AccountId, token: &str) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.desk_tokens.retain(|kept| kept.hash != token);
    }
    answer(turn, asker, Ok(()));
}

/// Answers a request with a valid token.
pub(crate) fn serve(turn: &mut Turn, asker: SessionId, account: AccountId, ask: BuilderRequest) {
    let page = match ask {
        BuilderRequest::Staff(_) => WebPage::Staff,
        _ => WebPage::Build,
    };
    let who = match page_character(turn, account, page) {
        Ok(who) => who,
        Err(declined) => return answer::<()>(turn, asker, Err(declined)),
    };
    let actor = Actor { session: asker, account, who };
    if let BuilderRequest::Staff(ask) = ask {
        let reply = staff_page::serve(turn, asker, account, who, ask);
        return answer(turn, asker, reply);
    }
    if let Err(refusal) = pace::require_rest(turn, account) {
        return answer::<()>(turn, asker, Err(refusal.into()));
    }
    pace::charged(turn, Some(account), |turn| serve_builder(turn, actor, ask));
}

/// Answers a request of the web builder.
fn serve_builder(turn: &mut Turn, actor: Actor, ask: BuilderRequest) {
    let Actor { session: asker, account, who } = actor;
    match ask {
        BuilderRequest::Staff(_) => {}
        BuilderRequest::Zones => {
            let zones = view::zones(turn, account, who);
            answer(turn, asker, Ok(zones));
        }
        BuilderRequest::Zone { zone, known, check } => {
            let zone = view::zone(turn, account, &zone, known.as_deref(), check);
            answer(turn, asker, zone);
        }
        BuilderRequest::Room { room } => {
            let view = require_built_room(turn, room).map(|()| view::room(turn, account, room));
            answer(turn, asker, view);
        }
        BuilderRequest::Scripts { zone } => {
            let scripts = scripts::scripts(turn, account, &zone);
            answer(turn, asker, scripts);
        }
        BuilderRequest::Script { script, zone } => {
            let script = scripts::script(turn, account, &zone, &script);
            answer(turn, asker, script);
        }
        BuilderRequest::Definitions { kind, zone } => {
            let list = definitions::list(turn, account, &zone, kind);
            answer(turn, asker, Ok(list));
        }
        BuilderRequest::Definition { kind, key, zone } => {
            let one = definitions::one(turn, account, &zone, kind, &key);
            answer(turn, asker, one);
        }
        BuilderRequest::Parts { kind, zone } => {
            let list = zone_parts::list(turn, account, &zone, kind);
            answer(turn, asker, list);
        }
        BuilderRequest::Part { kind, key, zone } => {
            let one = zone_parts::one(turn, account, &zone, kind, &key);
            answer(turn, asker, one);
        }
        BuilderRequest::Pack { zone } => {
            let package = packages::pack(turn, actor, zone);
            answer(turn, asker, package);
        }
        BuilderRequest::Unpack(upload) => {
            let done = packages::unpack(turn, actor, &upload);
            answer(turn, asker, done);
        }
        BuilderRequest::Build { room, revision, lines } => {
            let done = build(turn, actor, room, revision.as_deref(), &lines);
            answer(turn, asker, done);
        }
        BuilderRequest::Try { room, lines } => {
            let tried = require_few_lines(&lines).and_then(|()| require_built_room(turn, room));
            let tried = tried.map(|()| dry_run::try_lines(turn, actor, room, &lines));
            answer(turn, asker, tried);
        }
    }
}

/// Results of a request to build.
#[derive(Serialize)]
struct BuildResult {
    told: Vec<LineResult>,
    /// Set if nothing was done because the room has changed in between.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<&'static str>,
    /// Current state of the room, if it still exists.
    room: Option<view::RoomView>,
}

/// Runs lines in a room until one is refused.
fn build(
    turn: &mut Turn,
    actor: Actor,
    room: RoomId,
    revision: Option<&str>,
    lines: &[String],
) -> Result<BuildResult, Declined> {
    require_few_lines(lines)?;
    require_built_room(turn, room)?;
    let before = view::room(turn, actor.account, room);
    if revision.is_some_and(|revision| revision != before.revision) {
        return Ok(BuildResult { told: Vec::new(), changed: Some(CHANGED), room: Some(before) });
    }
    let mut results = Vec::new();
    for line in lines {
        let result = run_line(turn, actor, room, line, build_from_web);
        let refused = result.refused;
        results.push(result);
        if refused || require_built_room(turn, room).is_err() {
            break;
        }
    }
    let room = require_built_room(turn, room).is_ok().then(|| view::room(turn, actor.account, room));
    Ok(BuildResult { told: results, changed: None, room })
}

/// Returns the character as which an account builds or acts as staff, if it may.
fn page_character(turn: &Turn, account: AccountId, page: WebPage) -> Result<CharacterId, Declined> {
    let may = |account| match page {
        WebPage::Build => permissions::has(turn, account, Right::Look),
        WebPage::Staff => permissions::is_staff(turn, account),
    };
    let row = turn.world.accounts.get(account).filter(|row| may(row.id));
    let row = row.ok_or(Declined::LoggedOut)?;
    let own =
        |who: &CharacterId| turn.world.characters.get(*who).is_some_and(|body| body.account == Some(account));
    let who = row.last_character.filter(own).or_else(|| turn.world.characters_of(account).find(own));
    let who = who.ok_or(Declined::NoCharacter)?;
    login_policy::require_may_play(turn, account, who)?;
    if is_quelled(turn, who) {
        return Err(Declined::Quelled);
    }
    Ok(who)
}

/// Refuses rooms that do not exist or were not built by hand.
fn require_built_room(turn: &Turn, room: RoomId) -> Result<(), Declined> {
    let row = turn.world.rooms.get(room).filter(|row| row.branch.is_none());
    row.map(|_| ()).ok_or(Declined::NoRoom)
}

fn require_few_lines(lines: &[String]) -> Result<(), Declined> {
    if lines.len() > LINES_MAX { Err(Declined::TooManyLines) } else { Ok(()) }
}

fn answer<T: Serialize>(turn: &mut Turn, asker: SessionId, result: Result<T, Declined>) {
    let answer = result.and_then(|value| {
        serde_json::to_string(&value).map(|text| vec![text]).map_err(|error| error.to_string().into())
    });
    turn.outbox.push(Effect::Answered { asker, answer });
}
