//! Scripts that lines call: what a script is told of the moment, and what becomes of what it says. It says lines like those that
//! called it, which are read and carried out like them, and something to remember in the room until it is called again.

use crate::base::{AccountId, CharacterId, Dice, Right, RoomId, Seed};
use crate::catalog::Script;
use crate::catalog::script::{BadScript, Deed};
use crate::game::effect::{Class, Effect};
use crate::game::state::script_faults::Failure;
use crate::game::turn::Turn;
use crate::game::{rights, tell};
use crate::script::{Fault, FaultKind, ScriptLimits, Value};
use std::sync::Arc;

/// Sentence for the player whom a failed script is about.
const STUCK: &str = "Something here begins to move, catches, and stays as it was.";

/// Room, player and words of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'w> {
    /// The room.
    pub(crate) room: RoomId,
    /// Character who set it off.
    pub(crate) whom: Option<CharacterId>,
    /// Words said, or the thing used or looked at.
    pub(crate) words: &'w str,
}

/// Calls a function of a script; the lines that it wants carried out. What it remembers is stored.
pub(super) fn ask_script(turn: &mut Turn, script: &str, function: &str, asked: Asked<'_>) -> Option<Script> {
    let catalog = Arc::clone(&turn.catalog);
    // A script that is gone since the line was written is passed over, as any key that has vanished.
    let program = catalog.scripts.get(script)?;
    if turn.script_faults.is_set_aside(script, function, turn.now) {
        tell_stuck(turn, asked.whom);
        let words = format!(
            "{script} {function} has failed again and again, and is not called for the rest of the minute"
        );
        tell_builders(turn, asked, &words, Told::OneWhoSetItOff);
        return None;
    }
    let event = event(turn, script, asked);
    let mut half = || u64::from(turn.dice.roam.up_to(u32::MAX));
    let seed = Seed((half() << 32) | half());
    let limits = ScriptLimits {
        steps: turn.config.limits.script_steps,
        memory_bytes: turn.config.limits.script_memory_bytes,
        ..ScriptLimits::default()
    };
    let answer = program.call(function, &[event], seed, &limits);
    let most = turn.config.limits.script_state_bytes as usize;
    let read = answer.and_then(|answer| {
        let place = program.place_of(function);
        read_answer(answer, most).map_err(|why| Fault { place, kind: FaultKind::Unfit(why.to_string()) })
    });
    match read {
        Ok((lines, state)) => {
            if let Some(state) = state {
                remember(turn, asked.room, script, state);
            }
            Some(lines)
        }
        Err(fault) => {
            tell_stuck(turn, asked.whom);
            report(turn, script, function, asked, &fault);
            None
        }
    }
}

/// Returns the event that a script is called with.
fn event(turn: &Turn, script: &str, asked: Asked<'_>) -> Value {
    let room = &turn.world.rooms[asked.room];
    let mut event = vec![
        ("words", Value::text(asked.words)),
        ("room", Value::text(&room.name)),
        ("room_number", Value::Number(asked.room.0.into())),
    ];
    let state = room.script_states.get(script).cloned();
    event.push(("state", state.unwrap_or_else(|| Value::table::<&str>([]))));
    let counted = room.counters.iter().map(|(what, count)| (what.as_str(), Value::Number((*count).into())));
    event.push(("counts", Value::table(counted)));
    if let Some(who) = asked.whom {
        let body = &turn.world.characters[who];
        event.push(("who", Value::text(&body.name)));
        event.push(("number", Value::Number(i64::try_from(who.0).unwrap_or(i64::MAX))));
        let kinds = turn.world.carried(who).iter().map(|item| turn.world.items[*item].prototype.clone());
        event.push(("carries", Value::table(kinds.map(|kind| (kind, Value::Truth(true))))));
    }
    Value::table(event)
}

