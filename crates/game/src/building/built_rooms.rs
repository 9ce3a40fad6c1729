//! Hand-built rooms and exits: their creation, keys, limits and removal.

use crate::branch::{collapse, expiry, window};
use crate::exit::pathfinding;
use crate::message::notices;
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use crate::{attack, movement};
use deepwell_core::base::{BranchId, CharacterId, Coordinates, ExitId, RoomId, RuleLimit};
use deepwell_core::catalog::RoomSheet;
use deepwell_core::world::{Character, Exit, ExitKind, Room, RoomKind};
use std::collections::BTreeSet;

/// Maximum number of aliases of a built room or exit.
pub(crate) const MOST_ALIASES: usize = 8;
/// Maximum number of exits of a built room.
pub(crate) const MOST_EXITS: usize = 24;

/// Default room description.
pub(crate) const BARE: &str = "Bare walls and a swept floor. Nobody has said yet what this place is.";

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
    let id = turn.world.new_room_id();
    add_built_room_as(turn, id, kind, name, aliases, area, wished)
}

/// Creates a hand-built room with an id that is free.
pub(crate) fn add_built_room_as(
    turn: &mut Turn,
    id: RoomId,
    kind: RoomKind,
    name: &str,
    aliases: &[String],
    area: &str,
    wished: Coordinates,
) -> RoomId {
    let Coordinates { z, at } = wished.nearest_free(|place| turn.world.rooms.built_at(place).is_some());
    let key = free_key(turn, area, name);
    let sheet = RoomSheet {
        aliases: aliases.to_vec().into(),
        description: BARE.into(),
        environment: "indoors".into(),
        ..RoomSheet::new(kind, name.into())
    };
    turn.world.add_room(Room { key: key.into(), area: area.into(), at, z, ..Room::new(id, sheet) });
    if kind == RoomKind::Start {
        expiry::install_start_tasks(turn, id);
    }
    id
}

/// Refuses to exceed the limit on hand-built rooms.
pub(crate) fn require_space(turn: &Turn, more: usize) -> Result<(), Refusal> {
    let (limits, wants) = (&turn.config.limits, turn.world.rooms.built_count() + more);
    refusal::require_at_most(limits, RuleLimit::BuiltRooms, wants, |most| {
        refuse!("There are {most} rooms built by hand, as many as there may be.")
    })
}

/// Returns the key of a room after it gets a name: a new key made from the name if the room was unnamed, else its
/// present key.
pub(crate) fn key_once_named(turn: &Turn, room: RoomId, name: &str) -> String {
    let row = &turn.world.rooms[room];
    let rest = row.key.strip_prefix(UNNAMED_KEY);
    let is_unnamed = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let key = if is_unnamed && name != UNNAMED { free_key(turn, &row.area, name) } else { String::new() };
    if key.is_empty() { row.key.to_value() } else { key }
}

