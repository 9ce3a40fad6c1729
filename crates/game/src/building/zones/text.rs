//! Conversion of a zone in the world to the area of its file.

use super::{origin, rooms, row};
use crate::access::draft_names;
use crate::state::file_work::ZoneReading;
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, RoomId};
use deepwell_core::catalog::area::{PlacedReference, zone_file};
use deepwell_core::catalog::script::ScriptRoomName;
use deepwell_core::catalog::script::variable::AreaVariable;
use deepwell_core::catalog::{
    Area, AreaExit, AreaRoom, AreaScript, AreaShop, AreaTrigger, CatalogError, Script, VariableDeclaration,
};
use deepwell_core::data::Position;
use deepwell_core::world::{Exit, Room, SpawnRule, Trigger};
use std::ops::Range;

/// Work of converting a room to the form of a file, and of checking or importing it.
const ROOM_WORK: usize = 30;
/// Bytes of a file whose writing counts as one unit of work.
pub(super) const WRITTEN_PER_WORK: usize = 32;
/// Bytes of a file whose parsing counts as one unit of work.
const PARSED_PER_WORK: usize = 8;

/// Returns the text of the file of a zone.
pub(super) fn file(turn: &Turn, zone: &str) -> String {
    let text = zone_file::write(&area(turn, zone));
    turn.world.note_work(text.len() / WRITTEN_PER_WORK);
    text
}

