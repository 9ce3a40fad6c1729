//! Triggers of creatures and items, as builders set them in the prototypes: `trigger creature KEY EVENT = LINES`.

use crate::catalog::object_trigger::{ObjectEvent, ObjectTrigger, TRIGGERS, value_of};
use crate::catalog::{DefinitionKind, Script};
use crate::data::Value;
use crate::game::building::definitions;
use crate::game::command::build::make;
use crate::game::command::parse::Actor;
use crate::game::command::parse::definition_name::DefinitionName;
use crate::game::refusal::{BuildRefusal, Refusal, ScriptRefusal};
use crate::game::turn::Turn;
use crate::text::grammar;

/// Splits `creature KEY EVENT` into the prototype and the event; `None` for the event of a room.
pub(crate) fn read(typed: &str) -> Option<(DefinitionName, &str)> {
    let (kind, rest) = typed.trim().split_once(char::is_whitespace)?;
    let (key, event) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest, ""));
    let named = DefinitionName::read(&format!("{kind} {key}"))?;
    matches!(named.kind, DefinitionKind::Creature | DefinitionKind::Thing).then_some((named, event.trim()))
}

/// Adds a trigger to a prototype, or removes those for an event.
pub(crate) fn set(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    event: &str,
    typed: &str,
) -> Result<(), Refusal> {
    definitions::require(turn, named.kind, &named.key)?;
    if named.kind == DefinitionKind::Creature {
        let all = turn.catalog.mobs.get(&named.key).map(|mob| mob.triggers.clone()).unwrap_or_default();
        change(turn, actor, named, event, typed, all)
    } else {
        let all = turn.catalog.items.get(&named.key).map(|item| item.triggers.clone()).unwrap_or_default();
        change(turn, actor, named, event, typed, all)
    }
}

fn change<E: ObjectEvent>(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    event: &str,
    typed: &str,
    mut all: Vec<ObjectTrigger<E>>,
) -> Result<(), Refusal> {
    let on =
        E::parse(event).ok_or_else(|| BuildRefusal::NoEvent { word: event.to_owned(), known: E::EVENTS })?;
    let (what, event) = (named.described(), on.to_string());
    let before = all.iter().filter(|trigger| trigger.on == on).count();
    let told = if typed.eq_ignore_ascii_case("none") {
        if before == 0 {
            return Err(BuildRefusal::NoTrigger(event).into());
        }
        all.retain(|trigger| trigger.on != on);
        format!("Nothing happens any more at {event} of the {what}.")
    } else {
        let most = turn.config.limits.triggers_per_room;
        if all.len() >= most as usize {
            return Err(BuildRefusal::TooManyTriggers(most).into());
        }
        let script = read_lines(typed)?;
        let lines = grammar::counted(script.lines().len(), "line");
        all.push(ObjectTrigger { on, script });
        let after = match before {
            0 => String::new(),
            1 => " It runs after the one that is there for that event.".to_owned(),
            before => {
                format!(" It runs after the {} that are there for that event.", grammar::number(before))
            }
        };
        format!("It is set: trigger {event} of the {what}, {lines}.{after}")
    };
    let value: Value = value_of(&all);
    make::change(turn, actor, named, |text| named.kind.edited(text, TRIGGERS, Some(&value)))?;
    actor.answer(turn, told)
}

/// Parses typed lines of a script that belongs to no room.
pub(crate) fn read_lines(typed: &str) -> Result<Script, Refusal> {
    let lines = typed.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let wrong = |mistakes: Vec<_>| {
        Refusal::from(BuildRefusal::Script(mistakes.into_iter().map(ScriptRefusal::Mistake).collect()))
    };
    Script::parse(lines).map_err(wrong)
}
