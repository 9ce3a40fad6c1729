//! Triggers of rooms, as set by builders: scripts run on events in a room.

use crate::command::build::definition::object_trigger;
use crate::command::build::room::exits::building_site;
use crate::command::build::room::hook;
use crate::command::parse::Actor;
use crate::command::parse::build_argument::Equation;
use crate::command::parse::site::BuildTarget;
use crate::command::spec::{CommandSpec, run};
use crate::command::{free_verbs, is_command};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Right, RoomId, RuleLimit};
use deepwell_core::catalog::script::trigger::{self, EventMistake, TIMER_SECS, is_trigger_name};
use deepwell_core::text::grammar;
use deepwell_core::world::{Trigger, TriggerEvent};

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "trigger",
    right: Some(Right::Scripts),
    syntax: "trigger [WHAT] EVENT [WORD[;WORD]] [as NAME] = LINE; LINE",
    summary: "Makes things happen in this room when somebody does something. Events: enter, leave, say WORDS, use THING, look WORD, open EXIT, search, command WORD, timer SECONDS, clear and death. Lines begin with a verb, such as tell, say, give or set, perhaps with a chance as 20% or a condition as if has KEY before it; docs/build/triggers.md has them all. Several triggers for one event run one after the other; as NAME gives one a name, and replaces the one of that name; one without a name is called by its event, as say. none in place of the lines takes the trigger of that event or name away. trigger creature KEY EVENT and trigger item KEY EVENT make things happen to all creatures or items of a kind, and trigger NAME EVENT or trigger this NAME EVENT to a single one that is here: greet, leave, say WORDS, ask WORDS, receive KEY, attacked, hurt PERCENT, killed, kill and tick; get, drop, put, wear, use, look, open and close. WHAT may be another room too, as in trigger #12 enter or trigger mill/loft enter.",
    example: "trigger say friend = room The door listens.; open north",
    takes_words: true,
    missing: "trigger EVENT = LINE; LINE, where the events are enter, leave, say WORDS, use THING, look WORD, open EXIT, search, command WORD, timer SECONDS, clear and death",
    run: run!(set_trigger),
    ..CommandSpec::BUILDER
}];

/// Parses an event.
fn event(turn: &Turn, typed: &str) -> Result<TriggerEvent, Refusal> {
    let (least, most) = TIMER_SECS.into_inner();
    TriggerEvent::parse(typed, turn.config.limits.name_chars as usize).map_err(|mistake| match mistake {
        EventMistake::NeedsWord(event) => {
            refuse!("{event} needs a word behind it, as in trigger {event} bell = room The bell rings.")
        }
        EventMistake::TimerOutOfRange => {
            refuse!("A timer takes a number of seconds from {least} to {most}, as in trigger timer 60.")
        }
        EventMistake::Unknown { word, .. } => hook::no_event(&word, &trigger::events()),
    })
}

/// Splits off `as NAME` at the end; the name is empty if there is none.
fn split_name(typed: &str) -> Result<(&str, &str), Refusal> {
    let Some((event, name)) = typed.rsplit_once(" as ") else { return Ok((typed, "")) };
    let name = name.trim();
    if is_trigger_name(name) {
        Ok((event, name))
    } else {
        Err(refuse!("A trigger is called by small letters, figures and _, forty at most."))
    }
}

fn set_trigger(turn: &mut Turn, actor: Actor, Equation { left, right }: Equation<'_>) -> Result<(), Refusal> {
    if let Some(rest) = left.trim().strip_prefix("this ") {
        return object_trigger::set_own(turn, actor, rest, right);
    }
    if let Some((named, event)) = object_trigger::read(turn, actor, left) {
        return object_trigger::set(turn, actor, &named, event, right);
    }
    let (room, left) = match object_trigger::site_of(turn, actor, left)? {
        Some((BuildTarget::Room(room), event)) => (room, event),
        Some((BuildTarget::Exit(exit), _)) => {
            let name = &turn.world.exits[exit].name;
            return Err(refuse!(
                "An exit has no triggers. trigger here open {name} runs when its door is opened."
            ));
        }
        Some((BuildTarget::Creature(_), _)) => return object_trigger::set_own(turn, actor, left, right),
        None if object_trigger::means_own(turn, actor, left) => {
            return object_trigger::set_own(turn, actor, left, right);
        }
        None => (building_site(turn, actor.who)?, left),
    };
    if right.eq_ignore_ascii_case("none") {
        return remove_trigger(turn, actor, room, left);
    }
    set_in(turn, actor, room, left, right)
}

/// Sets the trigger of a room without a name for players who enter, or removes it for an empty text or `none`.
pub(crate) fn set_enter(turn: &mut Turn, actor: Actor, room: RoomId, lines: &str) -> Result<(), Refusal> {
    let event = TriggerEvent::Enter.event();
    if matches!(lines.trim().to_lowercase().as_str(), "" | "none") {
        if !turn.world.rooms[room].triggers.first().is_some_and(Trigger::is_first) {
            return Err(hook::no_trigger(event));
        }
        return remove_trigger(turn, actor, room, event);
    }
    set_in(turn, actor, room, &format!("{event} as {event}"), lines)
}

