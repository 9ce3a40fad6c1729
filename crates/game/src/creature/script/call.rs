//! Script functions called from hook lines: their answer and their errors. A function returns hook lines, which are
//! parsed and run like the calling ones, optional state, which is stored in the room until the next call, and optional
//! notes for the builder, which are kept in memory.

use crate::access::{draft_names, permissions};
use crate::character::variables::Subjects;
use crate::creature::script::event::{ScriptContext, event};
use crate::effect::{Class, Effect};
use crate::message::tell;
use crate::state::scripts::faults::FailurePosition;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Dice, Right, RoomId, RuleLimit, Seed};
use deepwell_core::catalog::script::{InvalidScript, ScriptDeed};
use deepwell_core::catalog::{DefinitionKind, Script};
use deepwell_core::script::{Fault, FaultKind, Program, ScriptCost, ScriptLimits, Value};
use deepwell_core::text::sanitise;
use std::sync::Arc;

/// Message to the player when a script fails.
const STUCK: &str = "Something here begins to move, catches, and stays as it was.";

/// Work of a call without its steps: a virtual machine with its library, and what the script is told. A step is about a
/// unit of work.
const CALL_WORK: usize = 2_500;

/// Maximum number of notes of one call.
const NOTES_MAX: usize = 10;

/// Maximum length of an entry of a script's log, in characters.
const ENTRY_CHARS: usize = 600;

/// Calls a script function, stores the state it returns and returns the lines to run. `None` if the script is missing,
/// suspended or fails.
pub(in crate::creature) fn call_script(
    turn: &mut Turn,
    script: &str,
    function: &str,
    asked: ScriptContext<'_>,
) -> Option<Script> {
    let catalog = Arc::clone(&turn.catalog);
    // A script deleted after the line was stored is skipped, like any dangling key.
    let program = catalog.scripts.get(script)?;
    if turn.script_faults.is_suspended(script, function, turn.now) {
        tell_script_failed(turn, asked.subjects.target);
        let message = format!(
            "{script} {function} has failed again and again, and is not called for the rest of the minute"
        );
        tell_builders(turn, asked, &message, Recipients::Triggerer);
        return None;
    }
    let mut half = || u64::from(turn.dice.roam.up_to(u32::MAX));
    let seed = Seed((half() << 32) | half());
    let (answer, cost) = answer(turn, script, program, function, asked, seed);
    turn.world.note_work(CALL_WORK + cost.steps as usize);
    match answer {
        Ok(ScriptAnswer { lines, state, notes }) => {
            if let Some(state) = state {
                remember(turn, asked.subjects.room, script, state);
            }
            keep_notes(turn, script, notes);
            Some(lines)
        }
        Err(fault) => {
            tell_script_failed(turn, asked.subjects.target);
            count_fault(turn, &fault);
            report(turn, script, function, asked, &fault);
            None
        }
    }
}

/// Calls a function of a script without any effect, with random numbers that depend on the time alone.
pub(crate) fn try_script(
    turn: &Turn,
    script: &str,
    program: &Program,
    function: &str,
    asked: ScriptContext<'_>,
) -> (Result<ScriptAnswer, Fault>, ScriptCost) {
    answer(turn, script, program, function, asked, Seed(turn.now.0.unsigned_abs()))
}

/// Returns the limits of a call.
pub(crate) fn limits(turn: &Turn) -> ScriptLimits {
    ScriptLimits {
        steps: turn.config.limits.script_steps,
        memory_bytes: turn.config.limits.script_memory_bytes,
        ..ScriptLimits::default()
    }
}

/// Calls a function, and reads its answer.
fn answer(
    turn: &Turn,
    script: &str,
    program: &Program,
    function: &str,
    asked: ScriptContext<'_>,
    seed: Seed,
) -> (Result<ScriptAnswer, Fault>, ScriptCost) {
    let room = asked.subjects.room;
    let event = draft_names::published_value(turn, room, event(turn, script, asked));
    let (answer, cost) = program.measure(function, &[event], seed, &limits(turn));
    let most = turn.config.limits.script_state_bytes as usize;
    let read = answer.and_then(|answer| {
        let unfit =
            |why: BadAnswer| Fault::new(program.place_of(function), FaultKind::Unfit(why.to_string()));
        read_answer(answer, most).map_err(unfit)
    });
    let read = read.map(|answer| {
        let lines = draft_names::returned_script(turn, room, answer.lines);
        ScriptAnswer { lines, ..answer }
    });
    (read, cost)
}

