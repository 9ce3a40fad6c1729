//! Names in drafts of zones: where a draft has its own version of a definition, the names of scripts and builders in its
//! rooms mean that one.

use crate::access::drafts;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::{Area, DefinitionKind, Renaming, Script, draft_key};
use deepwell_core::script::Value;

/// Returns the key of the draft that a room belongs to.
pub(crate) fn draft_at(turn: &Turn, room: RoomId) -> Option<&str> {
    drafts::draft_around(turn, room).map(|_| turn.world.rooms[room].area.as_str())
}

/// Returns the zone of a draft; `None` if it is no draft.
pub(crate) fn zone_of<'t>(turn: &'t Turn, draft: &str) -> Option<&'t str> {
    turn.world.meta().zones.get(draft)?.draft.as_ref().map(|draft| draft.of.as_str())
}

/// Returns the key that a definition has in a room: that of the draft's version, if the draft around has one.
pub(crate) fn key_at(turn: &Turn, room: RoomId, kind: DefinitionKind, key: &str) -> String {
    draft_at(turn, room).map_or_else(|| key.to_owned(), |draft| key_in(turn, draft, kind, key))
}

/// Returns the key that a definition has in a zone: that of its version, if the zone is a draft that has one.
pub(crate) fn key_in(turn: &Turn, zone: &str, kind: DefinitionKind, key: &str) -> String {
    let version = draft_key::join(zone, key);
    let has_version = turn.world.definitions.find(kind, &version).is_some();
    if has_version { version } else { key.to_owned() }
}

/// Returns `true` if a definition is to be shown in a room: versions are shown in their draft alone.
pub(crate) fn is_shown(turn: &Turn, room: RoomId, key: &str) -> bool {
    is_shown_in(draft_at(turn, room).unwrap_or_default(), key)
}

/// Returns `true` if a definition is to be shown in a zone: versions are shown in their draft alone.
pub(crate) fn is_shown_in(zone: &str, key: &str) -> bool {
    draft_key::split(key).is_none_or(|(draft, _)| draft == zone)
}

/// Returns the renaming of definitions to the versions of a draft, for its rooms: these name rooms and
/// variables of the published zone where they mean them.
pub(crate) fn renaming(turn: &Turn, draft: &str) -> Renaming {
    renaming_to(draft, draft, keys(turn, draft))
}

fn keys<'t>(turn: &'t Turn, draft: &'t str) -> impl Iterator<Item = (DefinitionKind, &'t str)> {
    let rows = turn.world.definitions.iter().map(|(_, row)| row);
    rows.filter(move |row| row.is_of_draft(draft)).map(|row| (row.kind, row.key.as_str()))
}

/// Returns the renaming of a zone and of definitions to a draft and its versions, for definitions of the draft.
pub(crate) fn renaming_to<'k>(
    zone: &str,
    draft: &str,
    keys: impl Iterator<Item = (DefinitionKind, &'k str)>,
) -> Renaming {
    let mut renaming = Renaming::into_draft(&Area::empty(zone), draft);
    for (kind, key) in keys {
        if let Some((_, plain)) = draft_key::split(key).filter(|(of, _)| *of == draft) {
            renaming.add_definition(kind, plain);
        }
    }
    renaming
}

/// Returns a script of a room with the names of the draft around, if there is one.
pub(crate) fn script_at(turn: &Turn, room: RoomId, script: Script) -> Script {
    match draft_at(turn, room) {
        Some(draft) => renaming(turn, draft).script(script),
        None => script,
    }
}

/// Returns lines of a Luau script in a room with the names of the draft around, if there is one.
pub(crate) fn returned_script(turn: &Turn, room: RoomId, script: Script) -> Script {
    let Some((draft, zone)) = draft_at(turn, room).and_then(|draft| Some((draft, zone_of(turn, draft)?)))
    else {
        return script;
    };
    renaming_to(zone, draft, keys(turn, draft)).script(script)
}

/// Returns a value for a script in a room, in which the versions of the draft around have their published names.
pub(crate) fn published_value(turn: &Turn, room: RoomId, value: Value) -> Value {
    let Some(draft) = draft_at(turn, room) else { return value };
    let of = zone_of(turn, draft).unwrap_or(draft);
    in_value(value, &|text| draft_key::published_text(text, draft, of))
}

fn in_value(value: Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::Text(text) => Value::Text(change(&text)),
        Value::List(values) => Value::List(values.into_iter().map(|value| in_value(value, change)).collect()),
        Value::Table(entries) => {
            let entries = entries.into_iter();
            Value::Table(entries.map(|(key, value)| (change(&key), in_value(value, change))).collect())
        }
        Value::Nil | Value::Truth(_) | Value::Number(_) => value,
    }
}

/// Returns a text of a room as a builder types it there: versions of the draft around have the keys of their definitions.
pub(crate) fn typed(turn: &Turn, room: RoomId, text: &str) -> String {
    draft_at(turn, room)
        .map_or_else(|| text.to_owned(), |draft| draft_key::published_text(text, draft, draft))
}

/// Returns the renaming of the names of a draft to those that are published; `None` for a zone that is no draft.
pub(crate) fn published_renaming(turn: &Turn, draft: &str) -> Option<Renaming> {
    zone_of(turn, draft).map(|_| Renaming::out_of_draft(&Area::empty(draft), draft))
}