/// Sets a trigger of a room, given as `EVENT [WORD] [as NAME]`.
fn set_in(turn: &mut Turn, actor: Actor, room: RoomId, left: &str, right: &str) -> Result<(), Refusal> {
    let (typed, name) = split_name(left)?;
    let on = event(turn, typed)?;
    if let TriggerEvent::Command(names) = &on
        && let Some(known) = names
            .split(';')
            .map(str::trim)
            .find(|word| is_command(word) && free_verbs().all(|free| free != *word))
    {
        return Err(refuse!(
            "The word {known} means something everywhere. A command of a room is a word that means nothing yet, or \
             one of {}, which it answers where they find nothing.",
            grammar::list(free_verbs())
        ));
    }
    let lines: Vec<String> = hook::read_script(turn, room, right)?.into();
    let triggers = &turn.world.rooms[room].triggers;
    let is_named = |trigger: &Trigger| !name.is_empty() && trigger.label() == name;
    // The name of an unnamed trigger is its event.
    let is_unnamed = |trigger: &Trigger| name == on.event() && trigger.name.is_empty() && trigger.on == on;
    let old = triggers.iter().position(is_named).or_else(|| triggers.iter().position(is_unnamed));
    let name = if old.is_some_and(|at| triggers[at].name.is_empty()) { "" } else { name };
    // The trigger `enter` without a name comes first, where `as enter` puts it, too.
    let is_first = old.is_none() && on == TriggerEvent::Enter && (name.is_empty() || name == on.event());
    let is_first = is_first && !triggers.first().is_some_and(Trigger::is_first);
    if old.is_none() {
        let limits = &turn.config.limits;
        refusal::require_below(limits, RuleLimit::TriggersPerRoom, triggers.len(), hook::too_many_triggers)?;
    }
    let others = triggers.iter().filter(|trigger| trigger.on == on).count();
    let count = grammar::counted(lines.len(), "line");
    let label = turn.world.rooms.change(room, |row| {
        match old {
            Some(old) => row.triggers[old] = Trigger { name: name.to_owned(), on: on.clone(), lines },
            None if is_first => Trigger::set_first(lines, &mut row.triggers),
            None if name.is_empty() => Trigger::append(on.clone(), lines, &mut row.triggers),
            None => row.triggers.push(Trigger { name: name.to_owned(), on: on.clone(), lines }),
        }
        let last = row.triggers.len().checked_sub(1);
        old.or(if is_first { Some(0) } else { last }).map(|at| row.triggers[at].label())
    });
    let label = label.flatten().filter(|label| *label != on.to_string());
    let called = label.map_or_else(String::new, |label| format!(" It is called {label}."));
    let order = if is_first { "before" } else { "after" };
    let note = match (old, others) {
        (Some(_), _) => hook::REPLACED.to_owned(),
        (None, 0) => String::new(),
        (None, 1) => format!(" It runs {order} the one that is here for that event."),
        (None, others) => {
            format!(" It runs {order} the {} that are here for that event.", grammar::number(others))
        }
    };
    actor.answer(turn, format!("It is set: trigger {on}, {count}.{called}{note}"))
}

/// Removes the trigger with a name, or the only one for an event.
fn remove_trigger(turn: &mut Turn, actor: Actor, room: RoomId, typed: &str) -> Result<(), Refusal> {
    let at = trigger_meant(turn, room, typed)?;
    let trigger = turn.world.rooms.change(room, |row| row.triggers.remove(at));
    let Some(trigger) = trigger else { return Err(hook::no_trigger(typed.trim())) };
    let has_others = turn.world.rooms[room].triggers.iter().any(|other| other.on == trigger.on);
    let others = if trigger.is_first() && has_others { " Other triggers for it stay." } else { "" };
    actor.answer(turn, format!("Nothing happens any more at {}.{others}", trigger.label()))
}

/// Returns the place of the trigger with a name, or of the only one for an event.
fn trigger_meant(turn: &Turn, room: RoomId, typed: &str) -> Result<usize, Refusal> {
    let triggers = &turn.world.rooms[room].triggers;
    if let Some(at) = triggers.iter().position(|trigger| trigger.name == typed.trim()) {
        return Ok(at);
    }
    let (typed, name) = split_name(typed)?;
    let on = event(turn, typed)?;
    if !name.is_empty() {
        let is_meant = |trigger: &Trigger| trigger.on == on && trigger.label() == name;
        return triggers.iter().position(is_meant).ok_or_else(|| hook::no_trigger(name));
    }
    if on == TriggerEvent::Enter && triggers.first().is_some_and(Trigger::is_first) {
        return Ok(0);
    }
    let of_event = triggers.iter().enumerate().filter(|(_, trigger)| trigger.on == on);
    let of_event: Vec<(usize, String)> = of_event.map(|(at, trigger)| (at, trigger.label())).collect();
    match of_event.as_slice() {
        [] => Err(hook::no_trigger(typed.trim())),
        [(at, _)] => Ok(*at),
        several => Err(refuse!(
            "There are several triggers for {}: {}. trigger NAME = none takes one of them away.",
            typed.trim(),
            grammar::list(several.iter().map(|(_, label)| label))
        )),
    }
}
