//! Import of zone files: existing rooms and exits keep their identity, new ones are created, and those missing from the
//! files are removed. Everything happens in one step and hence one batch, after [`super::mistakes`] has found no
//! mistake; [`slices`] is for large files.

pub(super) mod read;
mod removal;
pub(super) mod run;
pub(super) mod slices;
pub(super) mod write;

use super::{Files, change, has_rooms, rooms, row, text};
use crate::branch::{asleep, expiry};
use crate::building::{built_rooms, initial_areas};
use crate::refusal::Refusal;
use crate::room::respawn;
use crate::state::event::GameEvent;
pub(crate) use crate::state::file_work::import_run::Imported;
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, Direction, ExitId, FreePlaces, RoomId};
use deepwell_core::catalog::{Area, AreaRoom};
use deepwell_core::world::{BranchSettings, ExitKind, RoomKind};
use std::collections::{BTreeMap, BTreeSet};

/// Existing rooms of one zone, by key.
type Standing = BTreeMap<String, RoomId>;

/// All hand-built rooms, by zone and key.
type Known = BTreeMap<(String, String), RoomId>;

/// Returns the rooms of a zone that its file keeps, and those that it removes.
fn stay_and_gone(turn: &Turn, key: &str, area: &Area) -> (Standing, Standing) {
    let keys: BTreeSet<&str> = area.rooms.iter().map(|room| room.key.as_str()).collect();
    let standing: Standing = rooms(turn, key).map(|room| (room.zone_key(), room.id)).collect();
    let (mut stay, mut gone): (Standing, Standing) =
        standing.into_iter().partition(|(key, _)| keys.contains(key.as_str()));
    keep_rekeyed(turn, area, &mut stay, &mut gone);
    (stay, gone)
}

/// Refuses if a character in a room that an import would remove, or at home there, is asleep.
pub(super) fn require_awake_in_gone(turn: &mut Turn, files: &Files) -> Result<(), Refusal> {
    let gone = files.iter().flat_map(|(key, area)| stay_and_gone(turn, key, area).1.into_values()).collect();
    asleep::require_awake_in(turn, &gone)
}

/// Updates each zone to the contents of its file.
pub(super) fn import(turn: &mut Turn, files: &Files) -> BTreeMap<String, Imported> {
    text::note_work(turn, files);
    let mut told = BTreeMap::new();
    let mut order: Vec<(&String, &Area, Standing)> = Vec::new();
    for (key, area) in files {
        let (stay, gone) = stay_and_gone(turn, key, area);
        built_rooms::remove_built_rooms(turn, &gone.values().copied().collect());
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (kept, gone) = (count(stay.len()), count(gone.len()));
        told.insert(key.clone(), Imported { made: count(area.rooms.len()).saturating_sub(kept), kept, gone });
        order.push((key, area, stay));
    }
    // Existing zones have fixed places; new zones are placed around them.
    order.sort_by_key(|(_, _, standing)| standing.is_empty());
    let said = places_in_files(turn, files);
    for (key, area, standing) in &order {
        build_rooms(turn, key, area, standing, &said);
    }
    let known: Known = turn
        .world
        .rooms
        .built()
        .map(|id| &turn.world.rooms[id])
        .map(|room| ((room.area.clone(), room.zone_key()), room.id))
        .collect();
    let mut wanted = Vec::new();
    for (key, area) in files {
        let declared = area.declarations();
        if row(turn, key).variables != declared {
            change(turn, key, |zone| zone.variables = declared);
        }
        for room in &area.rooms {
            let find = |name: &str| {
                let (zone, name) = name.split_once('/').unwrap_or((key, name));
                known.get(&(zone.to_owned(), name.to_owned())).copied()
            };
            let Some(id) = find(&room.key) else { continue };
            furnish(turn, id, room);
            wanted.extend(initial_areas::fill(turn, id, room, find));
            join(turn, id, room, find);
            turn.emit_event(GameEvent::RoomChanged { room: id });
        }
    }
    respawn::restock(turn, &wanted);
    respawn::begin(turn);
    told
}

/// Keeps rooms whose key alone changed in the file: a new key takes over the only missing room with the same name and
/// description.
fn keep_rekeyed(turn: &Turn, area: &Area, stay: &mut Standing, gone: &mut Standing) {
    let mut by_text: BTreeMap<(&str, &str), Vec<&String>> = BTreeMap::new();
    for (key, id) in gone.iter() {
        let row = &turn.world.rooms[*id];
        by_text.entry((&row.name, &row.description)).or_default().push(key);
    }
    let mut new: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for room in area.rooms.iter().filter(|room| !stay.contains_key(&room.key)) {
        new.entry((&room.name, &room.description)).or_default().push(&room.key);
    }
    let mut renamed: Vec<(String, String)> = Vec::new();
    for (text, keys) in new {
        if let (&[now], Some(&[was])) = (&keys[..], by_text.get(&text).map(|keys| &keys[..])) {
            renamed.push((was.clone(), now.to_owned()));
        }
    }
    for (was, now) in renamed {
        if let Some(id) = gone.remove(&was) {
            stay.insert(now, id);
        }
    }
}

