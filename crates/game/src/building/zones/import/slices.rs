//! Import of large zone files, spread over steps. The files are stored before the first room changes and until the last
//! has, and all stages can be repeated, so that a server that was killed in between completes the import.

use super::removal::{self, Wait};
use super::{furnish, initial_areas, join, lay_out, places_in_files};
use crate::building::built_rooms;
use crate::building::zones::followers::{Followers, Names};
use crate::building::zones::{Files, change, draft, origin, room_called, row, text};
use crate::room::respawn;
use crate::state::event::GameEvent;
use crate::state::file_work::check::{RoomKeys, Visit};
use crate::state::file_work::import_run::{ImportRun, ImportStage};
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, Direction, RoomId};
use deepwell_core::catalog::{Area, AreaRoom, AreaScript};
use std::collections::{BTreeMap, BTreeSet};

/// Height by which rooms are moved out of the way of others.
const LIFT: i32 = 10_000_000;

/// Does the work of one room. Returns an error if it has to wait for players who are asleep.
pub(in crate::building::zones) fn go_one_step(
    turn: &mut Turn,
    files: &mut Files,
    run: &mut ImportRun,
) -> Result<(), Wait> {
    turn.world.note_work(1);
    match run.stage {
        ImportStage::Keys => note_key(files, run),
        ImportStage::TakeOver => take_over_next(turn, run),
        ImportStage::Gone => note_standing(turn, files, run),
        ImportStage::New => note_new(turn, files, run),
        ImportStage::Close => removal::close_next(turn, run)?,
        ImportStage::ExitsInto => removal::remove_next_exit_into(turn, run),
        ImportStage::Homes => removal::replace_next_home(turn, run)?,
        ImportStage::Remove => removal::remove_next(turn, run),
        ImportStage::Origin => find_origin(turn, files, run),
        ImportStage::Lift => lift_next(turn, files, run),
        ImportStage::Build => build_next(turn, files, run),
        ImportStage::Furnish => furnish_next(turn, files, run),
        ImportStage::Follow => follow_next(turn, files, run),
        ImportStage::Done => {}
    }
    Ok(())
}

/// Adds a room to the keys of the files.
fn note_key(files: &Files, run: &mut ImportRun) {
    let Some(Visit { zone, room, .. }) = run.at.next(files) else { return run.advance() };
    let keys = run.keys.entry(zone.clone()).or_default();
    keys.extend(room.map(|(place, room)| (room.key.clone(), place)));
}

/// Moves the next room of a draft into its new zone.
fn take_over_next(turn: &mut Turn, run: &mut ImportRun) {
    let draft = run.draft.as_ref().filter(|_| run.moves_rooms && !run.is_leaving);
    let next = draft
        .and_then(|(key, draft)| Some((turn.world.rooms.of_zone_after(key, run.room).next()?, &draft.of)));
    match next {
        Some((room, zone)) => {
            draft::take_over(turn, room, zone);
            run.room = Some(room);
        }
        None => run.advance(),
    }
}

/// Notes an existing room of a zone: its file keeps or removes it.
fn note_standing(turn: &Turn, files: &Files, run: &mut ImportRun) {
    let Some((zone, _)) = run.at.zone(files) else { return run.advance() };
    let before = run.room;
    run.room = turn.world.rooms.of_zone_after(zone, before).next();
    let Some(id) = run.room else {
        if before.is_none() {
            run.new_zones.insert(zone.clone());
        }
        return run.at.skip_zone();
    };
    let room = &turn.world.rooms[id];
    let counts = run.imported.entry(zone.clone()).or_default();
    if is_in_file(&run.keys, zone, &room.zone_key()) {
        counts.kept += 1;
    } else {
        counts.gone += 1;
        run.gone.insert(id);
        let text = (zone.clone(), room.name.clone(), room.description.clone());
        run.gone_texts.entry(text).or_default().push(id);
    }
}

fn is_in_file(keys: &RoomKeys, zone: &str, key: &str) -> bool {
    keys.get(zone).is_some_and(|keys| keys.contains_key(key))
}

