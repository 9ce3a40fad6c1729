//! Affects: what hangs on a body for a while, told when it begins and when it ends. They are rows with an end, so that
//! they outlive a restart; only bodies that bleed or mend have a timer that comes each round.

use crate::base::{CharacterId, GameTime, Span};
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::timers::Timer;
use crate::game::turn::Turn;
use crate::game::{abilities, body, naming, tell};
use crate::text::grammar;
use crate::world::Affect;

/// Hangs an affect on a body for so many rounds, or for as long as it usually lasts. One that is there already
/// lasts for the longer of the two times.
pub(crate) fn apply_affect(turn: &mut Turn, who: CharacterId, key: &str, rounds: Option<u32>) {
    let Some(prototype) = turn.catalog.affects.get(key) else { return };
    let (begins, state) = (prototype.begins.clone(), format!(" is {}.", prototype.name));
    let (bleeds, rounds) = (prototype.hp_per_round != 0, rounds.unwrap_or(prototype.rounds));
    let span = turn.config.round.0.saturating_mul(i64::from(rounds.max(1)));
    let until = turn.now + Span(span);
    let hp = body::hp(turn, who);
    let Some(body) = turn.world.characters.edit(who) else { return };
    if let Some(affect) = body.affects.iter_mut().find(|affect| affect.key == key) {
        affect.until = affect.until.max(until);
        return;
    }
    body.affects.push(Affect { key: key.to_owned(), until });
    let room = body.room;
    turn.happen(Happening::AffectsChanged { who });
    body::set_hp(turn, who, hp);
    schedule_look(turn, who, until);
    if bleeds {
        schedule_tick(turn, who);
    }
    tell::tell(turn, who, Class::Notice, begins);
    if tell::is_heard(turn, room) {
        tell::tell_room(turn, room, &[who], Class::Notice, naming::name_of(turn, who).and(&state));
    }
}

/// Takes an affect off a body, and says so.
pub(crate) fn end_affect(turn: &mut Turn, who: CharacterId, key: &str) {
    if !turn.world.characters[who].affects.iter().any(|affect| affect.key == key) {
        return;
    }
    let hp = body::hp(turn, who);
    turn.world.characters.change(who, |body| body.affects.retain(|affect| affect.key != key));
    turn.happen(Happening::AffectsChanged { who });
    body::set_hp(turn, who, hp);
    if let Some((ends, hushes)) = turn.catalog.affects.get(key).map(|kind| (kind.ends.clone(), kind.hushes)) {
        tell::tell(turn, who, Class::Notice, ends);
        if hushes {
            turn.happen(Happening::Exposed { room: turn.world.characters[who].room });
        }
    }
}

/// A body is noticed whatever kept it from that.
pub(crate) fn end_hush(turn: &mut Turn, who: CharacterId) {
    let hushes: Vec<String> =
        body::affects_on(turn, who).filter(|affect| affect.hushes).map(|affect| affect.key.clone()).collect();
    for key in hushes {
        end_affect(turn, who, &key);
    }
}

/// Takes everything off a body without a word.
pub(crate) fn end_all_affects(turn: &mut Turn, who: CharacterId) {
    if !turn.world.characters[who].affects.is_empty()
        && let Some(body) = turn.world.characters.edit(who)
    {
        body.affects.clear();
        turn.happen(Happening::AffectsChanged { who });
    }
}

/// What hangs on a body, for its sheet: name, what it does, and how long it still lasts.
pub(crate) fn affects_in_words(turn: &Turn, who: CharacterId) -> Vec<String> {
    let affects = turn.world.characters[who].affects.iter();
    let known = affects.filter_map(|affect| Some((turn.catalog.affects.get(&affect.key)?, affect.until)));
    known
        .map(|(affect, until)| {
            // Where rounds wait for their player, an end may be behind us and yet to come.
            let left = Span((until.0 - turn.now.0).max(0));
            let name = grammar::capitalise(&affect.name).into_owned();
            format!("{name}, for {left}: {}", affect.description)
        })
        .collect()
}

/// Sees to it that what hangs on a body is looked at by then; one reminder waits at a time, the earliest.
pub(crate) fn schedule_look(turn: &mut Turn, who: CharacterId, at: GameTime) {
    if turn.affect_times.look(who, at) {
        turn.timers.schedule(at, Timer::Affect(who));
    }
}

/// Ends what is over and sees to it that the rest ends in time.
pub(crate) fn settle_affects(turn: &mut Turn, who: CharacterId) {
    let now = turn.now;
    let affects = turn.world.characters[who].affects.iter();
    let over: Vec<String> =
        affects.filter(|affect| affect.until <= now).map(|affect| affect.key.clone()).collect();
    for key in over {
        end_affect(turn, who, &key);
    }
    schedule_affects(turn, who);
}

/// Schedules the first end of what hangs on a body, and its bleeding or mending.
pub(crate) fn schedule_affects(turn: &mut Turn, who: CharacterId) {
    let first = turn.world.characters[who].affects.iter().map(|affect| affect.until).min();
    if let Some(first) = first {
        schedule_look(turn, who, first);
        schedule_tick(turn, who);
    }
}

pub(crate) fn schedule_tick(turn: &mut Turn, who: CharacterId) {
    if body::affects_on(turn, who).any(|affect| affect.hp_per_round != 0) {
        let next = turn.now + turn.config.round;
        let next = turn.affect_times.tick(who, next);
        schedule_look(turn, who, next);
    }
}

/// Time stood still for a body for so long: what hangs on it lasts, and its abilities rest, that much longer (or, if a
/// round came before its time, less long).
pub(crate) fn shift_affects(turn: &mut Turn, who: CharacterId, late: Span) {
    abilities::shift_rests(turn, who, late);
    if turn.world.characters[who].affects.is_empty() {
        return;
    }
    if let Some(body) = turn.world.characters.edit(who) {
        for affect in &mut body.affects {
            affect.until = GameTime(affect.until.0.saturating_add(late.0));
        }
    }
    settle_affects(turn, who);
}
