//! The hand-built areas of the catalog become rooms, each once: all of them in a fresh world, and in one that exists
//! those that no start has made yet. From then on they are the builders', who may change and destroy them.

use crate::base::{BranchId, CharacterId, Coordinates, Direction, ExitId, RoomId};
use crate::catalog::area::Named;
use crate::catalog::script::RoomName;
use crate::catalog::{Area, AreaExit, AreaRoom, AreaScript};
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::{closing, fight, movement, naming, tell, tending, ways};
use crate::text::grammar;
use crate::world::{
    BranchSettings, Character, Door, Exit, ExitKind, ExitState, OwnTasks, Room, RoomKind, SpawnRule, Trigger,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Further names of one thing that is built, at the most.
pub(crate) const MOST_ALIASES: usize = 8;
/// Exits of one room that is built, at the most.
pub(crate) const MOST_EXITS: usize = 24;

/// What one sees in a room that nobody has described.
pub(crate) const BARE: &str = "Bare walls and a swept floor. Nobody has said yet what this place is.";

/// No room of any area is where new characters begin: whoever wrote the content has to name one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no area in content/areas names a start room: one of them needs `start = \"...\"`")]
pub struct NoStartRoom;

/// Makes the rooms of all areas that were not made before, and in a fresh world the place where new characters
/// begin.
pub(crate) fn found(turn: &mut Turn, fresh: bool) -> Result<(), NoStartRoom> {
    let catalog = Arc::clone(&turn.catalog);
    let mut town = None;
    for (key, area) in catalog.areas.iter() {
        let (rooms, made) = found_rooms(turn, key, area, fresh);
        for room in &area.rooms {
            for exit in &room.exits {
                let joins = made.contains(room.key.as_str())
                    || exit.to.as_ref().is_some_and(|(_, to)| made.contains(to.as_str()));
                if joins {
                    found_exit(turn, room, exit, &rooms);
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

/// The rooms of an area that stand, by key, and which of them were made just now.
fn found_rooms<'a>(
    turn: &mut Turn,
    key: &str,
    area: &'a Area,
    fresh: bool,
) -> (BTreeMap<&'a str, RoomId>, BTreeSet<&'a str>) {
    let (mut rooms, mut made, mut bare) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
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
            bare.push((id, room, standing.is_none()));
            turn.world.meta_mut().founded.insert(format!("{key}/{}", room.key));
        }
        rooms.insert(room.key.as_str(), id);
    }
    let mut wanted = Vec::new();
    for (id, room, fresh) in bare {
        wanted.extend(furnish_built_room(turn, id, room, fresh, &rooms));
    }
    tending::restock(turn, &wanted);
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

/// Furnishes a room of an area, and returns its new spawn rules; a room that stood before keeps its text.
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
        closing::set_start_settings(turn, id, (&room.settings).into());
    }
    wanted
}

/// Puts into a room what its file says is in it and happens there, in the place of what was: all but its texts. What the file
/// calls rooms is found as `find` says. Returns the spawn rules that are new, which the caller restocks: one count of the
/// world then serves all rooms.
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

fn found_exit(turn: &mut Turn, room: &AreaRoom, exit: &AreaExit, rooms: &BTreeMap<&str, RoomId>) {
    let Some(room) = rooms.get(room.key.as_str()).copied() else { return };
    let to = exit.to.as_ref().and_then(|(_, to)| rooms.get(to.as_str()).copied());
    let leads_nowhere = exit.kind == ExitKind::Exit && to.is_none();
    if leads_nowhere || ways::exit_named(turn, room, &exit.name).is_some() {
        return;
    }
    let made = add_built_exit(turn, room, exit.kind, &exit.name, &exit.aliases, to, (&exit.settings).into());
    turn.world.exits.change(made, |row| {
        row.description = exit.description.clone().unwrap_or_default();
        row.door = Door::of_area(exit);
    });
    if exit.kind == ExitKind::Branch {
        closing::set_own_intervals(turn, made, &exit.settings);
    }
}

/// The keys of other content that an area names, without their places.
fn keys(named: &[Named]) -> Vec<String> {
    named.iter().map(|(_, key)| key.clone()).collect()
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
        closing::install_start_tasks(turn, id);
    }
    id
}

/// Refuses more rooms built by hand than there may be.
pub(crate) fn require_space(turn: &Turn, more: usize) -> Result<(), Refusal> {
    let most = turn.config.limits.built_rooms;
    if turn.world.built_count() + more > most as usize {
        return Err(BuildRefusal::TooManyRooms(most).into());
    }
    Ok(())
}

/// Returns the key of a room that gets a name: one made from the name for a room that had none of its own, else the key it has.
pub(crate) fn key_once_named(turn: &Turn, room: RoomId, name: &str) -> String {
    let row = &turn.world.rooms[room];
    let rest = row.key.strip_prefix(UNNAMED_KEY);
    let is_unnamed = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let key = if is_unnamed && name != UNNAMED { free_key(turn, &row.area, name) } else { String::new() };
    if key.is_empty() { row.key.clone() } else { key }
}

/// What a new room is called in the file of its zone: its name in small letters, with a number if another is called so;
/// nothing if no letter of it can stand in a key.
fn free_key(turn: &Turn, area: &str, name: &str) -> String {
    let plain = name.to_ascii_lowercase();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let stem = words.collect::<Vec<_>>().join("_");
    let numbered = |number: usize| if number == 1 { stem.clone() } else { format!("{stem}_{number}") };
    let is_taken = |number| turn.world.room_of_zone(area, &numbered(number)).is_some();
    // A number that is free, and the one before it taken: many rooms of one name are not all looked at.
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

/// A hand-built exit. Directions get their letter as an alias.
pub(crate) fn add_built_exit(
    turn: &mut Turn,
    room: RoomId,
    kind: ExitKind,
    name: &str,
    aliases: &[String],
    to: Option<RoomId>,
    settings: BranchSettings,
) -> ExitId {
    let direction = ways::direction_named(turn, name);
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

/// Takes hand-built rooms away with every exit that leads there. Whoever is in them, or at home in them, is in the town from
/// then on; the branches behind them collapse. The world is looked through once, however many rooms there are.
pub(crate) fn remove_built_rooms(turn: &mut Turn, rooms: &BTreeSet<RoomId>) {
    if rooms.is_empty() {
        return;
    }
    let town = town(turn);
    let branches = turn.world.branches.iter().filter(|(_, branch)| rooms.contains(&branch.start_room));
    let branches: Vec<BranchId> = branches.map(|(id, _)| id).collect();
    for branch in branches {
        closing::collapse(turn, branch);
        // What is not cleared away yet has to hang on a room that stays.
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
        bring_out(turn, who, rooms, town);
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

/// Brings a body out of rooms that go, and gives it another home if its own is among them.
fn bring_out(turn: &mut Turn, who: CharacterId, rooms: &BTreeSet<RoomId>, town: RoomId) {
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
        turn.happen(Happening::SawRoom { who });
    }
}

/// Name of a room that walk-to-build digs like no other.
pub(crate) const UNNAMED: &str = "Bare Room";

/// Key made from [`UNNAMED`].
const UNNAMED_KEY: &str = "bare_room";

/// Returns `true` if a creature belongs to one of these rooms and to no player.
fn is_at_home(body: &Character, rooms: &BTreeSet<RoomId>) -> bool {
    !body.is_player() && rooms.contains(&body.home) && body.master.is_none()
}

/// Takes a creature out of the world, and tells whoever sees it go. What it carried falls to the ground.
pub(crate) fn remove_creature(turn: &mut Turn, creature: CharacterId) {
    let room = turn.world.characters[creature].room;
    let words = format!("{} is gone.", grammar::capitalise(&naming::the(turn, creature)));
    fight::stop_fights_of(turn, creature);
    turn.world.remove_character(creature);
    fight::forget(turn, creature);
    tell::tell_room(turn, room, &[], Class::Notice, words.as_str());
}

/// Takes a hand-built exit away; a branch that it leads to is found by nobody else.
pub(crate) fn remove_built_exit(turn: &mut Turn, exit: ExitId) {
    if let Some(window) = turn.world.exits[exit].window {
        closing::close_window(turn, exit, window.branch);
    }
    turn.world.remove_exit(exit);
}

/// Where new characters begin and `recall` leads.
pub(crate) fn town(turn: &Turn) -> RoomId {
    let first = || turn.world.rooms.iter().next().map(|(id, _)| id);
    turn.world.meta().town.or_else(first).unwrap_or(RoomId(1))
}