/// Notes a room of a file that does not exist yet. After the last, rooms whose key alone changed in the file are kept: a
/// new key takes over the only missing room with the same name and description.
fn note_new(turn: &Turn, files: &Files, run: &mut ImportRun) {
    let Some(Visit { zone, room, .. }) = run.at.next(files) else {
        keep_rekeyed(run);
        return run.advance();
    };
    let counts = run.imported.entry(zone.clone()).or_default();
    let Some((_, room)) = room.filter(|(_, room)| turn.world.rooms.of_key(zone, &room.key).is_none()) else {
        return;
    };
    counts.made += 1;
    let text = (zone.clone(), room.name.clone(), room.description.clone());
    if run.gone_texts.contains_key(&text) {
        run.new_texts.entry(text).or_default().push(room.key.clone());
    }
}

fn keep_rekeyed(run: &mut ImportRun) {
    for (text, keys) in std::mem::take(&mut run.new_texts) {
        let gone = run.gone_texts.get(&text).map(Vec::as_slice);
        if let ([key], Some([id])) = (keys.as_slice(), gone) {
            run.gone.remove(id);
            let counts = run.imported.entry(text.0.clone()).or_default();
            (counts.made, counts.kept, counts.gone) = (counts.made - 1, counts.kept + 1, counts.gone - 1);
            run.rekeyed.insert((text.0.clone(), key.clone()), *id);
        }
    }
    run.gone_texts.clear();
}

/// Looks for the place of a new zone: it is shifted east as a whole until it overlaps no other. A file that leaves places
/// out is laid out at once.
fn find_origin(turn: &mut Turn, files: &Files, run: &mut ImportRun) {
    let Some((zone, area)) = run.at.zone(files) else { return run.advance() };
    let Some(place) = run.origin else { return begin_to_place(turn, files, run, zone, area) };
    let Some(room) = area.rooms.get(run.at.room()) else {
        run.origin = None;
        change(turn, zone, |row| row.origin = place);
        if files.len() > 1 {
            let places = area.rooms.iter().filter_map(|room| room.at);
            run.said.extend(places.map(|at| (at.beyond(place), zone.clone())));
        }
        return run.at.skip_zone();
    };
    let at = room.at.unwrap_or_default().beyond(place);
    let is_said = run.said.get(&at).is_some_and(|other| other != zone);
    if draft::is_foreign(turn, at, zone) || is_said {
        run.origin = Some(place.step(Direction::East));
        run.at.restart_zone();
    } else {
        _ = run.at.next(files);
    }
}

