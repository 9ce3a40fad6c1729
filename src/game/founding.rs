//! The hand-built areas of the catalog become rooms, each once: all of them in a fresh world, and in one that exists
//! those that no start has made yet. From then on they are the builders', who may change and destroy them.

use crate::base::{Coordinates, Direction, RoomId};
use crate::catalog::{Area, AreaExit, AreaRoom};
use crate::game::turn::Turn;
use crate::game::{closing, ways};
use crate::world::{BranchSettings, Exit, ExitKind, ExitState, Room, RoomKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// No room of any area is where new characters begin: whoever wrote the content has to name one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no area in content/areas names a start room: one of them needs `start = \"...\"`")]
pub struct NoStartRoom;

/// Makes the rooms of all areas that were not made before, and in a fresh world the place where new characters
/// begin.
pub(crate) fn found(turn: &mut Turn, fresh: bool) -> Result<(), NoStartRoom> {
    let catalog = Arc::clone(&turn.catalog);
    let mut town = None;
    for (key, area) in &catalog.areas {
        let (rooms, made) = found_rooms(turn, key, area, fresh);
        for room in &area.rooms {
            for exit in &room.exits {
                let joins = made.contains(room.key.as_str())
                    || exit.to.as_ref().is_some_and(|to| made.contains(to.as_str()));
                if joins {
                    found_exit(turn, room, exit, &rooms);
                }
            }
        }
        if let Some(start) = &area.start {
            town = rooms.get(start.as_str()).copied().or(town);
        }
    }
    if !fresh {
        return Ok(());
    }
    turn.world.meta_mut().town = town;
    if town.is_some() { Ok(()) } else { Err(NoStartRoom) }
}

/// The rooms of an area that stand, by key, and which of them were made just now.
fn found_rooms<'a>(
    turn: &mut Turn,
    key: &str,
    area: &'a Area,
    fresh: bool,
) -> (BTreeMap<&'a str, RoomId>, BTreeSet<&'a str>) {
    let (mut rooms, mut made) = (BTreeMap::new(), BTreeSet::new());
    let places = layout_beside(turn, key, area);
    for room in &area.rooms {
        let at = places.get(room.key.as_str()).copied().unwrap_or_default();
        let known = turn.world.meta().founded.contains(&format!("{key}/{}", room.key));
        let taken: BTreeSet<RoomId> = rooms.values().copied().collect();
        let standing = if fresh { None } else { standing_room(turn, key, room, at, &taken) };
        let id = match (standing, known) {
            (Some(id), _) => id,
            // A builder has destroyed it: that stands.
            (None, true) => continue,
            (None, false) => {
                made.insert(room.key.as_str());
                add_built_room(turn, room.kind, &room.name, &room.aliases, key, at)
            }
        };
        if !known {
            furnish_built_room(turn, id, room, standing.is_none());
            turn.world.meta_mut().founded.insert(format!("{key}/{}", room.key));
        }
        rooms.insert(room.key.as_str(), id);
    }
    (rooms, made)
}

/// Where the rooms of an area lie: as its own map says, moved as a whole to the east until none is where a room of another
/// area is.
fn layout_beside<'a>(turn: &Turn, key: &str, area: &'a Area) -> BTreeMap<&'a str, Coordinates> {
    let mut places: BTreeMap<&str, Coordinates> = area.layout().into_iter().collect();
    let is_foreign = |place: &Coordinates| {
        let room = turn.world.built_room_at(*place).map(|id| &turn.world.rooms[id]);
        room.is_some_and(|room| room.area != key)
    };
    while places.values().any(is_foreign) {
        for place in places.values_mut() {
            *place = place.step(Direction::East);
        }
    }
    places
}