/// Returns a unique room key for the zone file: the name in lower case, with a number if needed. Empty if no character
/// of the name is allowed in a key.
fn free_key(turn: &Turn, area: &str, name: &str) -> String {
    let plain = name.to_ascii_lowercase();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let stem = words.collect::<Vec<_>>().join("_");
    let numbered = |number: usize| if number == 1 { stem.clone() } else { format!("{stem}_{number}") };
    let is_taken = |number| turn.world.rooms.of_key(area, &numbered(number)).is_some();
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

/// Creates a hand-built exit.
pub(crate) fn add_built_exit(
    turn: &mut Turn,
    room: RoomId,
    kind: ExitKind,
    name: &str,
    aliases: &[String],
    to: Option<RoomId>,
) -> ExitId {
    let id = turn.world.new_exit_id();
    add_built_exit_as(turn, id, room, kind, name);
    turn.world.exits.change(id, |exit| {
        exit.set_aliases(aliases);
        exit.to = to;
    });
    id
}

/// Creates a hand-built exit with an id that is free, which leads nowhere yet.
pub(crate) fn add_built_exit_as(turn: &mut Turn, id: ExitId, room: RoomId, kind: ExitKind, name: &str) {
    let direction = pathfinding::direction_named(turn, name);
    let mut exit = Exit::new(id, room, direction);
    if direction.is_none() {
        name.clone_into(&mut exit.name);
    }
    exit.kind = kind;
    turn.world.exits.add(exit);
}

/// Deletes hand-built rooms and all exits that lead there. Characters in them are moved, and their home becomes the
/// town; creatures at home in them are removed; branches behind them collapse. Scans the world once for all rooms.
pub(crate) fn remove_built_rooms(turn: &mut Turn, rooms: &BTreeSet<RoomId>) {
    if rooms.is_empty() {
        return;
    }
    let town = town(turn);
    collapse_branches_of(turn, rooms);
    let is_there = |body: &Character| rooms.contains(&body.room) || rooms.contains(&body.home);
    let bodies = turn.world.characters.iter().filter(|(_, body)| is_there(body));
    let bodies: Vec<CharacterId> = bodies.map(|(id, _)| id).collect();
    for who in &bodies {
        if turn.world.characters.get(*who).is_some_and(|body| is_at_home(body, rooms)) {
            attack::remove_creature(turn, *who);
        }
    }
    let moved: Vec<CharacterId> =
        bodies.into_iter().filter(|who| move_out_of_rooms(turn, *who, rooms, town)).collect();
    let into = turn.world.exits.iter().filter(|(_, exit)| exit.to.is_some_and(|to| rooms.contains(&to)));
    let into: Vec<ExitId> = into.map(|(id, _)| id).collect();
    for exit in into {
        turn.world.exits.remove(exit);
    }
    for room in rooms {
        turn.world.remove_room(*room);
    }
    // Only now does a look show no exit to a deleted room.
    for who in moved {
        turn.emit_event(GameEvent::SawRoom { who });
    }
}

/// Collapses the branches behind rooms to be deleted.
pub(crate) fn collapse_branches_of(turn: &mut Turn, rooms: &BTreeSet<RoomId>) {
    let town = town(turn);
    let branches = turn.world.branches.iter().filter(|(_, branch)| rooms.contains(&branch.start_room));
    let branches: Vec<BranchId> = branches.map(|(id, _)| id).collect();
    for branch in branches {
        // Members and the rest of the cleanup need a start room that stays.
        let is_detached = turn.world.asleep.has(branch);
        turn.world.branches.change(branch, |row| (row.start_room, row.is_detached) = (town, is_detached));
        collapse::collapse(turn, branch);
    }
}

/// Moves a character out of rooms to be deleted, and replaces its home if that is among them. Returns `true` if the
/// character was in one of the rooms.
pub(crate) fn move_out_of_rooms(
    turn: &mut Turn,
    who: CharacterId,
    rooms: &BTreeSet<RoomId>,
    town: RoomId,
) -> bool {
    let Some(body) = turn.world.characters.get(who) else { return false };
    let own_home = (!body.is_player() && body.master.is_none()).then_some(body.home);
    let stays = |home: &RoomId| !rooms.contains(home) && turn.world.rooms.get(*home).is_some();
    let refuge = own_home.filter(stays);
    if let Some(row) = turn.world.characters.edit(who).filter(|row| rooms.contains(&row.home)) {
        row.home = town;
    }
    let is_inside = rooms.contains(&turn.world.characters[who].room);
    if is_inside {
        notices::tell(turn, who, "The room around you folds up like paper, and you are elsewhere.");
        movement::relocate(turn, who, refuge.unwrap_or(town));
    }
    is_inside
}

/// Default name of rooms dug by walk-to-build.
pub(crate) const UNNAMED: &str = "Bare Room";

/// Key made from [`UNNAMED`].
const UNNAMED_KEY: &str = "bare_room";

/// Returns `true` if a creature's home is one of these rooms and it has no master.
pub(crate) fn is_at_home(body: &Character, rooms: &BTreeSet<RoomId>) -> bool {
    !body.is_player() && rooms.contains(&body.home) && body.master.is_none()
}

/// Removes a hand-built exit; no other player can enter the branch behind it.
pub(crate) fn remove_built_exit(turn: &mut Turn, exit: ExitId) {
    if let Some(window) = *turn.world.exits[exit].window {
        window::close(turn, exit, window.branch);
    }
    turn.world.exits.remove(exit);
}

/// Returns the room where new characters begin and `recall` leads.
pub(crate) fn town(turn: &Turn) -> RoomId {
    let first = || turn.world.rooms.iter().next().map(|(id, _)| id);
    turn.world.meta().town.or_else(first).unwrap_or(RoomId(1))
}

/// Returns the refusal of more than [`MOST_EXITS`].
pub(crate) fn too_many_exits() -> Refusal {
    refuse!("This room has as many exits as a room may have.")
}

/// Returns the refusal to remove the room where new characters begin.
pub(crate) fn town_stays() -> Refusal {
    refuse!("That is where everybody begins; it stays.")
}
