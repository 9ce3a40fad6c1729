//! Deterministic explorer: walks open exits, pulls levers, leaves guards alone, and stops in the first room that
//! satisfies a test's condition. Seeds are tried in a fixed order, so each test finds the same room.

use crate::table::{Table, seeded};
use deepwell::base::{Direction, RoomId, Span};
use deepwell::game::GameConfig;
use deepwell::world::{Exit, ExitKind, ExitState, Room, World};
use std::collections::{BTreeMap, VecDeque};

/// Number of rooms to open before the next seed is tried.
const PATIENCE: usize = 40;

/// Maximum number of steps and fights in one walk.
const WALK_MAX: usize = 1_000;

/// Returns a world with default settings in which Olad has just entered a room that satisfies the condition.
pub(crate) fn olad_finds(what: &str, like: impl Fn(&World, &Room) -> bool) -> Table {
    olad_finds_in(what, |_| {}, like)
}

/// [`olad_finds`] with changed settings.
pub(crate) fn olad_finds_in(
    what: &str,
    change: impl Fn(&mut GameConfig),
    like: impl Fn(&World, &Room) -> bool,
) -> Table {
    for seed in 0..500 {
        let mut config = seeded(seed);
        change(&mut config);
        let mut table = Table::new(config);
        table.sit("Olad");
        table.types_all("Olad", &["down", "north"]);
        for _ in 0..PATIENCE {
            if like(table.world(), table.room("Olad")) {
                return table;
            }
            if !opens_another_room(&mut table, "Olad") {
                break;
            }
        }
    }
    panic!("no world has {what}");
}

/// Walks to the nearest free unexplored exit and takes it, unless a fight or an affect interrupts the walk. Returns
/// `false` if no such exit is left.
pub(crate) fn opens_another_room(table: &mut Table, who: &str) -> bool {
    unblocks_the_room(table, who);
    walks_on(table, who)
}

/// [`opens_another_room`] without pulling levers or solving puzzles.
pub(crate) fn walks_on(table: &mut Table, who: &str) -> bool {
    let Some(way) = path_to_unexplored_exit(table.world(), table.body(who).room) else { return false };
    for direction in way {
        let before = table.body(who).room;
        table.types(who, direction.name());
        // Creatures on the path may attack, and a web may hold the character.
        let body = table.body(who);
        if body.target.is_some() || !body.affects.is_empty() {
            table.waits(Span::secs(3));
            return true;
        }
        assert_ne!(table.body(who).room, before, "{direction} should have been free");
    }
    true
}

/// Unblocks the character's room by pulling its lever, wherever it is, or solving the puzzle behind its gate, and
/// returns to the room.
pub(crate) fn unblocks_the_room(table: &mut Table, who: &str) {
    let gate = table.body(who).room;
    if table.room(who).challenge.puzzle().is_some() && !table.room(who).clear {
        solves_the_puzzle(table, who);
    }
    if let Some(lever_in) = table.room(who).challenge.lever_in.filter(|_| !table.room(who).clear) {
        walks_to(table, who, lever_in);
    }
    while table.world().rooms[gate].challenge.lever_pulls() > 0 {
        table.types(who, "pull lever");
    }
    walks_to(table, who, gate);
}

/// Enters the gate of a room, types the solution of its puzzle, and returns.
fn solves_the_puzzle(table: &mut Table, who: &str) {
    let outside = table.body(who).room;
    table.types(who, "in");
    let me = table.body(who).id;
    for _ in 0..WALK_MAX {
        if table.body(who).target.is_some() {
            table.waits(Span::secs(3));
            continue;
        }
        let Some(line) = table.game().puzzle_hint(me) else { break };
        table.types(who, &line);
    }
    assert!(table.world().rooms[outside].clear, "the puzzle was solved:\n{}", table.types(who, "goal"));
    let is_entrance = |exit: &Exit| exit.to == Some(outside) && exit.direction == Some(Direction::Out);
    let inside = ways(table.world(), table.body(who).room).into_keys();
    let entrance = inside.into_iter().find(|room| table.world().exits.of(*room).any(is_entrance));
    walks_to(table, who, entrance.expect("a way back to the entrance"));
    table.types(who, "out");
    assert_eq!(table.body(who).room, outside);
}