/// Answer of a function of a script.
#[derive(Debug, Default)]
pub(crate) struct ScriptAnswer {
    /// Lines to run.
    pub(crate) lines: Script,
    /// New state in the room, if it is to be changed.
    pub(crate) state: Option<Value>,
    /// Notes for the builder.
    pub(crate) notes: Vec<String>,
}

/// Reason why a script's answer is rejected.
#[derive(Debug, thiserror::Error)]
enum BadAnswer {
    #[error("unknown key `{0}`, expected one of lines, state, notes")]
    UnknownKey(String),
    #[error("{0} where a list of lines is wanted")]
    NoLines(&'static str),
    #[error("{0} where a list of notes is wanted")]
    NoNotes(&'static str),
    #[error(transparent)]
    Lines(#[from] InvalidScript),
    #[error("neither `call` nor `once` can be among the lines of a script")]
    Nested,
    #[error("a state of {bytes} bytes, of which {stored} are stored")]
    TooMuchState { bytes: usize, stored: usize },
}

/// Reads an answer: nil, a list of lines, or a table with `lines`, `state` and `notes`.
fn read_answer(answer: Value, state_bytes: usize) -> Result<ScriptAnswer, BadAnswer> {
    let (lines, state, notes) = match answer {
        Value::Nil => return Ok(ScriptAnswer::default()),
        Value::Table(mut entries) if !entries.is_empty() => {
            let (lines, state) = (entries.remove("lines"), entries.remove("state"));
            let notes = entries.remove("notes");
            if let Some(name) = entries.keys().next() {
                return Err(BadAnswer::UnknownKey(name.clone()));
            }
            (lines.unwrap_or(Value::List(Vec::new())), state, notes.unwrap_or(Value::List(Vec::new())))
        }
        lines => (lines, None, Value::List(Vec::new())),
    };
    let texts = texts_of(&lines).ok_or_else(|| BadAnswer::NoLines(lines.kind()))?;
    let notes = texts_of(&notes).ok_or_else(|| BadAnswer::NoNotes(notes.kind()))?;
    let notes = notes.into_iter().take(NOTES_MAX).map(str::to_owned).collect();
    let script = Script::parse(texts).map_err(InvalidScript)?;
    let nests =
        |deed: &ScriptDeed| matches!(deed, ScriptDeed::Call(..) | ScriptDeed::Once | ScriptDeed::Alone);
    if script.lines().iter().any(|line| nests(&line.deed)) {
        return Err(BadAnswer::Nested);
    }
    let bytes = state.as_ref().map_or(0, Value::bytes);
    if bytes > state_bytes {
        return Err(BadAnswer::TooMuchState { bytes, stored: state_bytes });
    }
    Ok(ScriptAnswer { lines: script, state, notes })
}

/// Returns the texts of a list; `None` if the value is none.
fn texts_of(list: &Value) -> Option<Vec<&str>> {
    list.list()?.iter().map(Value::as_text).collect()
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

/// Counts the limit that ended a call.
fn count_fault(turn: &mut Turn, fault: &Fault) {
    match fault.kind {
        FaultKind::TooManySteps => turn.outbox.count_limit(RuleLimit::ScriptSteps),
        FaultKind::TooMuchMemory => turn.outbox.count_limit(RuleLimit::ScriptMemoryBytes),
        FaultKind::NoFunction(_) | FaultKind::Failed(_) | FaultKind::Unfit(_) => {}
    }
}

/// Notifies the player that nothing happened.
fn tell_script_failed(turn: &mut Turn, whom: Option<CharacterId>) {
    if let Some(who) = whom {
        tell::tell(turn, who, Class::Notice, STUCK);
    }
}

/// Keeps the notes of a call in the log of the script, and tells its author, once in a while only.
fn keep_notes(turn: &mut Turn, script: &str, notes: Vec<String>) {
    let Some(first) = notes.first().cloned() else { return };
    for note in notes {
        log(turn, script, &format!("Note: {note}"));
    }
    if turn.script_faults.note(script, NOTES, turn.now) == FailurePosition::First
        && let Some(author) = author(turn, script)
    {
        let message =
            format!("The script {script} notes: {first}. script log {script} tells all it has noted.");
        let authors = builders(turn, |account, _| account == author);
        tell_all(turn, authors, &message);
    }
}

/// Name under which notes are counted in place of a function.
const NOTES: &str = "notes";

/// Adds an entry to the log of a script.
fn log(turn: &mut Turn, script: &str, text: &str) {
    let text = sanitise::clean_line(text, ENTRY_CHARS);
    let most = turn.config.limits.script_log as usize;
    turn.script_log.add(script, turn.now, text, most);
    let catalog = &turn.catalog;
    turn.script_log.forget_others(|script| catalog.scripts.contains_key(script));
}

/// Returns the author of a script, if it was made in the game.
fn author(turn: &Turn, script: &str) -> Option<AccountId> {
    turn.world.definitions.find(DefinitionKind::Script, script)?.author
}

/// Returns an error with the functions that were running: `... in ring, line 4, called by walk, line 9`.
pub(crate) fn with_chain(fault: &Fault) -> String {
    let frames = fault.chain.iter().map(|frame| {
        let function = frame.function.as_deref().unwrap_or("a function without a name");
        format!("{function}, line {}", frame.line)
    });
    match frames.collect::<Vec<_>>().join(", called by ").as_str() {
        "" => fault.to_string(),
        chain => format!("{fault}, in {chain}"),
    }
}

/// Reports a failure to builders. The first failure in a while, and the one that suspends the function, are also
/// logged.
fn report(turn: &mut Turn, script: &str, function: &str, asked: ScriptContext<'_>, fault: &Fault) {
    log(turn, script, &format!("Error: {}", with_chain(fault)));
    let text = match turn.script_faults.note(script, function, turn.now) {
        FailurePosition::First => fault.to_string(),
        FailurePosition::Again => {
            tell_builders(turn, asked, &fault.to_string(), Recipients::Triggerer);
            return;
        }
        FailurePosition::Last => {
            format!("{fault}; it fails again and again, and is not called for the rest of the minute")
        }
    };
    let author = author(turn, script);
    tell_builders(turn, asked, &text, Recipients::All { author });
    turn.outbox.push(Effect::Warning { text });
}

/// Reports to builders why a line of a room could not run: to the builder who triggered it each time, to the others and in
/// the log once in a while.
pub(in crate::creature) fn report_lines(turn: &mut Turn, subjects: Subjects, reason: &str) {
    let asked = ScriptContext { subjects, words: "" };
    let (place, about) = (format!("room {}", subjects.room), reason.to_owned());
    if turn.script_faults.note(&place, &about, turn.now) == FailurePosition::First {
        tell_builders(turn, asked, reason, Recipients::All { author: None });
        turn.outbox.push(Effect::Warning { text: format!("{place}: {reason}") });
    } else {
        tell_builders(turn, asked, reason, Recipients::Triggerer);
    }
}

/// Builders notified of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recipients {
    /// Only the builder who triggered the script, who may be testing it.
    Triggerer,
    /// Also builders in the room, the owner and authors of its zone, and the author of the script.
    All {
        /// Author of the script.
        author: Option<AccountId>,
    },
}

/// Notifies connected builders with the right to write scripts of a failure in a room.
fn tell_builders(turn: &mut Turn, asked: ScriptContext<'_>, fault: &str, recipients: Recipients) {
    let Subjects { room: id, target, .. } = asked.subjects;
    let room = &turn.world.rooms[id];
    let zone = turn.world.meta().zones.get(&room.area).filter(|_| room.branch.is_none());
    let concerns = |account: AccountId, who: CharacterId| {
        let builds = zone.is_some_and(|zone| zone.owner == Some(account) || zone.authors.contains(&account));
        let is_near = turn.world.characters[who].room == id;
        target == Some(who)
            || match recipients {
                Recipients::Triggerer => false,
                Recipients::All { author } => builds || is_near || author == Some(account),
            }
    };
    let builders = builders(turn, concerns);
    let message = format!("A script failed in {}, room {}: {fault}.", room.sheet.name, room.id);
    tell_all(turn, builders, &message);
}

/// Returns the connected builders with the right to write scripts, among those that are meant.
fn builders(turn: &Turn, is_meant: impl Fn(AccountId, CharacterId) -> bool) -> Vec<CharacterId> {
    let seats = turn.seats.values().filter(|seat| is_meant(seat.account, seat.character));
    let builders = seats.filter(|seat| permissions::has(turn, seat.account, Right::Scripts));
    builders.map(|seat| seat.character).collect()
}

fn tell_all(turn: &mut Turn, builders: Vec<CharacterId>, message: &str) {
    for who in builders {
        tell::tell(turn, who, Class::Notice, message);
    }
}
