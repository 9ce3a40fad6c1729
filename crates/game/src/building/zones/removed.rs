//! Checks of rooms and exits that a zone file would remove.

use crate::branch::start_room;
use crate::branch::start_room::BRANCH_IN_USE;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::{Area, AreaRoom, CatalogError};
use deepwell_core::world::ExitKind;

/// Reports a room that is missing from the file and cannot be removed: the town, and a room with players in a branch
/// below.
pub(super) fn check_removed_room(turn: &Turn, area: &Area, id: RoomId, found: &mut Vec<CatalogError>) {
    let room = &turn.world.rooms[id];
    let key = room.zone_key();
    if turn.world.meta().town == Some(id) {
        let mistake = format!("room `{key}` is missing, where everybody begins");
        found.push(CatalogError::new(&area.place, mistake, "it stays"));
    }
    for exit in turn.world.exits.of(id).filter(|exit| start_room::is_used(turn, exit.id)) {
        let what = format!("room `{key}` with the exit `{}` is missing", exit.name);
        found.push(CatalogError::new(&area.place, format!("{what}, but {BRANCH_IN_USE}"), ""));
    }
}

/// Reports exits of a room that are missing from the file, with players in a branch behind.
pub(super) fn check_kept_exits(turn: &Turn, zone: &str, room: &AreaRoom, found: &mut Vec<CatalogError>) {
    let Some(id) = turn.world.rooms.of_key(zone, &room.key) else { return };
    for exit in turn.world.exits.of(id).filter(|exit| exit.kind == ExitKind::Branch) {
        let stays = room.exits.iter().any(|other| other.name == exit.name && other.kind == exit.kind);
        if !stays && start_room::is_used(turn, exit.id) {
            let mistake = format!("the exit `{}` is missing, but {BRANCH_IN_USE}", exit.name);
            found.push(CatalogError::new(&room.place, mistake, ""));
        }
    }
}
