//! Scripts of rooms, as typed by builders. They are validated like content files.

use crate::access::draft_names;
use crate::building::zones;
use crate::character::variables;
use crate::exit::doors;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::script::{ScriptDeed, ScriptRoomName, UnknownName};
use deepwell_core::catalog::{CatalogError, Position, Script};
use deepwell_core::text::Markup;

/// Note appended to the answer when a script replaces another.
pub(crate) const REPLACED: &str = " It replaces the one that was here for that event; undo brings that back.";

/// Parses a typed script and validates it against the content and its room.
pub(crate) fn read_script(turn: &Turn, room: RoomId, typed: &str) -> Result<Script, Refusal> {
    let lines: Vec<&str> = typed.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()).collect();
    let script = Script::parse(lines.iter().copied()).map_err(|mistakes| all_mistakes(&mistakes))?;
    let script = draft_names::script_at(turn, room, script);
    let zone = turn.world.rooms[room].area.as_str();
    let script = script.with_rooms(|name| match name {
        ScriptRoomName::Key(key) => zones::room_called(turn, zone, key)
            .map_or_else(|| name.clone(), |found| ScriptRoomName::Number(found.0)),
        ScriptRoomName::Number(_) => name.clone(),
    });
    let here = Position::default();
    let unknown =
        script.unknown_names(&turn.catalog).into_iter().map(|UnknownName { what, key, valid, .. }| {
            let nearest = CatalogError::unknown_name(&here, what, key, valid).nearest;
            refuse!("There is no {what} \"{key}\"{nearest}{}", if nearest.0.is_some() { "" } else { "." })
        });
    let is_built = |room: &ScriptRoomName| match room {
        ScriptRoomName::Number(room) => {
            turn.world.rooms.get(RoomId(*room)).is_some_and(|row| row.branch.is_none())
        }
        ScriptRoomName::Key(_) => false,
    };
    let unfit = script.lines().iter().filter_map(|line| match &line.deed {
        ScriptDeed::Open(exit) | ScriptDeed::Shut(exit) => {
            let is_free = doors::door_named(turn, room, exit).is_none();
            is_free.then(|| refuse!("There is no door in \"{exit}\": set {exit} door = NAME makes one."))
        }
        ScriptDeed::Move(to) => (!is_built(to)).then(|| refuse!("There is no room {to} built by hand.")),
        _ => None,
    });
    let variables = script.variables().filter_map(|(_, of)| {
        let Some(kind) = variables::kind_of(turn, room, of.name()) else {
            let known = variables::known_names(turn, room);
            let known = known.iter().map(String::as_str);
            let nearest = CatalogError::unknown_name(&here, "variable", of.name(), known).nearest;
            return Some(refuse!(
                "No zone declares the variable {name}{nearest}{} variable new {name} = number declares it.",
                if nearest.0.is_some() { "" } else { "." },
                name = of.name()
            ));
        };
        of.mismatch(kind).map(|mismatch| refuse!("The variable {} {mismatch}.", of.name()))
    });
    let mistakes: Vec<Markup> =
        unknown.chain(unfit).chain(variables).map(|refusal: Refusal| refusal.markup()).collect();
    if mistakes.is_empty() { Ok(script) } else { Err(all_mistakes(mistakes.iter().map(Markup::text))) }
}

/// Returns the refusal of a script, with each of its mistakes on a line of its own.
pub(crate) fn all_mistakes(mistakes: impl IntoIterator<Item = impl ToString>) -> Refusal {
    let lines: Vec<String> = mistakes.into_iter().map(|mistake| mistake.to_string()).collect();
    Refusal::Said(lines.join("\n").into())
}

/// Returns the refusal of a word that is no event.
pub(crate) fn no_event(word: &str, known: &str) -> Refusal {
    refuse!("There is no event \"{word}\"; there are {known}.")
}

/// Returns the refusal of an event that has no script.
pub(crate) fn no_trigger(event: &str) -> Refusal {
    refuse!("Nothing happens here at {event}.")
}

/// Returns the refusal of more triggers than a room may have.
pub(crate) fn too_many_triggers(most: u32) -> Refusal {
    refuse!("A room has at most {most} triggers.")
}