fn path_to_unexplored_exit(world: &World, from: RoomId) -> Option<Vec<Direction>> {
    let mut found: Vec<Vec<Direction>> = Vec::new();
    for (room, way) in ways(world, from) {
        let unexplored = world.exits.of(room).find(|exit| exit.state == ExitState::Unexplored);
        if let Some(direction) = unexplored.and_then(|exit| exit.direction)
            && world.rooms[room].clear
        {
            found.push(way.into_iter().chain([direction]).collect());
        }
    }
    found.into_iter().min_by_key(Vec::len)
}

/// Returns the shortest path to every room reachable over explored exits without a shut gate.
pub(crate) fn ways(world: &World, from: RoomId) -> BTreeMap<RoomId, Vec<Direction>> {
    let branch = world.rooms[from].branch;
    let inside = |exit: &&Exit| exit.to.is_some_and(|to| world.rooms[to].branch == branch);
    let mut came: BTreeMap<RoomId, Vec<Direction>> = BTreeMap::from([(from, Vec::new())]);
    let mut queue = VecDeque::from([from]);
    while let Some(room) = queue.pop_front() {
        let way = came[&room].clone();
        let is_free = |exit: &&Exit| exit.kind == ExitKind::Exit && exit.state != ExitState::Locked;
        for exit in world.exits.of(room).filter(is_free).filter(inside) {
            if let (Some(to), Some(direction)) = (exit.to, exit.direction)
                && !came.contains_key(&to)
            {
                came.insert(to, way.iter().copied().chain([direction]).collect());
                queue.push_back(to);
            }
        }
    }
    came
}

/// Walks over explored exits to a room and fights any attacker.
pub(crate) fn walks_to(table: &mut Table, who: &str, to: RoomId) {
    for _ in 0..WALK_MAX {
        fights_on(table, who);
        let way = ways(table.world(), table.body(who).room).remove(&to).expect("a way over explored exits");
        let Some(direction) = way.first() else { return };
        table.types(who, direction.name());
        if !table.body(who).affects.is_empty() {
            table.waits(Span::secs(3));
        }
    }
    assert_eq!(table.body(who).room, to, "{who} should have arrived");
}

/// Fights until the character has no target.
fn fights_on(table: &mut Table, who: &str) {
    while table.body(who).target.is_some() {
        table.types(who, "kill");
        table.waits(Span::secs(3));
    }
}

/// Opens rooms until the branch has `rooms` rooms, killing every guard on the path.
pub(crate) fn hero_opens(table: &mut Table, who: &str, rooms: usize) {
    while table.rooms_of(table.branch_of(who).expect("a member of a branch")).len() < rooms {
        while table.body(who).target.is_some() || guarded(table.world(), table.room(who)) {
            table.types(who, "kill");
            table.waits(Span::secs(3));
        }
        assert!(opens_another_room(table, who), "a hero finds a way on (E58)");
    }
}

/// Opens rooms until a captive follows a strong player. Panics if none is found in 300 rooms.
pub(crate) fn frees_a_captive(table: &mut Table, who: &str) {
    for rooms in 2..300 {
        hero_opens(table, who, rooms);
        if leads_captive(table, who) {
            return;
        }
    }
    panic!("no captive");
}

/// Returns `true` if a freed captive follows a player.
pub(crate) fn leads_captive(table: &Table, who: &str) -> bool {
    let master = Some(table.id(who));
    table.world().characters.iter().any(|(_, body)| body.master == master && body.held_by.is_some())
}

/// Walks out of a branch by the way home.
pub(crate) fn walks_out(table: &mut Table, who: &str) {
    let (branch, start) = (table.branch(who).id, table.branch(who).start_room);
    let back = |room: RoomId| table.world().exits.of(room).find(|exit| exit.to == Some(start));
    let door = table.rooms_of(branch).into_iter().find(|room| back(*room).is_some()).expect("a first room");
    let back = back(door).expect("a way home").name.clone();
    walks_to(table, who, door);
    table.types(who, &back);
}

/// Returns `true` if guards block a room.
pub(crate) fn guarded(world: &World, room: &Room) -> bool {
    !room.clear && world.occupants(room.id).iter().any(|id| guards(world, *id, room.id))
}

/// Returns `true` if a creature is a guard of a room.
pub(crate) fn guards(world: &World, body: deepwell::base::CharacterId, room: RoomId) -> bool {
    let body = &world.characters[body];
    body.home == room
        && body.prototype.as_ref().is_some_and(|key| crate::table::CATALOG.creatures[key].guards())
}

/// Returns `true` if creatures of a kind roam.
pub(crate) fn roams(creature: &str) -> bool {
    crate::table::CATALOG.creatures[creature].roams()
}
