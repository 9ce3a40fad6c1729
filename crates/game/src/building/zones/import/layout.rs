//! Places of the rooms of zone files.

use crate::building::zones::{ZoneFiles, change, has_rooms, origin, row};
use crate::state::file_work::import_run::{ImportRun, ImportStage};
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, Direction, FreePlaces, RoomId};
use deepwell_core::catalog::{Area, AreaRoom};
use std::collections::{BTreeMap, BTreeSet};

/// Looks for the place of a new zone: it is shifted east as a whole until it overlaps no other. A file that leaves places
/// out is laid out at once. Existing zones have fixed places; new zones are placed around them.
pub(super) fn find_origin(turn: &mut Turn, files: &ZoneFiles, run: &mut ImportRun) {
    let Some((zone, area)) = run.at.zone(files) else { return run.advance() };
    if run.new_zones.contains(zone) != (run.stage == ImportStage::NewOrigins) {
        return run.at.skip_zone();
    }
    let Some(place) = run.origin else { return begin_to_place(turn, files, run, zone, area) };
    let Some(room) = area.rooms.get(run.at.room()) else {
        run.origin = None;
        change(turn, zone, |row| row.origin = place);
        if files.len() > 1 {
            let places = area.rooms.iter().filter_map(|room| room.at);
            run.file_places.extend(places.map(|at| (at.beyond(place), zone.clone())));
        }
        return run.at.skip_zone();
    };
    let at = room.at.unwrap_or_default().beyond(place);
    if is_foreign(turn, files, &run.file_places, zone, at) {
        run.origin = Some(place.step(Direction::East));
        run.at.restart_zone();
    } else {
        _ = run.at.next(files);
    }
}

/// Begins to look for the place of a zone, unless its rooms have theirs.
fn begin_to_place(turn: &mut Turn, files: &ZoneFiles, run: &mut ImportRun, zone: &str, area: &Area) {
    // The places of new zones are added once they are found.
    if files.len() > 1 && run.file_places.is_empty() {
        run.file_places = places_in_files(turn, files);
    }
    if area.rooms.iter().any(|room| room.at.is_none()) {
        let standing = standing(turn, zone, area, run);
        let places = lay_out(turn, files, zone, area, &standing, &run.file_places);
        run.file_places.extend(places.values().map(|at| (*at, zone.to_owned())));
        run.places.insert(zone.to_owned(), places);
        return run.at.skip_zone();
    }
    if !run.new_zones.contains(zone) && (!run.moves_rooms || run.is_leaving) {
        return run.at.skip_zone();
    }
    run.origin = Some(origin(turn, zone));
}

/// Returns the existing rooms of a zone that its file keeps, by their key in the file.
fn standing(turn: &Turn, zone: &str, area: &Area, run: &ImportRun) -> BTreeMap<String, RoomId> {
    let rooms =
        area.rooms.iter().filter_map(|room| Some((room.key.clone(), existing(turn, zone, room, run)?)));
    rooms.collect()
}

/// Returns `true` if another zone has a place: one of these files, or a room that no file has.
fn is_foreign(
    turn: &Turn,
    files: &ZoneFiles,
    file_places: &BTreeMap<Coordinates, String>,
    zone: &str,
    place: Coordinates,
) -> bool {
    let room = turn.world.rooms.built_at(place).map(|id| &turn.world.rooms[id]);
    let is_elsewhere = room.is_some_and(|room| room.area != zone && !files.contains_key(&room.area));
    is_elsewhere || file_places.get(&place).is_some_and(|other| other != zone)
}

/// Returns the places that files specify for rooms of existing zones, with the zone.
fn places_in_files(turn: &Turn, files: &ZoneFiles) -> BTreeMap<Coordinates, String> {
    let mut file_places = BTreeMap::new();
    for (key, area) in files.iter().filter(|(key, _)| has_rooms(turn, key)) {
        let origin = row(turn, key).origin;
        let places = area.rooms.iter().filter_map(|room| room.at);
        file_places.extend(places.map(|at| (at.beyond(origin), key.clone())));
    }
    file_places
}

/// Computes the place of each room in the file. A new zone is shifted east as a whole until it overlaps no other zone.
fn lay_out(
    turn: &mut Turn,
    files: &ZoneFiles,
    key: &str,
    area: &Area,
    standing: &BTreeMap<String, RoomId>,
    file_places: &BTreeMap<Coordinates, String>,
) -> BTreeMap<String, Coordinates> {
    let mut origin = row(turn, key).origin;
    let is_foreign = |place| is_foreign(turn, files, file_places, key, place);
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

/// Returns the place of a room of a file in the world.
pub(super) fn place_of(turn: &Turn, zone: &str, room: &AreaRoom, run: &ImportRun) -> Coordinates {
    let by_layout = run.places.get(zone).and_then(|places| places.get(&room.key)).copied();
    by_layout.unwrap_or_else(|| room.at.unwrap_or_default().beyond(origin(turn, zone)))
}

/// Returns the existing room of a room of a file.
pub(super) fn existing(turn: &Turn, zone: &str, room: &AreaRoom, run: &ImportRun) -> Option<RoomId> {
    let rekeyed = || run.rekeyed.get(&(zone.to_owned(), room.key.clone())).copied();
    turn.world.rooms.of_key(zone, &room.key).or_else(rekeyed)
}
