//! Triggers of rooms, as set by builders: scripts run on events in a room.

use crate::base::{Right, RoomId};
use crate::catalog::trigger::{EVENTS, EventMistake, TIMER_SECS};
use crate::game::command::build::exits::building_site;
use crate::game::command::build::hook;
use crate::game::command::is_command;
use crate::game::command::parse::Actor;
use crate::game::command::parse::build_argument::Equation;
use crate::game::command::spec::{CommandSpec, run};
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::turn::Turn;
use crate::text::grammar;
use crate::world::{Trigger, TriggerEvent};

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "trigger",
    right: Some(Right::Scripts),
    syntax: "trigger EVENT [WORD[;WORD]] = LINE; LINE",
    summary: "Makes things happen in this room when somebody does something. Events: enter, leave, say WORDS, use THING, look WORD, command WORD, timer SECONDS, clear and death. Lines: tell, room, say, harm, bruise, heal, affect, spawn, item, open, shut, give, take, move, count, reset, call and once, each with a chance as 20% or a condition as if has KEY: before it; none takes the trigger away.",
    example: "trigger say friend = room The door listens.; open north",
    takes_words: true,
    missing: "trigger EVENT = LINE; LINE, where the events are enter, leave, say WORDS, use THING, look WORD, command WORD, timer SECONDS, clear and death",
    run: run!(set_trigger),
    ..CommandSpec::BUILDER
}];

/// Parses an event. `None` for `enter`, which is stored separately.
fn event(turn: &Turn, typed: &str) -> Result<Option<TriggerEvent>, Refusal> {
    if typed.trim().eq_ignore_ascii_case("enter") {
        return Ok(None);
    }
    let (least, most) = TIMER_SECS.into_inner();
    TriggerEvent::parse(typed, turn.config.limits.name_chars as usize).map(Some).map_err(|mistake| {
        match mistake {
            EventMistake::NeedsWord(event) => BuildRefusal::EventNeedsWord(event),
            EventMistake::TimerOutOfRange => BuildRefusal::TimerOutOfRange { least, most },
            EventMistake::Unknown { word, .. } => BuildRefusal::NoEvent { word, known: EVENTS },
        }
        .into()
    })
}

fn set_trigger(turn: &mut Turn, actor: Actor, Equation { left, right }: Equation<'_>) -> Result<(), Refusal> {
    let room = building_site(turn, actor.who)?;
    let none = right.eq_ignore_ascii_case("none");
    let Some(on) = event(turn, left)? else {
        return hook::set_on_enter(turn, actor, room, right);
    };
    if none {
        return remove_trigger(turn, actor, room, &on);
    }
    if let TriggerEvent::Command(words) = &on
        && let Some(known) = words.split(';').map(str::trim).find(|word| is_command(word))
    {
        return Err(BuildRefusal::IsCommand(known.to_owned()).into());
    }
    let script = hook::read_script(turn, room, right)?;
    let triggers = &turn.world.rooms[room].triggers;
    let (old, most) =
        (triggers.iter().position(|trigger| trigger.on == on), turn.config.limits.triggers_per_room);
    if old.is_none() && triggers.len() >= most as usize {
        return Err(BuildRefusal::TooManyTriggers(most).into());
    }
    let lines: Vec<String> = script.into();
    let count = grammar::counted(lines.len(), "line");
    let replaced = if old.is_some() { hook::REPLACED } else { "" };
    let words = format!("It is set: trigger {on}, {count}.{replaced}");
    let trigger = Trigger { on, lines };
    turn.world.rooms.change(room, |row| match old {
        Some(old) => row.triggers[old] = trigger,
        None => row.triggers.push(trigger),
    });
    actor.answer(turn, words)
}

fn remove_trigger(turn: &mut Turn, actor: Actor, room: RoomId, on: &TriggerEvent) -> Result<(), Refusal> {
    if turn.world.rooms[room].triggers.iter().all(|trigger| trigger.on != *on) {
        return Err(BuildRefusal::NoTrigger(on.to_string()).into());
    }
    turn.world.rooms.change(room, |row| row.triggers.retain(|trigger| trigger.on != *on));
    actor.answer(turn, format!("Nothing happens any more at {on}."))
}
