//! Checks that the dungeon would still be reachable on foot from the town after an import.

use super::ZoneFiles;
use crate::branch::start_room;
use crate::branch::start_room::Rework;
use crate::state::file_work::check::{FileCheck, RoomNode};
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::CatalogError;
use deepwell_core::world::ExitKind;

/// Follows the exits of one room that can be walked to from the town. Returns `true` at the end of the search. Reports a
/// mistake if an import would cut off the last route from the town to a branch exit.
pub(super) fn is_ended(turn: &Turn, files: &ZoneFiles, check: &mut FileCheck) -> bool {
    let Some(town) = turn.world.meta().town else { return true };
    if check.seen.is_empty() {
        let town = node(turn, files, town);
        check.seen.insert(town.clone());
        check.to_see.push(town);
    }
    let Some(room) = check.to_see.pop() else {
        if start_room::is_dungeon_reachable(turn, town, Rework::Nothing) {
            let mistake = "nobody could walk down to the dungeon any more";
            let first = files.values().next().map(|area| &area.place);
            check
                .mistakes
                .extend(first.map(|here| CatalogError::new(here, mistake, "a way to a branch exit")));
        }
        return true;
    };
    for (kind, to) in ways(turn, files, check, &room) {
        match kind {
            ExitKind::Branch => return true,
            ExitKind::Exit => check.to_see.extend(to.filter(|to| check.seen.insert(to.clone()))),
            ExitKind::Stairs => {}
        }
    }
    false
}

fn node(turn: &Turn, files: &ZoneFiles, id: RoomId) -> RoomNode {
    let room = turn.world.rooms.get(id).filter(|room| room.branch.is_none());
    let in_file = room.filter(|room| files.contains_key(&room.area));
    in_file.map(|room| (room.area.clone(), room.zone_key())).ok_or(id)
}

/// Returns the exits of a room, each with its kind and the room behind it.
fn ways(
    turn: &Turn,
    files: &ZoneFiles,
    check: &FileCheck,
    room: &RoomNode,
) -> Vec<(ExitKind, Option<RoomNode>)> {
    match room {
        Ok((zone, key)) => {
            let at = check.keys.get(zone).and_then(|keys| keys.get(key));
            let room = at.and_then(|at| files.get(zone)?.rooms.get(*at));
            let node_of = |to: &str| node_named(turn, files, zone, to);
            let exits = room.into_iter().flat_map(|room| &room.exits);
            exits.map(|exit| (exit.kind, exit.to.as_ref().and_then(|(_, to)| node_of(to)))).collect()
        }
        Err(id) => {
            let exits = turn.world.exits.of(*id);
            exits.map(|exit| (exit.kind, exit.to.map(|to| node(turn, files, to)))).collect()
        }
    }
}

fn node_named(turn: &Turn, files: &ZoneFiles, zone: &str, to: &str) -> Option<RoomNode> {
    let (zone, key) = to.split_once('/').unwrap_or((zone, to));
    if files.contains_key(zone) {
        return Some(Ok((zone.to_owned(), key.to_owned())));
    }
    super::room_called(turn, zone, key).map(Err)
}
