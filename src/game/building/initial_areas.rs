//! Creation of the initial areas from the catalog. Each room is created once: all rooms in a new world, and in an
//! existing world those not created by an earlier start. From then on builders may change and delete them.

use crate::base::{BranchId, CharacterId, Coordinates, Direction, ExitId, RoomId};
use crate::catalog::area::Named;
use crate::catalog::script::RoomName;
use crate::catalog::{Area, AreaExit, AreaRoom, AreaScript};
use crate::game::branch::expiry;
use crate::game::effect::Class;
use crate::game::exit::pathfinding;
use crate::game::message::{naming, tell};
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::room::respawn;
use crate::game::state::event::GameEvent;
use crate::game::turn::Turn;
use crate::game::{attack, movement};
use crate::text::grammar;
use crate::world::{
    BranchSettings, Character, Door, Exit, ExitKind, ExitState, OwnTasks, Room, RoomKind, SpawnRule, Trigger,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of aliases of a built room or exit.
pub(crate) const MOST_ALIASES: usize = 8;
/// Maximum number of exits of a built room.
pub(crate) const MOST_EXITS: usize = 24;

/// Default room description.
pub(crate) const BARE: &str = "Bare walls and a swept floor. Nobody has said yet what this place is.";

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

/// Returns the existing rooms of an area by key, and the keys of those just created.
fn create_area_rooms<'a>(
    turn: &mut Turn,
    key: &str,
    area: &'a Area,
    fresh: bool,
) -> (BTreeMap<&'a str, RoomId>, BTreeSet<&'a str>) {
    let (mut rooms, mut made, mut bare) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
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
                add_built_room(turn, room.kind, &room.name, &room.aliases, key, at)
            }
        };
        if !known {
            bare.push((id, room, standing.is_none()));
            turn.world.meta_mut().founded.insert(format!("{key}/{}", room.key));
        }
        rooms.insert(room.key.as_str(), id);
    }
    let mut wanted = Vec::new();
    for (id, room, fresh) in bare {
        wanted.extend(furnish_built_room(turn, id, room, fresh, &rooms));
    }
    respawn::restock(turn, &wanted);
    (rooms, made)
}

/// Returns the coordinates of an area's rooms. Its map is moved east as a whole until it overlaps no other area.
fn layout_without_overlap<'a>(turn: &Turn, key: &str, area: &'a Area) -> BTreeMap<&'a str, Coordinates> {
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

