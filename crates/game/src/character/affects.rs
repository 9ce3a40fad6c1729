//! Affects: timed effects on a character, announced when they begin and end. They are stored as rows with an end time
//! and so survive a restart. Only affects that change hit points need a timer each round.

use crate::character::{abilities, stats, wounds};
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, Span};
use deepwell_core::text::grammar;
use deepwell_core::world::Affect;

/// Applies an affect for `rounds`, or for its default duration. An affect that is already active keeps the later of the
/// two end times.
pub(crate) fn apply_affect(turn: &mut Turn, who: CharacterId, key: &str, rounds: Option<u32>) {
    let Some(prototype) = turn.catalog.affects.get(key) else { return };
    let (begins, state) = (prototype.begins.clone(), format!(" is {}.", prototype.name));
    let (bleeds, rounds) = (prototype.hp_per_round != 0, rounds.unwrap_or(prototype.rounds));
    let span = turn.config.round.0.saturating_mul(i64::from(rounds.max(1)));
    let until = turn.now + Span(span);
    let hp = stats::hp(turn, who);
    let Some(body) = turn.world.characters.edit(who) else { return };
    if let Some(affect) = body.affects.iter_mut().find(|affect| affect.key == key) {
        affect.until = affect.until.max(until);
        return;
    }
    body.affects.push(Affect { key: key.to_owned(), until });
    let room = body.room;
    turn.emit_event(GameEvent::AffectsChanged { who });
    stats::set_hp(turn, who, hp);
    schedule_affect_check(turn, who, until);
    if bleeds {
        schedule_tick(turn, who);
    }
    tell::tell(turn, who, Class::Notice, begins);
    if tell::has_audience(turn, room) {
        tell::tell_room(turn, room, &[who], Class::Notice, naming::name_of(turn, who).and(&state));
    }
}

/// Ends an affect and notifies the character.
pub(crate) fn end_affect(turn: &mut Turn, who: CharacterId, key: &str) {
    if !turn.world.characters[who].affects.iter().any(|affect| affect.key == key) {
        return;
    }
    let hp = stats::hp(turn, who);
    turn.world.characters.change(who, |body| body.affects.retain(|affect| affect.key != key));
    turn.emit_event(GameEvent::AffectsChanged { who });
    stats::set_hp(turn, who, hp);
    if let Some((ends, hushes)) = turn.catalog.affects.get(key).map(|kind| (kind.ends.clone(), kind.hushes)) {
        tell::tell(turn, who, Class::Notice, ends);
        if hushes {
            turn.emit_event(GameEvent::Exposed { room: turn.world.characters[who].room });
        }
    }
}

/// Ends all affects that hide the character from creatures.
pub(crate) fn end_hush(turn: &mut Turn, who: CharacterId) {
    let hushes: Vec<String> = stats::affects_on(turn, who)
        .filter(|affect| affect.hushes)
        .map(|affect| affect.key.clone())
        .collect();
    for key in hushes {
        end_affect(turn, who, &key);
    }
}

/// Removes all affects without messages.
pub(crate) fn end_all_affects(turn: &mut Turn, who: CharacterId) {
    if !turn.world.characters[who].affects.is_empty()
        && let Some(body) = turn.world.characters.edit(who)
    {
        body.affects.clear();
        turn.emit_event(GameEvent::AffectsChanged { who });
    }
}

/// Returns the wounds and affects of a character for the character sheet: name, remaining time and description.
pub(crate) fn affects_in_words(turn: &Turn, who: CharacterId) -> Vec<String> {
    let affects = turn.world.characters[who].affects.iter();
    let known = affects.filter_map(|affect| Some((turn.catalog.affects.get(&affect.key)?, affect.until)));
    known
        .map(|(affect, until)| {
            // While rounds wait for their player, the end time may have passed with the affect still active.
            let left = Span((until.0 - turn.now.0).max(0));
            let name = grammar::capitalise(&affect.name).into_owned();
            format!("{name}, for {left}: {}", affect.description)
        })
        .chain(
            wounds::name_of_wounds(turn, who).map(|name| {
                format!("{}: {}", grammar::capitalise(&name), wounds::describe_wounds(turn, who))
            }),
        )
        .collect()
}

/// Schedules a check of a character's affects at `at`. Each character has one pending check, the earliest.
pub(crate) fn schedule_affect_check(turn: &mut Turn, who: CharacterId, at: GameTime) {
    if turn.affect_times.look(who, at) {
        turn.timers.schedule(at, Timer::Affect(who));
    }
}

/// Ends expired affects and schedules the next expiry.
pub(crate) fn expire_affects(turn: &mut Turn, who: CharacterId) {
    let now = turn.now;
    let affects = turn.world.characters[who].affects.iter();
    let over: Vec<String> =
        affects.filter(|affect| affect.until <= now).map(|affect| affect.key.clone()).collect();
    for key in over {
        end_affect(turn, who, &key);
    }
    schedule_affects(turn, who);
}

/// Schedules the check for the earliest end of the character's affects, and the tick of affects that change hit points.
pub(crate) fn schedule_affects(turn: &mut Turn, who: CharacterId) {
    let first = turn.world.characters[who].affects.iter().map(|affect| affect.until).min();
    if let Some(first) = first {
        schedule_affect_check(turn, who, first);
        schedule_tick(turn, who);
    }
}

pub(crate) fn schedule_tick(turn: &mut Turn, who: CharacterId) {
    if stats::affects_on(turn, who).any(|affect| affect.hp_per_round != 0) {
        let next = turn.now + turn.config.round;
        let next = turn.affect_times.tick(who, next);
        schedule_affect_check(turn, who, next);
    }
}

/// Moves the ends of affects and cooldowns by `late`, the time for which rounds were suspended. A negative `late`,
/// after an early round, shortens them.
pub(crate) fn postpone_affects(turn: &mut Turn, who: CharacterId, late: Span) {
    abilities::extend_cooldowns(turn, who, late);
    if turn.world.characters[who].affects.is_empty() {
        return;
    }
    if let Some(body) = turn.world.characters.edit(who) {
        for affect in &mut body.affects {
            affect.until = GameTime(affect.until.0.saturating_add(late.0));
        }
    }
    expire_affects(turn, who);
}