/// Returns the places that files specify for rooms of existing zones, with the zone.
fn places_in_files(turn: &Turn, files: &Files) -> BTreeMap<Coordinates, String> {
    let mut said = BTreeMap::new();
    for (key, area) in files.iter().filter(|(key, _)| has_rooms(turn, key)) {
        let origin = row(turn, key).origin;
        let places = area.rooms.iter().filter_map(|room| room.at);
        said.extend(places.map(|at| (at.beyond(origin), key.clone())));
    }
    said
}

/// Lays out the rooms of a zone and creates the missing ones, each with its key.
fn build_rooms(
    turn: &mut Turn,
    key: &str,
    area: &Area,
    standing: &Standing,
    said: &BTreeMap<Coordinates, String>,
) {
    let places = lay_out(turn, key, area, standing, said);
    let mut lie = Vec::new();
    for room in &area.rooms {
        let at = places.get(&room.key).copied().unwrap_or_default();
        let id = standing.get(&room.key).copied().unwrap_or_else(|| {
            built_rooms::add_built_room(turn, room.kind, &room.name, &room.aliases, key, at)
        });
        turn.world.rooms.change_built(id, |row| row.key = room.key.clone().into());
        lie.push((id, at));
    }
    turn.world.rooms.move_built(&lie);
}

/// Computes the place of each room in the file. A new zone is shifted east as a whole until it overlaps no other zone.
fn lay_out(
    turn: &mut Turn,
    key: &str,
    area: &Area,
    standing: &Standing,
    said: &BTreeMap<Coordinates, String>,
) -> BTreeMap<String, Coordinates> {
    let mut origin = row(turn, key).origin;
    let is_foreign = |place: Coordinates| {
        let stands = turn.world.rooms.built_at(place).is_some_and(|id| turn.world.rooms[id].area != key);
        stands || said.get(&place).is_some_and(|zone| zone != key)
    };
    let mut known = area.clone();
    for room in &mut known.rooms {
        let stands = standing.get(&room.key).and_then(|id| turn.world.rooms[*id].coordinates());
        room.at = room.at.or(stands.map(|place| place.relative_to(origin)));
    }
    let layout = known.layout();
    if standing.is_empty() {
        while layout.iter().any(|(_, at)| is_foreign(at.beyond(origin))) {
            origin = origin.step(Direction::East);
        }
    }
    let fixed: BTreeSet<&str> =
        known.rooms.iter().filter(|room| room.at.is_some()).map(|room| room.key.as_str()).collect();
    let mut taken: BTreeMap<Coordinates, &str> = BTreeMap::new();
    let mut free = FreePlaces::default();
    for (room, at) in &layout {
        let wished = at.beyond(origin);
        let is_taken = |place: Coordinates| is_foreign(place) || taken.contains_key(&place);
        let place = if fixed.contains(room) { wished } else { free.nearest(wished, is_taken) };
        taken.insert(place, room);
    }
    let places = taken.into_iter().map(|(place, room)| (room.to_owned(), place)).collect();
    change(turn, key, |zone| zone.origin = origin);
    places
}

/// Updates the texts of a room, and the settings of a start room.
fn furnish(turn: &mut Turn, id: RoomId, room: &AreaRoom) {
    turn.world.rooms.change(id, |row| {
        row.kind = room.kind;
        row.name.clone_from(&room.name);
        row.aliases = room.aliases.clone().into();
        row.description.clone_from(&room.description);
        row.environment.clone_from(&room.environment);
    });
    if room.kind != RoomKind::Start {
        return;
    }
    expiry::set_start_settings(turn, id, room.into());
}

/// Updates the exits of a room to its file. Exits with the same name and kind keep their identity.
fn join(turn: &mut Turn, id: RoomId, room: &AreaRoom, find: impl Fn(&str) -> Option<RoomId>) {
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
            initial_areas::add_exit(turn, id, exit, to);
            continue;
        };
        turn.world.exits.change(standing, |row| {
            row.set_aliases(&exit.aliases);
            row.settings = BranchSettings::from(&exit.settings).into();
            if row.kind == ExitKind::Exit {
                row.to = to;
            }
        });
        initial_areas::furnish_exit(turn, standing, exit);
    }
}
