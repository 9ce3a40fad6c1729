//! Combat rounds of a room with a fight. For a lone player with held rounds enabled, a round runs only after a command
//! that uses an action. Affects in that room are paused as well, so that thinking time makes no difference.

pub(crate) mod ticks;
pub(crate) mod deeds;

use crate::attack::narrate;
use crate::character::{affects, stats};
use crate::combat::manoeuvres;
use crate::combat::rounds::ticks::apply_affect_tick;
use crate::creature::companion;
use crate::effect::Class;
use crate::message::tell;
use crate::movement::flee;
use crate::refusal::Refusal;
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::Turn;
use crate::{attack, creature};
use deepwell_core::base::{CharacterId, GameTime, RoomId, Span};
use deepwell_core::text::act::Template;
use deepwell_core::world::Posture;

const WATCH: Template =
    Template::new("{actor} {stands|stand} still and {waits|wait}, ready for whatever comes.");

/// Holds a round that is due, and checks again one round later.
fn hold_round(turn: &mut Turn, room: RoomId, due: GameTime) {
    let next = turn.now + turn.config.round;
    turn.rounds.hold(room, due);
    turn.rounds.put_off(room, next);
    turn.timers.schedule(next, Timer::Round(room));
}

/// Runs a held round after an action that takes a round.
pub(crate) fn pass_held_round(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    if attack::is_held_back(turn, room) {
        let due = turn.rounds.next(room).unwrap_or(turn.now);
        turn.rounds.hold(room, due);
        play_round(turn, room);
    }
}

/// Releases a held round. The affects of the occupants are shifted by its delay or earliness, and each affect acts
/// once.
fn release_round(turn: &mut Turn, room: RoomId) {
    let Some(due) = turn.rounds.release(room) else { return };
    let late = Span(turn.now.0 - due.0);
    for who in turn.world.occupants(room).to_vec() {
        turn.awake.take(who, |body| body.stance.strained_until = None);
        if turn.world.characters.get(who).is_some() {
            apply_affect_tick(turn, who);
        }
        if turn.world.characters.get(who).is_some() {
            affects::postpone_affects(turn, who, late);
        }
    }
}

/// Passes a held round. Outside a fight, takes a stance that attacks first.
pub(crate) fn wait(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    let room = turn.world.characters[who].room;
    if let Some(next) = turn.rounds.next(room).filter(|_| attack::has_fight(turn, room)) {
        if attack::waits_for_player(turn, room) {
            turn.emit_event(GameEvent::Acted { who });
            return Ok(());
        }
        let left = Span(next.0 - turn.now.0);
        let message =
            format!("You bide your time. The fight goes on by itself; the next round comes in {left}.");
        tell::tell(turn, who, Class::Reply, message);
        return Ok(());
    }
    stats::get_up(turn, who);
    let now = turn.now;
    turn.awake.edit(who).stance.ready_since.get_or_insert(now);
    tell::act(turn, Class::Notice, &WATCH, who, None, "");
    Ok(())
}

/// Runs a due round, or holds it for a lone player with held rounds enabled.
pub(crate) fn round_due(turn: &mut Turn, room: RoomId, due: GameTime) {
    if turn.rounds.next(room) != Some(due) {
        return;
    }
    if attack::is_held_back(turn, room) {
        hold_round(turn, room, due);
    } else {
        play_round(turn, room);
    }
}

/// Runs one round in a room: each fighter acts once, in order of arrival.
fn play_round(turn: &mut Turn, room: RoomId) {
    release_round(turn, room);
    turn.rounds.end(room);
    companion::rally(turn, room);
    for who in turn.world.occupants(room).to_vec() {
        take_turn(turn, who, room);
    }
    manoeuvres::end_answers(turn, room);
    creature::make_noise(turn, room);
    narrate::tell_tallies(turn);
    let characters = &turn.world.characters;
    for (who, body) in turn.awake.iter_mut() {
        body.stance.spent &= characters.get(who).is_some_and(|row| row.target.is_some());
    }
    if attack::has_fight(turn, room) {
        attack::schedule_round(turn, room);
    } else {
        turn.rounds.end_fight(room);
    }
}

/// Runs the turn of one character in a round. An earlier turn may have killed it or ended its branch.
fn take_turn(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let ready = |turn: &Turn| {
        let body = turn.world.characters.get(who);
        body.is_some_and(|body| body.room == room && body.awake && body.posture != Posture::Down)
    };
    if !ready(turn) || turn.awake.take(who, |body| std::mem::take(&mut body.stance.spent)) == Some(true) {
        return;
    }
    let (creature, fights) = {
        let body = &turn.world.characters[who];
        (!body.is_player(), body.target.is_some())
    };
    if stats::is_stunned(turn, who) {
        manoeuvres::lose(turn, who);
        if fights {
            tell::tell(turn, who, Class::Combat, "You are stunned and strike no blow.");
        }
        return;
    }
    if creature
        && fights
        && (creature::take_creature_turn(turn, who) || !ready(turn) || manoeuvres::take_turn(turn, who))
    {
        return;
    }
    if fights && flee::flee_if_wimpy(turn, who) {
        return;
    }
    let Some(mut target) = turn.world.characters[who].target else { return };
    if stats::is_safe(turn, target) {
        match attack::next_opponent(turn, who) {
            Some(next) => attack::turn_to(turn, who, next),
            None => return,
        }
        target = turn.world.characters[who].target.unwrap_or(target);
    }
    attack::blow(turn, who, target);
}
