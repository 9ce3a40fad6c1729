//! Work that grows with the world runs in slices: the work of each step stays bounded while the world grows.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::{Coordinates, Direction, ExitId, Point, RoomId, Span};
use deepwell::catalog::{CreatureRoute, RoomKind, RoomSheet, SpawnBounds};
use deepwell::world::{Exit, Room, Snapshot, SpawnRule, Spawned};

/// Zone of the added rooms.
const MAZE: &str = "maze";
/// Work per slice in these tests.
const SLICE: u32 = 300;
/// Maximum work of a step: a slice, one room more, and the answer with its 30 rooms.
const STEP_MAX: u64 = SLICE as u64 + 700;

/// Returns the stored world of a workshop in which Olad is an owner.
fn site() -> Snapshot {
    Workshop::with_mill().table.stored().clone()
}

/// Adds a row of described rooms, each with an exit to the next and to the one before. It has no way to the town.
fn add_maze(stored: &mut Snapshot, rooms: u32) {
    let meta = stored.meta.as_mut().expect("a stored world");
    let (first, mut exit) = (meta.next_room, meta.next_exit);
    let origin = Coordinates { z: 50, at: Point::new(0, 0) };
    for number in 0..rooms {
        let (id, place) = (RoomId(first + number), origin.moved(number.cast_signed(), 0));
        let mut room = Room::new(id, RoomSheet::new(RoomKind::Room, format!("Maze {number}")));
        (room.z, room.at) = (place.z, place.at);
        room.area = MAZE.into();
        room.sheet.description = "A passage between two hedges, with oakum in the gaps.".into();
        stored.rooms.insert(id, room);
        let ways = [(1, Direction::East), (-1, Direction::West)];
        for (step, direction) in ways {
            let Some(to) = number.checked_add_signed(step).filter(|to| *to < rooms) else { continue };
            let row = Exit::new(ExitId(exit), id, Some(direction));
            let row = Exit { to: Some(RoomId(first + to)), ..row };
            stored.exits.insert(row.id, row);
            exit += 1;
        }
    }
    (meta.next_room, meta.next_exit) = (first + rooms, exit);
}

/// Loads a world whose searches and checks are cut into slices of this size.
fn load(stored: Snapshot, slice_work: u32) -> Table {
    let mut config = seeded(1);
    config.limits.slice_work = slice_work;
    let mut table = Table::resume(config, stored, crate::table::DAWN + Span::mins(60));
    table.checks_every(50);
    table.comes_back("Olad");
    table.takes_largest_work();
    table
}

/// Types a line in worlds of two sizes, and returns the work of the most expensive step in each.
fn largest_work(line: &str, answer: &str) -> [u64; 2] {
    [250, 1_000].map(|rooms| {
        let mut stored = site();
        add_maze(&mut stored, rooms);
        let mut table = load(stored, SLICE);
        let reply = table.types("Olad", line);
        table.waits(Span::secs(3));
        let text = format!("{reply}\n{}", table.hears("Olad"));
        assert!(text.contains(answer), "{line} in a world of {rooms} rooms: {text}");
        table.takes_largest_work()
    })
}

/// Every kind of search takes more steps in a larger world, and no larger ones.
#[test]
fn a8_steps_of_searches_do_not_grow_with_the_world() {
    for (line, answer) in [
        ("find oakum", "Maze 0, room "),
        ("find oakum page 7", "Maze 180, room "),
        ("find maze", "more: put page 2 behind it"),
        ("find kind start", ", room "),
        ("find uses brass_ring", "The level type archive."),
        ("find creature rat", "used in zero rooms"),
        ("find orphans", "exit"),
        ("find unlinked", "Maze 29, room "),
        ("find exits", "exit"),
        ("find unused", "no text here speaks of"),
        ("check all", "nobody can walk from the town here, nor to the "),
        ("check mill", "In the zone mill: "),
    ] {
        for work in largest_work(line, answer) {
            assert!(work <= STEP_MAX, "{line}: {work} units of work in one step");
        }
    }
}

