//! Walks of several steps: a player follows a plan, a step at a time, until something happens.

use crate::access::sanctions;
use crate::character::stats;
use crate::effect::Class;
use crate::exit::{hidden, pathfinding};
use crate::message::{naming, tell};
use crate::movement;
use crate::refusal::{self, Refusal, refuse};
use crate::room::features::trap;
use crate::room::{explored, features};
use crate::state::awake::WalkPlan;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, RuleLimit, Span};
use deepwell_core::text::Markup;
use deepwell_core::world::{Exit, ExitKind, Posture};
use std::collections::VecDeque;

/// Takes the first step of a plan, given as names of exits, and follows the others later. Any other plan ends.
pub(crate) fn begin(turn: &mut Turn, who: CharacterId, steps: Vec<String>) -> Result<(), Refusal> {
    refusal::require_at_most(&turn.config.limits, RuleLimit::WalkSteps, steps.len(), |most| {
        refuse!("A walk has {most} steps at most. Name a place that is nearer.")
    })?;
    cancel(turn, who);
    take_step(turn, who, steps.into())
}

/// Ends the plan of a character. Returns `false` if the character has no plan.
pub(crate) fn cancel(turn: &mut Turn, who: CharacterId) -> bool {
    turn.awake.take(who, |body| body.walk_plan.take()).flatten().is_some()
}

/// Takes the next step of a player whose plan is due, unless the player has moved in another way since or is frozen, or something
/// has happened.
pub(crate) fn walk_due(turn: &mut Turn, who: CharacterId, due: GameTime) {
    let plan = turn.awake.get(who).and_then(|body| body.walk_plan.as_ref());
    if plan.is_none_or(|plan| plan.due != due) {
        return;
    }
    let plan = turn.awake.take(who, |body| body.walk_plan.take()).flatten();
    let Some(plan) = plan.filter(|_| turn.seated.contains_key(&who)) else { return };
    let body = &turn.world.characters[who];
    let is_off = body.arrived_at != plan.arrived_at || body.room != plan.room;
    let is_frozen = body.account.is_some_and(|account| sanctions::is_frozen(turn, account));
    if is_off || is_frozen || matches!(body.posture, Posture::Resting | Posture::Asleep) {
        return;
    }
    let is_hurt = stats::hp(turn, who) < plan.hp;
    let reason = company(turn, who).or_else(|| is_hurt.then(|| "you are hurt".to_owned()));
    if let Some(reason) = reason.or_else(|| danger_ahead(turn, who, &plan)) {
        return tell_stop(turn, who, &reason);
    }
    if let Err(reason) = take_step(turn, who, plan.steps) {
        turn.outbox.count_refusal(&reason);
        tell::tell(turn, who, Class::Notice, reason.markup().and(" You stop."));
    }
}

/// Takes a step, and schedules the next one unless the place of arrival is a reason to stop.
fn take_step(turn: &mut Turn, who: CharacterId, mut steps: VecDeque<String>) -> Result<(), Refusal> {
    let name = steps.pop_front().unwrap_or_default();
    let exit = hidden::seen_named(turn, who, &name).ok_or(Refusal::NoWay)?;
    let (id, is_new) = (exit.id, exit.to.is_none_or(|to| !explored::knows(turn, who, to)));
    movement::walk(turn, who, id)?;
    if steps.is_empty() || turn.world.characters.get(who).is_none() {
        return Ok(());
    }
    let is_new = is_new.then(|| "you have not been here before".to_owned());
    if let Some(reason) = company(turn, who).or(is_new) {
        tell_stop(turn, who, &reason);
        return Ok(());
    }
    let body = &turn.world.characters[who];
    let (room, arrived_at, hp) = (body.room, body.arrived_at, stats::hp(turn, who));
    let due = turn.now + Span::millis(turn.catalog.rules.walk.step_millis.into());
    turn.timers.schedule(due, Timer::Walk(who));
    turn.awake.edit(who).walk_plan = Some(WalkPlan { steps, due, room, arrived_at, hp });
    Ok(())
}

fn tell_stop(turn: &mut Turn, who: CharacterId, reason: &str) {
    tell::tell(turn, who, Class::Notice, Markup::plain(&format!("You stop: {reason}.")));
}

/// Returns the reason to stop in a room: a fight or, in rooms where fights are possible, another character who is neither a
/// companion nor a member of the party.
fn company(turn: &Turn, who: CharacterId) -> Option<String> {
    let body = &turn.world.characters[who];
    if body.target.is_some() || body.posture == Posture::Down {
        return Some("there is a fight".to_owned());
    }
    if !turn.world.rooms[body.room].is_deadly() {
        return None;
    }
    let party = turn.world.parties.of(who);
    let is_strange = |other: &&CharacterId| {
        let row = &turn.world.characters[**other];
        let is_own = row.master.is_some() || (party.is_some() && turn.world.parties.of(**other) == party);
        **other != who && !is_own
    };
    let other = turn.world.occupants(body.room).iter().find(is_strange)?;
    Some(format!("{} is here", naming::name_of(turn, *other).text()))
}

/// Returns what is dangerous about the next step: the beginning of a branch, a way that is left for good, a sign or a trap.
fn danger_ahead(turn: &Turn, who: CharacterId, plan: &WalkPlan) -> Option<String> {
    let exit = hidden::seen_named(turn, who, plan.steps.front()?)?;
    Some(format!("{} {}", reason_to_wait(turn, exit)?, exit.name))
}

fn reason_to_wait(turn: &Turn, exit: &Exit) -> Option<&'static str> {
    if exit.kind == ExitKind::Branch {
        return Some("the dungeon begins behind the exit");
    }
    if pathfinding::leaves_for_good(turn, exit) {
        return Some("you cannot come back by the exit");
    }
    if features::sign_of(exit).is_some() {
        return Some("there is a sign at the exit");
    }
    trap::sign(turn, exit).map(|_| "there is a trap on the way")
}