/// Reason why the answer of a script cannot be carried out.
#[derive(Debug, thiserror::Error)]
enum BadAnswer {
    #[error("unknown key `{0}`, expected one of lines, state")]
    UnknownKey(String),
    #[error("{0} where a list of lines is wanted")]
    NoLines(&'static str),
    #[error(transparent)]
    Lines(#[from] BadScript),
    #[error("neither `call` nor `once` can be among the lines of a script")]
    Nested,
    #[error("a state of {bytes} bytes, of which {stored} are stored")]
    TooMuchState { bytes: usize, stored: usize },
}

/// The lines and what is to be remembered: a list of lines, or a table with `lines` and `state`, or nothing.
fn read_answer(answer: Value, state_bytes: usize) -> Result<(Script, Option<Value>), BadAnswer> {
    let (lines, state) = match answer {
        Value::Nil => return Ok((Script::default(), None)),
        Value::Table(mut entries) if !entries.is_empty() => {
            let (lines, state) = (entries.remove("lines"), entries.remove("state"));
            if let Some(name) = entries.keys().next() {
                return Err(BadAnswer::UnknownKey(name.clone()));
            }
            (lines.unwrap_or(Value::List(Vec::new())), state)
        }
        lines => (lines, None),
    };
    let texts = lines.list().and_then(|lines| lines.iter().map(Value::as_text).collect::<Option<Vec<_>>>());
    let texts = texts.ok_or_else(|| BadAnswer::NoLines(lines.kind()))?;
    let script = Script::parse(texts).map_err(BadScript)?;
    let nests = |deed: &Deed| matches!(deed, Deed::Call { .. } | Deed::Once);
    if script.lines().iter().any(|line| nests(&line.deed)) {
        return Err(BadAnswer::Nested);
    }
    let bytes = state.as_ref().map_or(0, Value::bytes);
    if bytes > state_bytes {
        return Err(BadAnswer::TooMuchState { bytes, stored: state_bytes });
    }
    Ok((script, state))
}

/// Stores what a script wants to know when it is called again; an empty table is nothing.
fn remember(turn: &mut Turn, room: RoomId, script: &str, state: Value) {
    let is_empty = state.list().is_some_and(<[Value]>::is_empty);
    let states = &turn.world.rooms[room].script_states;
    if states.get(script) == Some(&state) || (is_empty && !states.contains_key(script)) {
        return;
    }
    turn.world.rooms.change(room, |row| {
        if is_empty {
            row.script_states.remove(script);
        } else {
            row.script_states.insert(script.to_owned(), state);
        }
    });
}

/// Tells the player whom the script is about that nothing happens.
fn tell_stuck(turn: &mut Turn, whom: Option<CharacterId>) {
    if let Some(who) = whom {
        tell::tell(turn, who, Class::Notice, STUCK);
    }
}

/// Reports a failure to builders, and to the log the first time in a while and when the function is set aside.
fn report(turn: &mut Turn, script: &str, function: &str, asked: Asked<'_>, fault: &Fault) {
    let text = match turn.script_faults.note(script, function, turn.now) {
        Failure::First => fault.to_string(),
        Failure::Again => {
            tell_builders(turn, asked, &fault.to_string(), Told::OneWhoSetItOff);
            return;
        }
        Failure::Last => {
            format!("{fault}; it fails again and again, and is not called for the rest of the minute")
        }
    };
    tell_builders(turn, asked, &text, Told::All);
    turn.outbox.push(Effect::Warning { text });
}

/// Builders who are told of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    /// The one who set the script off, who may be trying it.
    OneWhoSetItOff,
    /// Also those in the room, and the owner and authors of its zone.
    All,
}

/// Tells builders who play, and may write scripts, what went wrong in which room.
fn tell_builders(turn: &mut Turn, asked: Asked<'_>, fault: &str, told: Told) {
    let room = &turn.world.rooms[asked.room];
    let zone = turn.world.meta().zones.get(&room.area).filter(|_| room.branch.is_none());
    let concerns = |account: AccountId, who: CharacterId| {
        let builds = zone.is_some_and(|zone| zone.owner == Some(account) || zone.authors.contains(&account));
        let is_near = turn.world.characters[who].room == asked.room;
        asked.whom == Some(who) || (told == Told::All && (builds || is_near))
    };
    let seats = turn.seats.values().filter(|seat| concerns(seat.account, seat.character));
    let builders = seats.filter(|seat| rights::has(turn, seat.account, Right::Scripts));
    let builders: Vec<CharacterId> = builders.map(|seat| seat.character).collect();
    let words = format!("A script failed in {}, room {}: {fault}.", room.name, room.id);
    for who in builders {
        tell::tell(turn, who, Class::Notice, words.as_str());
    }
}
