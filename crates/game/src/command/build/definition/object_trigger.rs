//! Triggers of creatures and items, as builders set them in the prototypes: `trigger creature KEY EVENT = LINES`.

use crate::building::definitions;
use crate::building::zones::room_scripts::own_triggers;
use crate::character::variables;
use crate::command::build::definition::change;
use crate::command::build::room::exits::building_site;
use crate::command::build::room::hook;
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::site::{self, BuildTarget};
use crate::command::parse::{Actor, resolve};
use crate::message::naming;
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RoomId, RuleLimit};
use deepwell_core::catalog::script::object_trigger::{ObjectEvent, ObjectTrigger, TRIGGERS, value_of};
use deepwell_core::catalog::script::verbs::ScriptVerb;
use deepwell_core::catalog::{CreatureEvent, DefinitionKind, ItemEvent, Script, TriggerEvent};
use deepwell_core::data::FileValue;
use deepwell_core::text::grammar;
use deepwell_core::world::OwnTrigger;

/// Splits `creature KEY EVENT` into the prototype and the event; `None` for the event of a room.
pub(crate) fn read<'t>(turn: &Turn, actor: Actor, typed: &'t str) -> Option<(DefinitionName, &'t str)> {
    let (kind, rest) = typed.trim().split_once(char::is_whitespace)?;
    let (key, event) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest, ""));
    let named = DefinitionName::meant(turn, actor.who, &format!("{kind} {key}"))?;
    Some((named, event.trim()))
}

