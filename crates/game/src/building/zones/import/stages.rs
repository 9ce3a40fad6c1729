//! Stages of an import, each visited room by room. The files of an import over several steps are stored before the first
//! room changes and until the last has, and all stages can be repeated, so that a server that was killed in between
//! completes the import.

use super::former::is_in_file;
use super::layout::{existing, find_origin, place_of};
use super::removal::{self, WaitForRows};
use crate::building::built_rooms::MOST_EXITS;
use crate::building::zones::draft::moving;
use crate::building::zones::followers::{Followers, Names};
use crate::building::zones::{ZoneFiles, change, room_called, row, text};
use crate::building::{draft_versions, file_rooms};
use crate::exit::pathfinding;
use crate::room::respawn;
use crate::state::event::GameEvent;
use crate::state::file_work::check::FilesVisit;
use crate::state::file_work::import_run::{ImportRun, ImportStage};
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, RoomId};
use deepwell_core::catalog::{AreaRoom, AreaScript};
use std::collections::{BTreeMap, BTreeSet};

/// Height by which rooms are moved out of the way of others.
const LIFT: i32 = 10_000_000;

/// Does the work of one room. Returns an error if it has to wait for players who are asleep.
pub(super) fn go_one_step(
    turn: &mut Turn,
    files: &mut ZoneFiles,
    run: &mut ImportRun,
) -> Result<(), WaitForRows> {
    if !run.is_at_once() {
        turn.world.note_work(1);
    }
    match run.stage {
        ImportStage::Keys | ImportStage::TakeOver | ImportStage::Gone | ImportStage::New => {
            compare_one_room(turn, files, run);
        }
        ImportStage::Close if run.is_at_once() => removal::remove_at_once(turn, run),
        ImportStage::Close => removal::close_next(turn, run)?,
        ImportStage::ExitsInto => removal::remove_next_exit_into(turn, run),
        ImportStage::Homes => removal::replace_next_home(turn, run)?,
        ImportStage::Remove => removal::remove_next(turn, run),
        ImportStage::Origins | ImportStage::NewOrigins => find_origin(turn, files, run),
        ImportStage::Lift => lift_next(turn, files, run),
        ImportStage::Build => build_next(turn, files, run),
        ImportStage::Furnish => furnish_next(turn, files, run),
        ImportStage::Restore => restore_next_exit(turn, run),
        ImportStage::Follow => follow_next(turn, files, run),
        ImportStage::Done => {}
    }
    Ok(())
}

/// Compares one room of the files or of their zones with the others, to find the rooms that come, stay and go.
pub(super) fn compare_one_room(turn: &mut Turn, files: &ZoneFiles, run: &mut ImportRun) {
    match run.stage {
        ImportStage::Keys => note_key(files, run),
        ImportStage::TakeOver => take_over_next(turn, run),
        ImportStage::Gone => note_standing(turn, files, run),
        _ => note_new(turn, files, run),
    }
}

/// Adds a room to the keys of the files.
fn note_key(files: &ZoneFiles, run: &mut ImportRun) {
    let Some(FilesVisit { zone, room, .. }) = run.at.next(files) else { return run.advance() };
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
            moving::take_over(turn, room, zone);
            run.room = Some(room);
        }
        None => run.advance(),
    }
}

/// Notes an existing room of a zone: its file keeps or removes it.
fn note_standing(turn: &Turn, files: &ZoneFiles, run: &mut ImportRun) {
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
        let text = (zone.clone(), room.sheet.name.clone(), room.sheet.description.clone());
        run.gone_texts.entry(text).or_default().push(id);
    }
}

