//! Checks of rooms and exits that a zone file would remove.

use crate::branch::start_room;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::{Area, CatalogError};
use deepwell_core::world::ExitKind;
use std::collections::{BTreeMap, BTreeSet};

/// Reports what is missing from the file but cannot be removed: the town, and rooms and exits with players in a branch
/// below.
pub(super) fn check_removed(
    turn: &Turn,
    area: &Area,
    standing: &BTreeMap<String, RoomId>,
    found: &mut Vec<CatalogError>,
) {
    let keys: BTreeSet<&str> = area.rooms.iter().map(|room| room.key.as_str()).collect();
    let gone: Vec<RoomId> =
        standing.iter().filter(|(key, _)| !keys.contains(key.as_str())).map(|(_, id)| *id).collect();
    for id in gone {
        let room = &turn.world.rooms[id];
        let (name, key) = (room.name.clone(), room.zone_key());
        if turn.world.meta().town == Some(id) {
            let wrong = format!("room `{key}` is missing, where everybody begins");
            found.push(CatalogError::new(&area.place, wrong, "it stays"));
        }
        let used = turn.world.exits.of(id).any(|exit| start_room::is_used(turn, exit.id));
        if used {
            let wrong = format!("room `{key}` is missing, and people are in a branch below {name}");
            found.push(CatalogError::new(&area.place, wrong, "it stays until they are back"));
        }
    }
    for room in &area.rooms {
        let Some(id) = standing.get(&room.key) else { continue };
        for exit in turn.world.exits.of(*id).filter(|exit| exit.kind == ExitKind::Branch) {
            let stays = room.exits.iter().any(|other| other.name == exit.name && other.kind == exit.kind);
            if !stays && start_room::is_used(turn, exit.id) {
                let wrong =
                    format!("the exit `{}` is missing, and people are in a branch behind it", exit.name);
                found.push(CatalogError::new(&room.place, wrong, "it stays until they are back"));
            }
        }
    }
}
