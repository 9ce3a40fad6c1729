//! Creation of the initial areas from the catalog. Each room is created once: all rooms in a new world, and in an
//! existing world those not created by an earlier start. From then on builders may change and delete them.

use crate::building::{file_rooms, zones};
use crate::exit::pathfinding;
use crate::room::respawn;
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, Direction, RoomId};
use deepwell_core::catalog::{Area, AreaExit, AreaRoom, RoomSheet};
use deepwell_core::world::{ExitKind, Room};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Content without a start room for new characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no area in content/areas names a start room: one of them needs `start = \"...\"`")]
pub struct NoStartRoom;

/// Creates the rooms of all areas that were not created before and, in a new world, sets the room where new characters
/// begin.
pub(crate) fn create_initial_areas(turn: &mut Turn, fresh: bool) -> Result<(), NoStartRoom> {
    let catalog = Arc::clone(&turn.catalog);
    let mut town = None;
    for (key, area) in catalog.areas.iter() {
        let (rooms, made) = create_area_rooms(turn, key, area, fresh);
        create_area_variables(turn, key, area);
        for room in &area.rooms {
            for exit in &room.exits {
                let joins = made.contains(room.key.as_str())
                    || exit.to.as_ref().is_some_and(|(_, to)| made.contains(to.as_str()));
                if joins {
                    create_area_exit(turn, room, exit, &rooms);
                }
            }
        }
        if let Some((_, start)) = &area.start {
            town = rooms.get(start.as_str()).copied().or(town);
        }
    }
    if !fresh {
        return Ok(());
    }
    turn.world.meta_mut().town = town;
    if town.is_some() { Ok(()) } else { Err(NoStartRoom) }
}

/// Declares the variables of an area, each once: builders may have changed or removed it since.
fn create_area_variables(turn: &mut Turn, key: &str, area: &Area) {
    for (name, declaration) in area.declarations() {
        let founded = format!("{key}/variable {name}");
        if turn.world.meta().founded.contains(&founded) {
            continue;
        }
        turn.world.meta_mut().founded.insert(founded);
        zones::change(turn, key, |zone| _ = zone.variables.entry(name).or_insert(declaration));
    }
}

/// Returns the existing rooms of an area by key, and the keys of those just created.
fn create_area_rooms<'a>(
    turn: &mut Turn,
    key: &str,
    area: &'a Area,
    fresh: bool,
) -> (BTreeMap<&'a str, RoomId>, BTreeSet<&'a str>) {
    let (mut rooms, mut made, mut new) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
    let places = layout_without_overlap(turn, key, area);
    for room in &area.rooms {
        let at = places.get(room.key.as_str()).copied().unwrap_or_default();
        let known = turn.world.meta().founded.contains(&format!("{key}/{}", room.key));
        let taken: BTreeSet<RoomId> = rooms.values().copied().collect();
        let standing = if fresh { None } else { existing_room(turn, key, room, at, &taken) };
        let id = match (standing, known) {
            (Some(id), _) => id,
            // A builder has deleted it: do not recreate it.
            (None, true) => continue,
            (None, false) => {
                made.insert(room.key.as_str());
                file_rooms::create(turn, key, room, at, None)
            }
        };
        if !known {
            new.push((id, room));
            turn.world.meta_mut().founded.insert(format!("{key}/{}", room.key));
        }
        rooms.insert(room.key.as_str(), id);
    }
    let mut wanted = Vec::new();
    for (id, room) in new {
        if made.contains(room.key.as_str()) {
            file_rooms::furnish(turn, id, room);
        } else {
            turn.world.rooms.change_built(id, |row| keep_texts(row, room));
        }
        wanted.extend(file_rooms::fill(turn, id, room, &|key| rooms.get(key).copied()));
    }
    respawn::restock(turn, &wanted);
    (rooms, made)
}

/// Gives a room of a world older than its area the sheet of its file, but keeps the names and the text that it has.
fn keep_texts(row: &mut Room, room: &AreaRoom) {
    if row.key.is_empty() {
        row.key = room.key.clone().into();
    }
    let RoomSheet { name, aliases, kind, environment, description, .. } = row.sheet.clone();
    row.sheet = RoomSheet { name, aliases, kind, environment, description, ..room.sheet.clone() };
}

/// Returns the coordinates of an area's rooms. Its map is moved east as a whole until it overlaps no other area.
fn layout_without_overlap<'a>(turn: &Turn, key: &str, area: &'a Area) -> BTreeMap<&'a str, Coordinates> {
    let mut places: BTreeMap<&str, Coordinates> = area.layout().into_iter().collect();
    let is_foreign = |place: &Coordinates| {
        let room = turn.world.rooms.built_at(*place).map(|id| &turn.world.rooms[id]);
        room.is_some_and(|room| room.area != key)
    };
    while places.values().any(is_foreign) {
        for place in places.values_mut() {
            *place = place.step(Direction::East);
        }
    }
    places
}

/// Returns the existing room that corresponds to a room of an area: by name or alias, else by coordinates and kind.
fn existing_room(
    turn: &Turn,
    area: &str,
    meant: &AreaRoom,
    at: Coordinates,
    taken: &BTreeSet<RoomId>,
) -> Option<RoomId> {
    let rooms =
        turn.world.rooms.of_zone(area).filter(|id| !taken.contains(id)).map(|id| &turn.world.rooms[id]);
    let named =
        rooms.filter(|room| room.sheet.name == meant.sheet.name || room.sheet.aliases.contains(&meant.key));
    let by_name = named.min_by_key(|room| room.coordinates()).map(|room| room.id);
    by_name.or_else(|| {
        let fits = |id: &RoomId| {
            let room = &turn.world.rooms[*id];
            room.area == area && room.sheet.kind == meant.sheet.kind && !taken.contains(id)
        };
        turn.world.rooms.built_at(at).filter(fits)
    })
}

fn create_area_exit(turn: &mut Turn, room: &AreaRoom, exit: &AreaExit, rooms: &BTreeMap<&str, RoomId>) {
    let Some(room) = rooms.get(room.key.as_str()).copied() else { return };
    let to = exit.to.as_ref().and_then(|(_, to)| rooms.get(to.as_str()).copied());
    let leads_nowhere = exit.kind == ExitKind::Exit && to.is_none();
    if leads_nowhere || pathfinding::exit_named(turn, room, &exit.name).is_some() {
        return;
    }
    file_rooms::add_exit(turn, room, exit, to);
}