/// The room of a world that exists which is meant by a room of an area: at its place, by its name or an alias.
fn standing_room(
    turn: &Turn,
    area: &str,
    meant: &AreaRoom,
    at: Coordinates,
    taken: &BTreeSet<RoomId>,
) -> Option<RoomId> {
    let free =
        |(id, room): &(RoomId, &Room)| room.area == area && room.branch.is_none() && !taken.contains(id);
    let rooms = || turn.world.built_rooms().map(|id| (id, &turn.world.rooms[id])).filter(free);
    let named = |room: &Room| room.name == meant.name || room.aliases.contains(&meant.key);
    let by_name = rooms().find(|(_, room)| named(room));
    by_name
        .or_else(|| rooms().find(|(_, room)| room.coordinates() == Some(at) && room.kind == meant.kind))
        .map(|(id, _)| id)
}

/// What is in a room of an area; one that stood before keeps its text.
fn furnish_built_room(turn: &mut Turn, id: RoomId, room: &AreaRoom, fresh: bool) {
    let Some(row) = turn.world.rooms.edit(id) else { return };
    if fresh {
        row.description.clone_from(&room.description);
        row.environment.clone_from(&room.environment);
    }
    row.details.clone_from(&room.details);
    row.stock.clone_from(&room.stock);
    row.supplies.clone_from(&room.supplies);
    row.on_enter = room.on_enter.clone().into();
}

fn found_exit(turn: &mut Turn, room: &AreaRoom, exit: &AreaExit, rooms: &BTreeMap<&str, RoomId>) {
    let Some(room) = rooms.get(room.key.as_str()).copied() else { return };
    let to = exit.to.as_ref().and_then(|to| rooms.get(to.as_str()).copied());
    let leads_nowhere = exit.kind == ExitKind::Exit && to.is_none();
    if leads_nowhere || ways::exit_named(turn, room, &exit.name).is_some() {
        return;
    }
    let settings = BranchSettings {
        theme: exit.theme.clone(),
        generator: exit.generator.clone(),
        ..BranchSettings::default()
    };
    add_built_exit(turn, room, exit.kind, &exit.name, &exit.aliases, to, settings);
}

/// A hand-built room without exits, as near to where it is wished as there is room; a start room gets its two tasks.
pub(crate) fn add_built_room(
    turn: &mut Turn,
    kind: RoomKind,
    name: &str,
    aliases: &[String],
    area: &str,
    wished: Coordinates,
) -> RoomId {
    let Coordinates { z, at } = wished.nearest_free(|place| turn.world.built_room_at(place).is_some());
    let id = turn.world.new_room_id();
    turn.world.add_room(Room {
        aliases: aliases.to_vec(),
        description: "Bare walls and a swept floor. Nobody has said yet what this place is.".into(),
        environment: "indoors".into(),
        area: area.into(),
        at,
        z,
        ..Room::new(id, kind, name.into())
    });
    if kind == RoomKind::Start {
        closing::install_start_tasks(turn, id);
    }
    id
}

/// A hand-built exit. Directions get their letter as an alias.
pub(crate) fn add_built_exit(
    turn: &mut Turn,
    room: RoomId,
    kind: ExitKind,
    name: &str,
    aliases: &[String],
    to: Option<RoomId>,
    settings: BranchSettings,
) {
    let direction = Direction::parse(name);
    let mut aliases: Vec<String> = aliases.to_vec();
    let name = direction.map_or_else(|| name.to_owned(), |direction| direction.name().to_owned());
    if let Some(letter) = direction.map(Direction::letter)
        && !aliases.iter().any(|alias| alias == letter)
    {
        aliases.push(letter.into());
    }
    let id = turn.world.new_exit_id();
    turn.world.add_exit(Exit {
        id,
        room,
        name,
        aliases,
        direction,
        kind,
        state: ExitState::Open,
        to,
        back: false,
        description: String::new(),
        omen: None,
        trap: None,
        level_type: None,
        icons: None,
        settings,
        window: None,
    });
}

/// Where new characters begin and `recall` leads.
pub(crate) fn town(turn: &Turn) -> RoomId {
    let first = || turn.world.rooms.iter().next().map(|(id, _)| id);
    turn.world.meta().town.or_else(first).unwrap_or(RoomId(1))
}