/// Begins to look for the place of a zone, unless its rooms have theirs.
fn begin_to_place(turn: &mut Turn, files: &Files, run: &mut ImportRun, zone: &str, area: &Area) {
    // The places of new zones are added once they are found.
    if files.len() > 1 && run.said.is_empty() {
        run.said = places_in_files(turn, files);
    }
    if area.rooms.iter().any(|room| room.at.is_none()) {
        let standing = standing(turn, zone, area, run);
        let places = lay_out(turn, zone, area, &standing, &run.said);
        run.said.extend(places.values().map(|at| (*at, zone.to_owned())));
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

fn existing(turn: &Turn, zone: &str, room: &AreaRoom, run: &ImportRun) -> Option<RoomId> {
    let rekeyed = || run.rekeyed.get(&(zone.to_owned(), room.key.clone())).copied();
    turn.world.rooms.of_key(zone, &room.key).or_else(rekeyed)
}

/// Returns the place of a room of a file in the world.
fn place_of(turn: &Turn, zone: &str, room: &AreaRoom, run: &ImportRun) -> Coordinates {
    let by_layout = run.places.get(zone).and_then(|places| places.get(&room.key)).copied();
    by_layout.unwrap_or_else(|| room.at.unwrap_or_default().beyond(origin(turn, zone)))
}

/// Moves an existing room that changes its place out of the way of the others.
fn lift_next(turn: &mut Turn, files: &Files, run: &mut ImportRun) {
    let Some(Visit { zone, room, .. }) = run.at.next(files) else { return run.advance() };
    let Some((_, room)) = room else { return };
    let Some(id) = existing(turn, zone, room, run) else { return };
    let here = turn.world.rooms[id].coordinates().unwrap_or_default();
    if here != place_of(turn, zone, room, run) {
        let lifted = Coordinates { z: here.z.wrapping_add(LIFT), ..here };
        turn.world.rooms.move_built(&[(id, lifted)]);
    }
}

/// Creates or moves a room. At the end of a file it declares the variables of the zone.
fn build_next(turn: &mut Turn, files: &Files, run: &mut ImportRun) {
    let Some(Visit { zone, area, room, .. }) = run.at.next(files) else { return run.advance() };
    let Some((_, room)) = room else {
        let declared = area.declarations();
        if row(turn, zone).variables != declared {
            change(turn, zone, |row| row.variables = declared);
        }
        return;
    };
    let place = place_of(turn, zone, room, run);
    let id = existing(turn, zone, room, run).unwrap_or_else(|| {
        built_rooms::add_built_room(turn, room.kind, &room.name, &room.aliases, zone, place)
    });
    if *turn.world.rooms[id].key != room.key {
        turn.world.rooms.change_built(id, |row| row.key = room.key.clone().into());
    }
    if turn.world.rooms[id].coordinates() != Some(place) {
        turn.world.rooms.move_built(&[(id, place)]);
    }
}

/// Fills a room and joins it to others. The room of the file is dropped, as its memory would take long to free at the end.
fn furnish_next(turn: &mut Turn, files: &mut Files, run: &mut ImportRun) {
    let Some(Visit { zone, room, .. }) = run.at.next(files) else { return run.advance() };
    let (zone, Some((place, _))) = (zone.clone(), room) else { return };
    let rooms = files.get_mut(&zone).map(|area| &mut area.rooms);
    let Some(room) = rooms.and_then(|rooms| rooms.get_mut(place)).map(take) else { return };
    turn.world.note_work(text::work_of(&room));
    let known: BTreeMap<String, RoomId> =
        names_in(&room).filter_map(|name| Some((name.to_owned(), room_called(turn, &zone, name)?))).collect();
    let find = |name: &str| known.get(name).copied();
    let Some(id) = room_called(turn, &zone, &room.key) else { return };
    furnish(turn, id, &room);
    let wanted = initial_areas::fill(turn, id, &room, find);
    join(turn, id, &room, find);
    respawn::make_due(turn, &wanted);
    turn.emit_event(GameEvent::RoomChanged { room: id });
}

/// Renames the draft that is published in the next room elsewhere. After the last, the draft is removed.
fn follow_next(turn: &mut Turn, files: &mut Files, run: &mut ImportRun) {
    let Some((key, draft)) = run.draft.clone().filter(|_| !run.is_leaving) else { return run.advance() };
    run.room = turn.world.rooms.built_after(run.room).next();
    let Some(id) = run.room else {
        run.leave_draft();
        *files = std::mem::take(&mut run.files);
        return;
    };
    let mut followers = Followers::default();
    followers.note_room(&Names::of(turn, &key, &draft), id);
    followers.write_rooms(turn);
}

/// Takes a room out of its file, and leaves its key.
fn take(room: &mut AreaRoom) -> AreaRoom {
    let key = room.key.clone();
    std::mem::replace(room, AreaRoom::empty(key))
}

/// Returns the rooms that a room of a file names, in exits and scripts.
fn names_in(room: &AreaRoom) -> impl Iterator<Item = &str> {
    let exits = room.exits.iter().filter_map(|exit| Some(exit.to.as_ref()?.1.as_str()));
    let scripts = room.scripts().flat_map(AreaScript::rooms);
    let rooms: BTreeSet<&str> = exits.chain(scripts.filter_map(|(_, name)| name.key())).collect();
    rooms.into_iter()
}