/// Returns the existing room that corresponds to a room of an area: by name or alias, else by coordinates and kind.
fn existing_room(
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

/// Sets the contents of an area's room, and returns its new spawn rules. A room that existed before keeps its text.
fn furnish_built_room(
    turn: &mut Turn,
    id: RoomId,
    room: &AreaRoom,
    fresh: bool,
    rooms: &BTreeMap<&str, RoomId>,
) -> Vec<(RoomId, SpawnRule)> {
    turn.world.change_built_room(id, |row| {
        if fresh {
            row.description.clone_from(&room.description);
            row.environment.clone_from(&room.environment);
        }
        if row.key.is_empty() || fresh {
            row.key.clone_from(&room.key);
        }
    });
    let wanted = fill(turn, id, room, |key| rooms.get(key).copied());
    if fresh && room.kind == RoomKind::Start {
        expiry::set_start_settings(turn, id, (&room.settings).into());
    }
    wanted
}

/// Replaces the contents, scripts and spawn rules of a room with those of its file, but not its texts. Room keys are
/// resolved by `find`. Returns the new spawn rules, which the caller restocks together: one count of the world then
/// serves all rooms.
pub(crate) fn fill(
    turn: &mut Turn,
    id: RoomId,
    room: &AreaRoom,
    find: impl Fn(&str) -> Option<RoomId>,
) -> Vec<(RoomId, SpawnRule)> {
    let lines = |script: &AreaScript| {
        let number = |name: &RoomName| match name {
            RoomName::Key(key) => find(key).map_or_else(|| name.clone(), |room| RoomName::Number(room.0)),
            RoomName::Number(_) => name.clone(),
        };
        Vec::from(script.script.clone().with_rooms(number))
    };
    let Some(row) = turn.world.rooms.edit(id) else { return Vec::new() };
    row.details.clone_from(&room.details);
    row.tags = room.tags.iter().cloned().collect();
    row.stock = keys(&room.stock);
    row.supplies = keys(&room.supplies);
    row.fights = room.fights;
    row.on_enter = lines(&room.on_enter);
    row.triggers = room
        .triggers
        .iter()
        .filter_map(|trigger| Some(Trigger { on: trigger.on.clone()?, lines: lines(&trigger.lines) }))
        .collect();
    let before = std::mem::take(&mut row.spawns);
    row.spawns = room.spawns.iter().filter_map(SpawnRule::of_area).collect();
    let new = row.spawns.iter().filter(|rule| !before.contains(rule));
    new.map(|rule| (id, rule.clone())).collect()
}

fn create_area_exit(turn: &mut Turn, room: &AreaRoom, exit: &AreaExit, rooms: &BTreeMap<&str, RoomId>) {
    let Some(room) = rooms.get(room.key.as_str()).copied() else { return };
    let to = exit.to.as_ref().and_then(|(_, to)| rooms.get(to.as_str()).copied());
    let leads_nowhere = exit.kind == ExitKind::Exit && to.is_none();
    if leads_nowhere || pathfinding::exit_named(turn, room, &exit.name).is_some() {
        return;
    }
    let made = add_built_exit(turn, room, exit.kind, &exit.name, &exit.aliases, to, (&exit.settings).into());
    turn.world.exits.change(made, |row| {
        row.description = exit.description.clone().unwrap_or_default();
        row.door = Door::of_area(exit);
    });
    if exit.kind == ExitKind::Branch {
        expiry::set_own_intervals(turn, made, &exit.settings);
    }
}

/// Returns the keys of other content that an area names, without source positions.
fn keys(named: &[Named]) -> Vec<String> {
    named.iter().map(|(_, key)| key.clone()).collect()
}

/// Creates a hand-built room without exits, as near as possible to the wished coordinates. A start room gets its
/// periodic tasks.
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
    let key = free_key(turn, area, name);
    turn.world.add_room(Room {
        key,
        aliases: aliases.to_vec(),
        description: BARE.into(),
        environment: "indoors".into(),
        area: area.into(),
        at,
        z,
        ..Room::new(id, kind, name.into())
    });
    if kind == RoomKind::Start {
        expiry::install_start_tasks(turn, id);
    }
    id
}

/// Refuses to exceed the limit on hand-built rooms.
pub(crate) fn require_space(turn: &Turn, more: usize) -> Result<(), Refusal> {
    let most = turn.config.limits.built_rooms;
    if turn.world.built_count() + more > most as usize {
        return Err(BuildRefusal::TooManyRooms(most).into());
    }
    Ok(())
}

/// Returns the key of a room after it gets a name: a new key made from the name if the room was unnamed, else its
/// present key.
pub(crate) fn key_once_named(turn: &Turn, room: RoomId, name: &str) -> String {
    let row = &turn.world.rooms[room];
    let rest = row.key.strip_prefix(UNNAMED_KEY);
    let is_unnamed = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let key = if is_unnamed && name != UNNAMED { free_key(turn, &row.area, name) } else { String::new() };
    if key.is_empty() { row.key.clone() } else { key }
}

/// Returns a unique room key for the zone file: the name in lower case, with a number if needed. Empty if no character
/// of the name is allowed in a key.
fn free_key(turn: &Turn, area: &str, name: &str) -> String {
    let plain = name.to_ascii_lowercase();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let stem = words.collect::<Vec<_>>().join("_");
    let numbered = |number: usize| if number == 1 { stem.clone() } else { format!("{stem}_{number}") };
    let is_taken = |number| turn.world.room_of_zone(area, &numbered(number)).is_some();
    // Finds a free number after a taken one by binary search, without testing all rooms of that name.
    let mut free = 1;
    while is_taken(free) {
        free *= 2;
    }
    let mut taken = free / 2;
    while free - taken > 1 {
        let middle = usize::midpoint(taken, free);
        if is_taken(middle) { taken = middle } else { free = middle }
    }
    if stem.is_empty() { stem } else { numbered(free) }
}

/// Creates a hand-built exit. Directions get their letter as an alias.
pub(crate) fn add_built_exit(
    turn: &mut Turn,
    room: RoomId,
    kind: ExitKind,
    name: &str,
    aliases: &[String],
    to: Option<RoomId>,
    settings: BranchSettings,
) -> ExitId {
    let direction = pathfinding::direction_named(turn, name);
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
        door: None,
        settings,
        own_tasks: OwnTasks::default(),
        window: None,
    });
    id
}