/// Notes a room of a file that does not exist yet. After the last, rooms whose key alone changed in the file are kept: a
/// new key takes over the only missing room with the same name and description.
fn note_new(turn: &Turn, files: &ZoneFiles, run: &mut ImportRun) {
    let Some(FilesVisit { zone, room, .. }) = run.at.next(files) else {
        keep_rekeyed(run);
        return run.advance();
    };
    let counts = run.imported.entry(zone.clone()).or_default();
    let Some((_, room)) = room.filter(|(_, room)| turn.world.rooms.of_key(zone, &room.key).is_none()) else {
        return;
    };
    counts.made += 1;
    let text = (zone.clone(), room.sheet.name.clone(), room.sheet.description.clone());
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

/// Moves an existing room that changes its place out of the way of the others.
fn lift_next(turn: &mut Turn, files: &ZoneFiles, run: &mut ImportRun) {
    let Some(FilesVisit { zone, room, .. }) = run.at.next(files) else { return run.advance() };
    let Some((_, room)) = room else { return };
    let Some(id) = existing(turn, zone, room, run) else { return };
    let here = turn.world.rooms[id].coordinates().unwrap_or_default();
    if here != place_of(turn, zone, room, run) {
        let lifted = Coordinates { z: here.z.wrapping_add(LIFT), ..here };
        turn.world.rooms.move_built(&[(id, lifted)]);
    }
}

/// Creates or moves a room. At the end of a file it declares the variables of the zone.
fn build_next(turn: &mut Turn, files: &ZoneFiles, run: &mut ImportRun) {
    let Some(FilesVisit { zone, area, room, .. }) = run.at.next(files) else { return run.advance() };
    let Some((_, room)) = room else {
        let declared = area.declarations();
        if row(turn, zone).variables != declared {
            change(turn, zone, |row| row.variables = declared);
        }
        return;
    };
    let place = place_of(turn, zone, room, run);
    let id = existing(turn, zone, room, run).unwrap_or_else(|| {
        let former = run.former.rooms.get(&format!("{zone}/{}", room.key));
        file_rooms::create(turn, zone, room, place, former.map(|former| former.id))
    });
    if *turn.world.rooms[id].key != room.key {
        turn.world.rooms.change_built(id, |row| row.key = room.key.clone().into());
    }
    if turn.world.rooms[id].coordinates() != Some(place) {
        turn.world.rooms.move_built(&[(id, place)]);
    }
}

/// Fills a room and joins it to others. The room of the file is dropped, as its memory would take long to free at the end.
fn furnish_next(turn: &mut Turn, files: &mut ZoneFiles, run: &mut ImportRun) {
    let Some(FilesVisit { zone, room, .. }) = run.at.next(files) else {
        if run.is_at_once() {
            respawn::restock(turn, &std::mem::take(&mut run.wanted));
            respawn::begin(turn);
        }
        return run.advance();
    };
    let (zone, Some((place, _))) = (zone.clone(), room) else { return };
    let rooms = files.get_mut(&zone).map(|area| &mut area.rooms);
    let Some(mut room) = rooms.and_then(|rooms| rooms.get_mut(place)).map(take) else { return };
    text::localise_room(turn, &zone, &mut room);
    turn.world.note_work(text::work_of(&room));
    let known: BTreeMap<String, RoomId> =
        names_in(&room).filter_map(|name| Some((name.to_owned(), room_called(turn, &zone, name)?))).collect();
    let find = |name: &str| known.get(name).copied();
    let Some(id) = room_called(turn, &zone, &room.key) else { return };
    if let Some(former) = run.former.rooms.get(&format!("{zone}/{}", room.key)) {
        file_rooms::restore_exits(turn, id, &room, &former.exits);
    }
    let wanted = file_rooms::update(turn, id, &room, &find);
    draft_versions::copy_room_values(turn, id);
    if run.is_at_once() {
        run.wanted.extend(wanted);
    } else {
        respawn::make_due(turn, &wanted);
    }
    turn.emit_event(GameEvent::RoomChanged { room: id });
}

/// Restores an exit of another zone, if its room has not got another one of its name since.
fn restore_next_exit(turn: &mut Turn, run: &mut ImportRun) {
    let Some(exit) = run.former.exits.pop() else { return run.advance() };
    let is_there = |room: Option<RoomId>| room.is_some_and(|room| turn.world.rooms.get(room).is_some());
    let is_free = turn.world.exits.get(exit.id).is_none()
        && turn.world.exits.of(exit.room).count() < MOST_EXITS
        && pathfinding::exit_named(turn, exit.room, &exit.name).is_none();
    if is_free && is_there(Some(exit.room)) && is_there(exit.to) {
        let room = exit.room;
        turn.world.exits.add(exit);
        turn.emit_event(GameEvent::RoomChanged { room });
    }
}

/// Renames the draft that is published in the next room elsewhere. After the last, the draft is removed.
fn follow_next(turn: &mut Turn, files: &mut ZoneFiles, run: &mut ImportRun) {
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
