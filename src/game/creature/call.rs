//! Script functions called from hook lines: their argument, their answer and their errors. A function returns hook
//! lines, which are parsed and run like the calling ones, and optional state, which is stored in the room until the
//! next call.

use crate::base::{AccountId, CharacterId, Dice, Right, RoomId, Seed};
use crate::catalog::script::{Deed, InvalidScript};
use crate::catalog::{Script, VariableValue};
use crate::game::access::permissions;
use crate::game::character::variables;
use crate::game::character::variables::Subjects;
use crate::game::effect::{Class, Effect};
use crate::game::message::tell;
use crate::game::state::script_faults::Failure;
use crate::game::turn::Turn;
use crate::script::{Fault, FaultKind, ScriptLimits, Value};
use std::sync::Arc;

/// Message to the player when a script fails.
const STUCK: &str = "Something here begins to move, catches, and stays as it was.";

/// Context of a script call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'w> {
    /// Room of the call.
    pub(crate) room: RoomId,
    /// Character that triggered the call.
    pub(crate) whom: Option<CharacterId>,
    /// Words the player said, or the item used or looked at.
    pub(crate) words: &'w str,
}

/// Calls a script function, stores the state it returns and returns the lines to run. `None` if the script is missing,
/// suspended or fails.
pub(super) fn call_script(turn: &mut Turn, script: &str, function: &str, asked: Asked<'_>) -> Option<Script> {
    let catalog = Arc::clone(&turn.catalog);
    // A script deleted after the line was stored is skipped, like any dangling key.
    let program = catalog.scripts.get(script)?;
    if turn.script_faults.is_suspended(script, function, turn.now) {
        tell_script_failed(turn, asked.whom);
        let words = format!(
            "{script} {function} has failed again and again, and is not called for the rest of the minute"
        );
        tell_builders(turn, asked, &words, FaultRecipients::Triggerer);
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
            tell_script_failed(turn, asked.whom);
            report(turn, script, function, asked, &fault);
            None
        }
    }
}

/// Builds the event table passed to a script function.
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
    event.push(("vars", Value::table(variables_for(turn, asked))));
    if let Some(who) = asked.whom {
        let body = &turn.world.characters[who];
        event.push(("who", Value::text(&body.name)));
        event.push(("number", Value::Number(i64::try_from(who.0).unwrap_or(i64::MAX))));
        let kinds = turn.world.carried(who).iter().map(|item| turn.world.items[*item].prototype.clone());
        event.push(("carries", Value::table(kinds.map(|kind| (kind, Value::Truth(true))))));
    }
    Value::table(event)
}

/// Returns the variables that a script can read: those of the zone by name, and those of the target by zone and name.
fn variables_for(turn: &Turn, asked: Asked<'_>) -> Vec<(String, Value)> {
    let subjects = Subjects::of_room(asked.room, asked.whom);
    let plain = |value: VariableValue| match value {
        VariableValue::Number(number) => Value::Number(number),
        VariableValue::Flag(yes) => Value::Truth(yes),
        VariableValue::Text(text) => Value::text(&text),
    };
    let of_target = asked.whom.map(|who| variables::values_of(turn, who)).unwrap_or_default();
    let of_target = of_target.into_iter().map(|(name, value)| (name.to_owned(), plain(value.clone())));
    let zone = turn.world.meta().zones.get(variables::zone_of(turn, asked.room));
    let names = zone.into_iter().flat_map(|zone| zone.variables.keys());
    let own = names.filter_map(|name| Some((name.clone(), plain(variables::value(turn, subjects, name)?))));
    of_target.chain(own).collect()
}

/// Reason why a script's answer is rejected.
#[derive(Debug, thiserror::Error)]
enum BadAnswer {
    #[error("unknown key `{0}`, expected one of lines, state")]
    UnknownKey(String),
    #[error("{0} where a list of lines is wanted")]
    NoLines(&'static str),
    #[error(transparent)]
    Lines(#[from] InvalidScript),
    #[error("neither `call` nor `once` can be among the lines of a script")]
    Nested,
    #[error("a state of {bytes} bytes, of which {stored} are stored")]
    TooMuchState { bytes: usize, stored: usize },
}

/// Parses an answer into lines and state. Valid answers are nil, a list of lines, or a table with `lines` and `state`.
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
    let script = Script::parse(texts).map_err(InvalidScript)?;
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

/// Stores a script's state in the room. An empty table clears the state.
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

/// Notifies the player that nothing happened.
fn tell_script_failed(turn: &mut Turn, whom: Option<CharacterId>) {
    if let Some(who) = whom {
        tell::tell(turn, who, Class::Notice, STUCK);
    }
}

/// Reports a failure to builders. The first failure in a while, and the one that suspends the function, are also
/// logged.
fn report(turn: &mut Turn, script: &str, function: &str, asked: Asked<'_>, fault: &Fault) {
    let text = match turn.script_faults.note(script, function, turn.now) {
        Failure::First => fault.to_string(),
        Failure::Again => {
            tell_builders(turn, asked, &fault.to_string(), FaultRecipients::Triggerer);
            return;
        }
        Failure::Last => {
            format!("{fault}; it fails again and again, and is not called for the rest of the minute")
        }
    };
    tell_builders(turn, asked, &text, FaultRecipients::All);
    turn.outbox.push(Effect::Warning { text });
}

/// Reports to builders why a line of a room could not run: to the builder who triggered it each time, to the others and in
/// the log once in a while.
pub(super) fn report_lines(turn: &mut Turn, room: RoomId, whom: Option<CharacterId>, words: &str) {
    let asked = Asked { room, whom, words: "" };
    let (place, about) = (format!("room {room}"), words.to_owned());
    if turn.script_faults.note(&place, &about, turn.now) == Failure::First {
        tell_builders(turn, asked, words, FaultRecipients::All);
        turn.outbox.push(Effect::Warning { text: format!("{place}: {words}") });
    } else {
        tell_builders(turn, asked, words, FaultRecipients::Triggerer);
    }
}

/// Builders notified of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FaultRecipients {
    /// Only the builder who triggered the script, who may be testing it.
    Triggerer,
    /// Also builders in the room, and the owner and authors of its zone.
    All,
}

/// Notifies connected builders with the right to write scripts of a failure in a room.
fn tell_builders(turn: &mut Turn, asked: Asked<'_>, fault: &str, recipients: FaultRecipients) {
    let room = &turn.world.rooms[asked.room];
    let zone = turn.world.meta().zones.get(&room.area).filter(|_| room.branch.is_none());
    let concerns = |account: AccountId, who: CharacterId| {
        let builds = zone.is_some_and(|zone| zone.owner == Some(account) || zone.authors.contains(&account));
        let is_near = turn.world.characters[who].room == asked.room;
        asked.whom == Some(who) || (recipients == FaultRecipients::All && (builds || is_near))
    };
    let seats = turn.seats.values().filter(|seat| concerns(seat.account, seat.character));
    let builders = seats.filter(|seat| permissions::has(turn, seat.account, Right::Scripts));
    let builders: Vec<CharacterId> = builders.map(|seat| seat.character).collect();
    let words = format!("A script failed in {}, room {}: {fault}.", room.name, room.id);
    for who in builders {
        tell::tell(turn, who, Class::Notice, words.as_str());
    }
}