/// Parses the file of a zone.
pub(super) fn parse(turn: &Turn, zone: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Area> {
    turn.world.note_work(text.len() / PARSED_PER_WORK);
    Area::parse(&path(zone), text, mistakes)
}

/// Parses a part of the file of a zone. `None` if it is no file itself.
pub(super) fn parse_part(
    turn: &Turn,
    reading: &ZoneReading,
    part: Range<usize>,
    mistakes: &mut Vec<CatalogError>,
) -> Option<Area> {
    turn.world.note_work(part.len() / PARSED_PER_WORK);
    Area::parse_part(&path(&reading.zone), &reading.text, part, reading.above, mistakes)
}

/// Returns the path of the file of a zone, as mistakes name it.
fn path(zone: &str) -> String {
    format!("zones/{zone}.toml")
}

/// Returns the work of checking or importing a room.
pub(super) const fn work_of(room: &AreaRoom) -> usize {
    (1 + room.exits.len()) * ROOM_WORK
}

/// Returns the area of a zone in its current state.
pub(super) fn area(turn: &Turn, key: &str) -> Area {
    let origin = origin(turn, key);
    let rooms = rooms(turn, key).map(|room| area_room(turn, room, origin)).collect();
    Area { rooms, ..head(turn, key) }
}

/// Returns the area of a zone without its rooms.
pub(super) fn head(turn: &Turn, key: &str) -> Area {
    let town = turn.world.meta().town.and_then(|town| turn.world.rooms.get(town));
    Area {
        start: town.filter(|room| room.area == key).map(|room| placed(&room.zone_key())),
        variables: row(turn, key).variables.into_iter().map(area_variable).collect(),
        ..Area::empty(key)
    }
}

/// Returns a room of a zone as in its file.
pub(super) fn room(turn: &Turn, id: RoomId) -> AreaRoom {
    let room = &turn.world.rooms[id];
    area_room(turn, room, origin(turn, &room.area))
}

fn area_variable((name, declaration): (String, VariableDeclaration)) -> AreaVariable {
    AreaVariable { place: Position::default(), name: placed(&name), declaration }
}

/// Returns the name of an exit's destination in a file: the key of a room of the same zone, otherwise `ZONE/KEY`.
pub(crate) fn destination(from: &str, to: &Room) -> String {
    if to.area == from { to.zone_key() } else { format!("{}/{}", to.area, to.zone_key()) }
}

/// Converts a script to the form of a file: room numbers, which differ between worlds, are replaced with keys. Keys
/// that look like a number get a zone prefix.
fn script(turn: &Turn, zone: &str, lines: &[String]) -> AreaScript {
    // Stored lines were validated when they were set.
    let script = Script::parse(lines.iter().map(String::as_str)).unwrap_or_default();
    let named = script.with_rooms(|name| {
        let ScriptRoomName::Number(number) = name else { return name.clone() };
        let room = turn.world.rooms.get(RoomId(*number)).filter(|room| room.branch.is_none());
        room.map_or(ScriptRoomName::GONE, |room| {
            let key = destination(zone, room);
            let is_number = key.bytes().all(|byte| byte.is_ascii_digit());
            ScriptRoomName::Key(if is_number { format!("{zone}/{key}") } else { key })
        })
    });
    named.into()
}

fn placed(key: &str) -> PlacedReference {
    (Position::default(), key.to_owned())
}

fn area_room(turn: &Turn, room: &Room, origin: Coordinates) -> AreaRoom {
    let named = |keys: &[String]| keys.iter().map(|key| placed(key)).collect();
    let settings = turn.world.start_tasks.get(room.id).map(|tasks| tasks.settings.clone());
    turn.world.note_work(ROOM_WORK);
    let at = Coordinates { z: room.z, at: room.at }.relative_to(origin);
    let mut area_room = AreaRoom {
        place: Position::default(),
        key: room.zone_key(),
        at: Some(at),
        sheet: room.sheet.clone(),
        shop: AreaShop::of(&room.stock, &room.shop),
        supplies: named(&room.supplies),
        triggers: room.triggers.iter().map(|trigger| area_trigger(turn, room, trigger)).collect(),
        spawns: room.spawns.iter().map(SpawnRule::to_area).collect(),
        settings: settings.unwrap_or_default().into(),
        exits: turn.world.exits.of(room.id).map(|exit| area_exit(turn, room, exit)).collect(),
    };
    if let Some(published) = draft_names::published_renaming(turn, &room.area) {
        published.room(&mut area_room);
    }
    area_room
}

/// Gives the rooms in the file of a draft the names of its versions of definitions.
pub(super) fn localise(turn: &Turn, zone: &str, area: &mut Area) {
    if draft_names::zone_of(turn, zone).is_some() {
        let renaming = draft_names::renaming(turn, zone);
        area.rooms.iter_mut().for_each(|room| renaming.room(room));
    }
}

/// Gives a room in the file of a draft the names of its versions of definitions.
pub(super) fn localise_room(turn: &Turn, zone: &str, room: &mut AreaRoom) {
    if draft_names::zone_of(turn, zone).is_some() {
        draft_names::renaming(turn, zone).room(room);
    }
}

fn area_trigger(turn: &Turn, room: &Room, trigger: &Trigger) -> AreaTrigger {
    AreaTrigger {
        place: Position::default(),
        on: Some(trigger.on.clone()),
        name: trigger.name.clone(),
        lines: script(turn, &room.area, &trigger.lines),
    }
}

fn area_exit(turn: &Turn, room: &Room, exit: &Exit) -> AreaExit {
    let leads = exit.to.filter(|_| exit.window.is_none()).and_then(|to| turn.world.rooms.get(to));
    AreaExit {
        place: Position::default(),
        to: leads.map(|to| placed(&destination(&room.area, to))),
        settings: exit.start_settings().into(),
        name: exit.name.clone(),
        aliases: exit.aliases.to_value(),
        kind: exit.kind,
        description: Some(exit.description.clone()).filter(|description| !description.is_empty()),
        hidden: exit.hidden,
        door: exit.door.as_ref().map(|door| placed(&door.name)),
        door_key: exit.door.as_ref().and_then(|door| door.key.as_deref()).map(placed),
        door_open: exit.door.as_ref().is_some_and(|door| !door.shut),
        puzzle: exit.puzzle.as_deref().map(placed),
    }
}