/// Splits `WHAT EVENT` into a room, an exit or a creature, and the event; `None` if the words begin with an event or the
/// name of a trigger of this room. A room is `here`, `#NUMBER` or `ZONE/KEY`, or a name with an event behind it.
pub(crate) fn site_of<'t>(
    turn: &Turn,
    actor: Actor,
    typed: &'t str,
) -> Result<Option<(BuildTarget, &'t str)>, Refusal> {
    let typed = typed.trim();
    let (first, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    if first.eq_ignore_ascii_case("here") || first.starts_with('#') || first.contains('/') {
        return Ok(Some((BuildTarget::Room(site::room(turn, actor.who, first)?), rest.trim())));
    }
    let is_event = |phrase: &str, sites: BuildTarget| match sites {
        BuildTarget::Creature(_) => CreatureEvent::parse(phrase).is_some(),
        BuildTarget::Room(_) => TriggerEvent::parse(phrase, usize::MAX).is_ok(),
        BuildTarget::Exit(_) => TriggerEvent::names().any(|event| phrase.split(' ').next() == Some(event)),
    };
    if TriggerEvent::names().any(|event| event.eq_ignore_ascii_case(first)) {
        return Ok(None);
    }
    let splits = typed.match_indices(' ').map(|(at, _)| (typed[..at].trim(), typed[at..].trim()));
    let found = splits.filter_map(|(name, event)| Some((site::site(turn, actor.who, name).ok()?, event)));
    let event_alone = |event: &'t str| event.split_once(" as ").map_or(event, |(event, _)| event);
    Ok({ found }.find(|(site, event)| is_event(event_alone(event), *site)))
}

/// Returns `true` for the name of a creature or an item in the builder's room with one of its events behind it. An event of
/// a room comes before such a name.
pub(crate) fn means_own(turn: &Turn, actor: Actor, typed: &str) -> bool {
    TriggerEvent::parse(typed, usize::MAX).is_err()
        && building_site(turn, actor.who).is_ok_and(|room| single_meant(turn, actor, room, typed).is_ok())
}

/// Adds a trigger to a prototype, or removes those for an event.
pub(crate) fn set(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    event: &str,
    typed: &str,
) -> Result<(), Refusal> {
    if !matches!(named.kind, DefinitionKind::Creature | DefinitionKind::Item) {
        return Err(refuse!(
            "The {} has no triggers: rooms, creatures and items have. examine {} tells what it has.",
            named.described(),
            named.words()
        ));
    }
    definitions::require(turn, named.kind, &named.key)?;
    if named.kind == DefinitionKind::Creature {
        let all = turn
            .catalog
            .creatures
            .get(&named.key)
            .map(|creature| creature.triggers.clone())
            .unwrap_or_default();
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
    let what = format!("the {}", named.described());
    let script = if is_none(typed) { None } else { Some(read_lines(typed)?) };
    let answer = edit(turn, &what, event, script, &mut all)?;
    let value: FileValue = value_of(&all);
    change::replace_text(turn, actor, named, |text| named.kind.edited(text, TRIGGERS, Some(&value)))?;
    actor.answer(turn, answer)
}

fn is_none(typed: &str) -> bool {
    typed.eq_ignore_ascii_case("none")
}

/// Adds a trigger to those of an object or, without a script, removes those for an event. Returns the answer.
fn edit<E: ObjectEvent>(
    turn: &Turn,
    what: &str,
    event: &str,
    script: Option<Script>,
    all: &mut Vec<ObjectTrigger<E>>,
) -> Result<String, Refusal> {
    let on = E::parse(event).ok_or_else(|| hook::no_event(event, &E::events()))?;
    let event = on.to_string();
    let before = all.iter().filter(|trigger| trigger.on == on).count();
    let Some(script) = script else {
        if before == 0 {
            return Err(hook::no_trigger(&event));
        }
        all.retain(|trigger| trigger.on != on);
        return Ok(format!("Nothing happens any more at {event} of {what}."));
    };
    let limits = &turn.config.limits;
    refusal::require_below(limits, RuleLimit::TriggersPerRoom, all.len(), hook::too_many_triggers)?;
    let lines = grammar::counted(script.lines().len(), "line");
    all.push(ObjectTrigger { on, script });
    let after = match before {
        0 => String::new(),
        1 => " It runs after the one that is there for that event.".to_owned(),
        before => {
            format!(" It runs after the {} that are there for that event.", grammar::number(before))
        }
    };
    Ok(format!("It is set: trigger {event} of {what}, {lines}.{after}"))
}

/// Creature or item in the room whose own triggers are set.
#[derive(Clone, Copy)]
enum Single {
    Creature(CharacterId),
    Item(ItemId),
}

/// Adds a trigger to a single creature or item in the builder's room, `this NAME EVENT`, or removes those for an event.
pub(crate) fn set_own(turn: &mut Turn, actor: Actor, typed: &str, lines: &str) -> Result<(), Refusal> {
    let room = building_site(turn, actor.who)?;
    let (single, event) = single_meant(turn, actor, room, typed)?;
    let script = if is_none(lines) {
        None
    } else {
        // The creature or item may be carried to another zone.
        let full = |name: &str| variables::full_name(turn, room, name);
        Some(hook::read_script(turn, room, lines)?.with_variables(full))
    };
    let answer = match single {
        Single::Creature(creature) => {
            let mut all = parsed::<CreatureEvent>(&turn.world.characters[creature].triggers);
            let answer = edit(turn, &naming::the(turn, creature), event, script, &mut all)?;
            turn.world.characters.change(creature, |body| body.triggers = stored(all).into());
            answer
        }
        Single::Item(item) => {
            let mut all = parsed::<ItemEvent>(&turn.world.items[item].triggers);
            let answer = edit(turn, &naming::the_item(turn, item), event, script, &mut all)?;
            turn.world.items.change(item, |row| row.triggers = stored(all).into());
            answer
        }
    };
    turn.emit_event(GameEvent::Stirred { room });
    actor.answer(turn, answer)
}

/// Splits `NAME EVENT`, and finds the creature or item in the room. A name may have several words.
fn single_meant<'t>(
    turn: &Turn,
    actor: Actor,
    room: RoomId,
    typed: &'t str,
) -> Result<(Single, &'t str), Refusal> {
    let mut none = None;
    for (at, _) in typed.match_indices(' ') {
        let (name, event) = typed.split_at(at);
        match single_named(turn, actor, room, name.trim()) {
            Ok(Single::Creature(creature)) if CreatureEvent::parse(event).is_some() => {
                return Ok((Single::Creature(creature), event.trim()));
            }
            Ok(Single::Item(item)) if ItemEvent::parse(event).is_some() => {
                return Ok((Single::Item(item), event.trim()));
            }
            Ok(single) => {
                let known = match single {
                    Single::Creature(_) => CreatureEvent::events(),
                    Single::Item(_) => ItemEvent::events(),
                };
                none.get_or_insert(hook::no_event(event.trim(), &known));
            }
            Err(refusal) => _ = none.get_or_insert(refusal),
        }
    }
    Err(none.unwrap_or(Refusal::Missing("trigger this NAME EVENT = LINE; LINE")))
}

fn single_named(turn: &Turn, actor: Actor, room: RoomId, name: &str) -> Result<Single, Refusal> {
    let being = resolve::being_in(turn, actor.who, room, name).ok();
    match being.filter(|being| !turn.world.characters[*being].is_player()) {
        Some(creature) => Ok(Single::Creature(creature)),
        None => resolve::item_here(turn, room, name).map(Single::Item),
    }
}

/// Returns own triggers as those of a prototype. Those that cannot be parsed are left out.
fn parsed<E: ObjectEvent>(own: &[OwnTrigger]) -> Vec<ObjectTrigger<E>> {
    let read =
        |trigger: &OwnTrigger| Some(ObjectTrigger { on: E::parse(&trigger.on)?, script: trigger.script()? });
    own.iter().filter_map(read).collect()
}

fn stored<E: ObjectEvent>(all: Vec<ObjectTrigger<E>>) -> Vec<OwnTrigger> {
    let row =
        |trigger: ObjectTrigger<E>| OwnTrigger { on: trigger.on.to_string(), lines: trigger.script.into() };
    all.into_iter().map(row).collect()
}

/// Returns the commands that set the own triggers of the creatures and items of a room.
pub(crate) fn typed_in(turn: &Turn, room: RoomId) -> Vec<String> {
    let line = |(name, own): (String, &OwnTrigger)| {
        let name = name.strip_prefix("the ").unwrap_or(&name);
        format!("trigger this {name} {} = {}", own.on, own.lines.join("; "))
    };
    own_triggers(turn, room).map(line).collect()
}

/// Parses typed lines of a script that belongs to no room.
pub(crate) fn read_lines(typed: &str) -> Result<Script, Refusal> {
    let lines = typed.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty());
    Script::parse(lines).map_err(|mistakes| hook::all_mistakes(&mistakes))
}