/// Deletes hand-built rooms and all exits that lead there. Characters in them are moved, and their home becomes the
/// town; creatures at home in them are removed; branches behind them collapse. Scans the world once for all rooms.
pub(crate) fn remove_built_rooms(turn: &mut Turn, rooms: &BTreeSet<RoomId>) {
    if rooms.is_empty() {
        return;
    }
    let town = town(turn);
    let branches = turn.world.branches.iter().filter(|(_, branch)| rooms.contains(&branch.start_room));
    let branches: Vec<BranchId> = branches.map(|(id, _)| id).collect();
    for branch in branches {
        expiry::collapse(turn, branch);
        // The rest of the branch cleanup needs a start room that exists.
        turn.world.branches.change(branch, |row| row.start_room = town);
    }
    let is_there = |body: &Character| rooms.contains(&body.room) || rooms.contains(&body.home);
    let bodies = turn.world.characters.iter().filter(|(_, body)| is_there(body));
    let bodies: Vec<CharacterId> = bodies.map(|(id, _)| id).collect();
    for who in &bodies {
        if turn.world.characters.get(*who).is_some_and(|body| is_at_home(body, rooms)) {
            remove_creature(turn, *who);
        }
    }
    for who in bodies {
        move_out_of_rooms(turn, who, rooms, town);
    }
    let into = turn.world.exits.iter().filter(|(_, exit)| exit.to.is_some_and(|to| rooms.contains(&to)));
    let into: Vec<ExitId> = into.map(|(id, _)| id).collect();
    for exit in into {
        turn.world.remove_exit(exit);
    }
    for room in rooms {
        turn.world.remove_room(*room);
    }
}

/// Moves a character out of rooms to be deleted, and replaces its home if that is among them.
fn move_out_of_rooms(turn: &mut Turn, who: CharacterId, rooms: &BTreeSet<RoomId>, town: RoomId) {
    let Some(body) = turn.world.characters.get(who) else { return };
    let own_home = (!body.is_player() && body.master.is_none()).then_some(body.home);
    let stays = |home: &RoomId| !rooms.contains(home) && turn.world.rooms.get(*home).is_some();
    let refuge = own_home.filter(stays);
    if let Some(row) = turn.world.characters.edit(who).filter(|row| rooms.contains(&row.home)) {
        row.home = town;
    }
    if rooms.contains(&turn.world.characters[who].room) {
        tell::tell(
            turn,
            who,
            Class::Notice,
            "The room around you folds up like paper, and you are elsewhere.",
        );
        movement::relocate(turn, who, refuge.unwrap_or(town));
        turn.emit_event(GameEvent::SawRoom { who });
    }
}

/// Default name of rooms dug by walk-to-build.
pub(crate) const UNNAMED: &str = "Bare Room";

/// Key made from [`UNNAMED`].
const UNNAMED_KEY: &str = "bare_room";

/// Returns `true` if a creature's home is one of these rooms and it has no master.
fn is_at_home(body: &Character, rooms: &BTreeSet<RoomId>) -> bool {
    !body.is_player() && rooms.contains(&body.home) && body.master.is_none()
}

/// Removes a creature, with a message to its room. Its items fall to the ground.
pub(crate) fn remove_creature(turn: &mut Turn, creature: CharacterId) {
    let room = turn.world.characters[creature].room;
    let words = format!("{} is gone.", grammar::capitalise(&naming::the(turn, creature)));
    attack::stop_fights_of(turn, creature);
    turn.world.remove_character(creature);
    attack::forget(turn, creature);
    tell::tell_room(turn, room, &[], Class::Notice, words.as_str());
}

/// Removes a hand-built exit; no other player can enter the branch behind it.
pub(crate) fn remove_built_exit(turn: &mut Turn, exit: ExitId) {
    if let Some(window) = turn.world.exits[exit].window {
        expiry::close_window(turn, exit, window.branch);
    }
    turn.world.remove_exit(exit);
}

/// Returns the room where new characters begin and `recall` leads.
pub(crate) fn town(turn: &Turn) -> RoomId {
    let first = || turn.world.rooms.iter().next().map(|(id, _)| id);
    turn.world.meta().town.or_else(first).unwrap_or(RoomId(1))
}
