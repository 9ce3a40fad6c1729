//! Checks that the dungeon would still be reachable on foot from the town after an import.

use super::Files;
use crate::branch::start_room;
use crate::branch::start_room::Rework;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::{AreaExit, CatalogError};
use deepwell_core::world::ExitKind;
use std::collections::{BTreeMap, BTreeSet};

/// Reports a mistake if an import would cut off the last route from the town to a branch exit.
pub(super) fn check_way_below(turn: &Turn, files: &Files, found: &mut Vec<CatalogError>) {
    let Some(town) = turn.world.meta().town else { return };
    if start_room::is_dungeon_reachable(turn, town, Rework::Nothing) && !leads_below(turn, files, town) {
        let wrong = "nobody could walk down to the dungeon any more";
        let first = files.values().next().map(|area| &area.place);
        found.extend(first.map(|here| CatalogError::new(here, wrong, "a way to a branch exit")));
    }
}

/// A room of an imported file by its zone and key, or an existing room elsewhere.
type Node = Result<(String, String), RoomId>;

fn leads_below(turn: &Turn, files: &Files, town: RoomId) -> bool {
    let node = |id: RoomId| -> Node {
        let room = turn.world.rooms.get(id).filter(|room| room.branch.is_none());
        let in_file = room.filter(|room| files.contains_key(&room.area));
        in_file.map(|room| (room.area.clone(), room.zone_key())).ok_or(id)
    };
    let mut exits: BTreeMap<(&str, &str), Vec<&AreaExit>> = BTreeMap::new();
    for (zone, area) in files {
        for room in &area.rooms {
            exits.entry((zone, &room.key)).or_default().extend(&room.exits);
        }
    }
    let (mut seen, mut to_see) = (BTreeSet::from([node(town)]), vec![node(town)]);
    while let Some(room) = to_see.pop() {
        let mut ways: Vec<(ExitKind, Option<Node>)> = Vec::new();
        match &room {
            Ok((zone, key)) => {
                let exits = exits.get(&(zone.as_str(), key.as_str())).into_iter().flatten();
                let node_of =
                    |exit: &AreaExit| exit.to.as_ref().and_then(|(_, to)| node_named(turn, files, zone, to));
                ways.extend(exits.map(|exit| (exit.kind, node_of(exit))));
            }
            Err(id) => ways.extend(turn.world.exits.of(*id).map(|exit| (exit.kind, exit.to.map(node)))),
        }
        for (kind, to) in ways {
            match kind {
                ExitKind::Branch => return true,
                ExitKind::Exit => to_see.extend(to.filter(|to| seen.insert(to.clone()))),
                ExitKind::Stairs => {}
            }
        }
    }
    false
}

fn node_named(turn: &Turn, files: &Files, zone: &str, to: &str) -> Option<Node> {
    let (zone, key) = to.split_once('/').unwrap_or((zone, to));
    if files.contains_key(zone) {
        return Some(Ok((zone.to_owned(), key.to_owned())));
    }
    super::room_called(turn, zone, key).map(Err)
}