/// Commands that concern one zone do not visit the rooms of others.
#[test]
fn a8_commands_of_one_zone_do_not_grow_with_others() {
    for (line, answer) in [
        ("zone", "mill"),
        ("zone list", "maze: "),
        ("dig Barn = barn, out", "Barn"),
        ("tag here = quiet", "quiet"),
    ] {
        let [small, large] = largest_work(line, answer);
        assert!(large <= small + 50, "{line}: {small} and {large} units of work");
    }
}

/// A respawn check that takes several steps spawns exactly the missing creatures and items.
#[test]
fn a8_respawn_check_in_slices_spawns_as_in_one_step() {
    let [small, large] = [100, 400].map(|rooms| {
        let mut stored = site();
        add_maze(&mut stored, rooms);
        let bounds = SpawnBounds::default();
        let rule = |what| SpawnRule {
            what,
            count: 2,
            every_secs: 10,
            bounds: bounds.clone(),
            route: CreatureRoute::default(),
        };
        let mut wanted = 0;
        for room in stored.rooms.values_mut().filter(|room| room.area == MAZE && room.id.0.is_multiple_of(5))
        {
            let (rat, stub) = (Spawned::Creature("rat".into()), Spawned::Item("torch_stub".into()));
            room.spawns = vec![rule(rat), rule(stub)].into();
            wanted += 2;
        }
        let mut table = load(stored, SLICE);
        table.waits(Span::secs(60));
        let work = table.takes_largest_work();
        let is_in_maze = |room: RoomId| table.world().rooms[room].area == MAZE;
        let rats = table
            .world()
            .characters
            .iter()
            .filter(|(_, body)| body.prototype.is_some() && is_in_maze(body.home));
        assert_eq!(rats.count(), wanted);
        let ground = table.world().rooms.built().filter(|room| is_in_maze(*room));
        assert_eq!(ground.map(|room| table.world().ground(room).len()).sum::<usize>(), wanted);
        work
    });
    assert!(small <= STEP_MAX && large <= STEP_MAX, "{small} and {large} units of work");
}

/// The slices of several builders are spread over steps as well, and each builder gets an answer.
#[test]
fn a8_searches_of_several_builders_share_the_slices() {
    let mut shop = Workshop::with_mill();
    shop.table.sit("Bera");
    shop.table.types("Olad", "promote Bera builder");
    let mut stored = shop.table.stored().clone();
    add_maze(&mut stored, 600);
    let mut table = load(stored, SLICE);
    table.comes_back("Bera");
    table.takes_largest_work();
    table.types("Olad", "find oakum");
    table.types("Bera", "check all");
    table.waits(Span::secs(5));
    assert!(table.hears("Olad").contains("Maze 0, room ") && table.hears("Bera").contains("In all zones"));
    let work = table.takes_largest_work();
    assert!(work <= STEP_MAX, "{work} units of work in one step");
}

/// The harness finds a step that visits all rooms of a large world.
#[test]
#[should_panic(expected = "the step find did")]
fn a8_harness_finds_a_step_that_is_too_large() {
    let mut stored = site();
    add_maze(&mut stored, 1_500);
    let mut table = load(stored, 1_000_000);
    table.types("Olad", "find exits");
}

/// A8: branches whose creatures would all roam in the same step, as after a start, take turns.
#[test]
fn a8_ticks_of_branches_that_coincide_are_spread() {
    let ways = [("Olad", "north"), ("Bera", "east"), ("Cord", "south"), ("Dorn", "west")];
    let largest_work = |slice_work| {
        let mut config = seeded(3);
        config.limits.slice_work = slice_work;
        let mut table = Table::new(config);
        for (name, way) in ways {
            table.sit(name);
            table.types_all(name, &["down", way]);
        }
        assert!(ways.map(|(name, _)| table.branch_of(name)).is_sorted_by(|a, b| a.is_some() && a < b));
        table.crash();
        table.waits(Span::secs(5));
        table.takes_largest_work();
        table.waits(Span::secs(10));
        table.takes_largest_work()
    };
    let (spread, at_once) = (largest_work(10), largest_work(100_000));
    assert!(spread * 3 < at_once * 2, "{spread} instead of {at_once}");
}
