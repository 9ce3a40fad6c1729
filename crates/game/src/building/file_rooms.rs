//! Hand-built rooms and exits as the files of areas and zones describe them.

use crate::branch::expiry;
use crate::building::built_rooms;
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, ExitId, RoomId};
use deepwell_core::catalog::area::PlacedReference;
use deepwell_core::catalog::script::ScriptRoomName;
use deepwell_core::catalog::{AreaExit, AreaRoom, AreaScript};
use deepwell_core::world::{Door, ExitKind, RoomKind, SpawnRule, Trigger};
use std::collections::BTreeMap;

/// Creates a room of a file with its key, as near as possible to the wished coordinates. A restored room gets its former id.
pub(crate) fn create(
    turn: &mut Turn,
    zone: &str,
    room: &AreaRoom,
    wished: Coordinates,
    former: Option<RoomId>,
) -> RoomId {
    let former = former.filter(|id| turn.world.rooms.get(*id).is_none());
    let id = former.unwrap_or_else(|| turn.world.new_room_id());
    built_rooms::add_built_room_as(
        turn,
        id,
        room.sheet.kind,
        &room.sheet.name,
        &room.sheet.aliases,
        zone,
        wished,
    );
    turn.world.rooms.change_built(id, |row| row.key = room.key.clone().into());
    id
}

/// Updates a room to its file. Room keys are resolved by `find`. Returns the new spawn rules.
pub(crate) fn update(
    turn: &mut Turn,
    id: RoomId,
    room: &AreaRoom,
    find: &impl Fn(&str) -> Option<RoomId>,
) -> Vec<(RoomId, SpawnRule)> {
    furnish(turn, id, room);
    let wanted = fill(turn, id, room, find);
    join(turn, id, room, find);
    wanted
}

/// Updates the sheet of a room, and the settings of a start room.
pub(crate) fn furnish(turn: &mut Turn, id: RoomId, room: &AreaRoom) {
    turn.world.rooms.change(id, |row| row.sheet.clone_from(&room.sheet));
    if room.sheet.kind != RoomKind::Start {
        return;
    }
    expiry::set_start_settings(turn, id, room.settings.set.clone());
}

/// Replaces the goods, scripts and spawn rules of a room with those of its file. Returns the new spawn rules, which the caller restocks together: one count of the world then serves all rooms.
pub(crate) fn fill(
    turn: &mut Turn,
    id: RoomId,
    room: &AreaRoom,
    find: &impl Fn(&str) -> Option<RoomId>,
) -> Vec<(RoomId, SpawnRule)> {
    let lines = |script: &AreaScript| {
        let number = |name: &ScriptRoomName| match name {
            ScriptRoomName::Key(key) => {
                find(key).map_or_else(|| name.clone(), |room| ScriptRoomName::Number(room.0))
            }
            ScriptRoomName::Number(_) => name.clone(),
        };
        Vec::from(script.script.clone().with_rooms(number))
    };
    let Some(row) = turn.world.rooms.edit(id) else { return Vec::new() };
    row.stock = room.shop.items().into();
    row.shop = room.shop.terms().into();
    row.supplies = keys(&room.supplies).into();
    row.triggers = room
        .triggers
        .iter()
        .filter_map(|trigger| {
            let name = trigger.name.clone();
            Some(Trigger { name, on: trigger.on.clone()?, lines: lines(&trigger.lines) })
        })
        .collect();
    let before = std::mem::take(&mut row.spawns);
    row.spawns = room.spawns.iter().filter_map(SpawnRule::of_area).collect();
    let new = row.spawns.iter().filter(|rule| !before.contains(rule));
    new.map(|rule| (id, rule.clone())).collect()
}

/// Updates the exits of a room to its file. Exits with the same name and kind keep their identity.
fn join(turn: &mut Turn, id: RoomId, room: &AreaRoom, find: &impl Fn(&str) -> Option<RoomId>) {
    let is_meant =
        |name: &str, kind: ExitKind| room.exits.iter().any(|exit| exit.name == name && exit.kind == kind);
    let gone: Vec<ExitId> =
        turn.world.exits.of(id).filter(|exit| !is_meant(&exit.name, exit.kind)).map(|exit| exit.id).collect();
    for exit in gone {
        built_rooms::remove_built_exit(turn, exit);
    }
    for exit in &room.exits {
        let to = exit.to.as_ref().and_then(|(_, to)| find(to));
        let standing = turn.world.exits.of(id).find(|row| row.name == exit.name).map(|row| row.id);
        let Some(standing) = standing else {
            add_exit(turn, id, exit, to);
            continue;
        };
        turn.world.exits.change(standing, |row| {
            row.set_aliases(&exit.aliases);
            if row.kind == ExitKind::Exit {
                row.to = to;
            }
        });
        furnish_exit(turn, standing, exit);
    }
}

/// Restores exits of a room with their former ids, and thereby at their former places among the exits of the room. They
/// lead nowhere until the room is updated to its file.
pub(crate) fn restore_exits(turn: &mut Turn, id: RoomId, room: &AreaRoom, former: &BTreeMap<String, ExitId>) {
    for exit in &room.exits {
        let Some(former) = former.get(&exit.name).filter(|id| turn.world.exits.get(**id).is_none()) else {
            continue;
        };
        let later = turn.world.exits.of(id).find(|row| row.name == exit.name).map(|row| row.id);
        if let Some(later) = later {
            built_rooms::remove_built_exit(turn, later);
        }
        built_rooms::add_built_exit_as(turn, *former, id, exit.kind, &exit.name);
    }
}

/// Adds an exit of a file to a room.
pub(crate) fn add_exit(turn: &mut Turn, room: RoomId, exit: &AreaExit, to: Option<RoomId>) {
    let made = built_rooms::add_built_exit(turn, room, exit.kind, &exit.name, &exit.aliases, to);
    furnish_exit(turn, made, exit);
}

/// Updates the text, the door and the settings of an exit to its file.
fn furnish_exit(turn: &mut Turn, made: ExitId, exit: &AreaExit) {
    turn.world.exits.change(made, |row| {
        row.description = exit.description.clone().unwrap_or_default();
        row.hidden = exit.hidden;
        row.door = Door::of_area(exit).into();
        row.puzzle = exit.puzzle.as_ref().map(|(_, name)| name.clone()).into();
    });
    expiry::set_exit_settings(turn, made, &exit.settings.set);
}

/// Returns the keys of other content that an area names, without source positions.
fn keys(named: &[PlacedReference]) -> Vec<String> {
    named.iter().map(|(_, key)| key.clone()).collect()
}
