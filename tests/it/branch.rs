//! Branch growth in play: one room at a time, on one grid, with the exits that the rules allow.

use crate::explorer::{hero_opens, olad_finds_in, walks_to, ways};
use crate::table::{DAWN, Table, changed_content, seeded};
use deepwell::base::{BranchId, CharacterId, Direction, Point, RoomId, Seed};
use deepwell::catalog::Catalog;
use deepwell::dungeon::{BranchSpec, GrowSettings};
use deepwell::game::GameConfig;
use deepwell::tools::verify::{Extent, verify};
use deepwell::world::{Character, Exit, ExitKind, ExitState, Item, World};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Puts a very strong character into a branch of `rooms` rooms whose start exit is never reset.
fn explored(mut config: GameConfig, rooms: usize) -> Table {
    config.dungeon.reset_chance_permille = 0;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    hero_opens(&mut table, "Olad", rooms);
    table
}

/// E6, E10, E11, E13, E29, E35, E43, E45: taking a compass exit creates a branch of exactly one room, adjacent to the
/// start room, with an exit back.
#[test]
fn entering_a_branch_generates_one_room() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    assert_eq!(table.world().branches.len(), 0);
    table.types_all("Olad", &["down", "north"]);
    let branch = table.branch("Olad").clone();
    let rooms = table.rooms_of(branch.id);
    assert_eq!(rooms, [table.body("Olad").room], "one room, and Olad is in it");
    let room = table.room("Olad");
    assert_eq!((room.at, room.depth, room.floor, room.branch), (Point::new(0, 1), 1, 1, Some(branch.id)));
    let back = table.exit("Olad", Direction::South).expect("a way back");
    assert!(back.back && back.to == Some(branch.start_room));
    assert_eq!((branch.growth.max_unexplored_exits, branch.growth.max_new_exits_per_room), (2, 2));
    assert_eq!((branch.generator.as_str(), branch.greatest_depth, branch.rooms_made), ("frontier", 1, 1));
    assert_eq!((branch.opened_at, branch.last_updated_at), (table.now(), table.now()));
}

/// C1, C4, E3: each compass exit of the well leads to the adjacent coordinates, by its name and by its letter.
#[test]
fn compass_exits_lead_to_the_adjacent_coordinates() {
    for (word, at) in [
        ("north", Point::new(0, 1)),
        ("e", Point::new(1, 0)),
        ("South", Point::new(0, -1)),
        ("W", Point::new(-1, 0)),
    ] {
        let mut table = Table::new(seeded(1));
        table.sit("Olad");
        table.types_all("Olad", &["d", word]);
        assert_eq!(table.room("Olad").at, at, "{word}");
    }
}

/// C2, C5, E2, E10, E13 to E21, E29, E34, E36, E37, E39, E41, E56, E58: branches with various limits are checked while
/// they grow.
#[test]
fn growing_branches_obey_the_grid_and_exit_rules() {
    for (seed, most_open, most_new) in [(1, 2, 2), (2, 2, 2), (3, 1, 1), (4, 4, 3), (5, 8, 2)] {
        let mut config = seeded(seed);
        config.dungeon.max_unexplored_exits = Some(most_open);
        config.dungeon.max_new_exits_per_room = Some(most_new);
        let mut table = explored(config, 1);
        let branch = table.branch_of("Olad").expect("a member");
        let mut deepest = 0;
        for rooms in (2..=60).step_by(2) {
            hero_opens(&mut table, "Olad", rooms);
            assert_branch_rules(table.world(), branch, most_open as usize, most_new as usize);
            let depth = table.branch("Olad").greatest_depth;
            assert!(depth >= deepest, "E41: it never shrinks");
            deepest = depth;
        }
        let depths = table.rooms_of(branch).into_iter().map(|room| table.world().rooms[room].depth);
        assert_eq!(Some(deepest), depths.max(), "E41");
    }
}

fn assert_branch_rules(world: &World, branch: BranchId, most_open: usize, most_new: usize) {
    let index = world.branches.index_of(branch).expect("a living branch");
    // Puzzles behind gates are on other floors.
    let first = || index.rooms.iter().filter(|((floor, _), _)| *floor == 1);
    let taken: BTreeMap<Point, RoomId> = first().map(|((_, at), room)| (*at, *room)).collect();
    assert_eq!(taken.len(), first().count(), "C2: one room a place");
    assert!(!taken.contains_key(&Point::ORIGIN), "E10: the start's place is reserved");
    let mut open = 0;
    for (at, room) in &taken {
        let row = &world.rooms[*room];
        let square = (at.x * at.x + at.y * at.y).unsigned_abs();
        assert!(row.depth.pow(2) <= square && (row.depth + 1).pow(2) > square, "E29: {at} has {}", row.depth);
        assert_eq!(row.difficulty, row.depth, "C5: one floor");
        assert!(
            family(row.depth).iter().any(|word| row.sheet.name.contains(word)),
            "E39: {} at {at}",
            row.sheet.name
        );
        let exits: Vec<&Exit> = world.exits.of(*room).collect();
        let back: Vec<_> = exits.iter().filter(|exit| exit.back).collect();
        let parent = row.made_by.map(|exit| world.exits[exit].room);
        assert!(
            back.len() == 1 && back[0].to == parent,
            "E13: the room at {at} leads back where it came from"
        );
        let ways = exits.iter().filter(|exit| exit.kind == ExitKind::Exit).count();
        assert!(ways <= 1 + most_new, "E15: {ways} exits at {at}");
        open += exits.iter().filter(|exit| exit.state == ExitState::Unexplored).count();
        for exit in exits.into_iter().filter(|exit| exit.kind == ExitKind::Exit) {
            assert_exit_rules(world, exit, *at, &taken);
        }
    }
    assert!((1..=most_open).contains(&open), "E14, E58: {open} unexplored exits");
}

/// Returns the shipped content with diagonal exits in the well.
fn with_diagonals() -> Arc<Catalog> {
    let level = include_str!("../../content/levels/well.toml");
    let level = level.replace("part = \"frontier\"", "part = \"frontier\"\ndiagonals = true");
    changed_content(&[("levels/well.toml", &level)])
}

/// E3: branches with diagonal exits violate no rule, with and without the guard.
#[test]
fn e3_e18_e58_branches_with_diagonals_verify() {
    let catalog = with_diagonals();
    for (seed, finishable) in (0..10).flat_map(|seed| [(seed, false), (seed, true)]) {
        let settings = GrowSettings {
            max_unexplored_exits: 6,
            max_new_exits_per_room: 3,
            finishable,
            ..GrowSettings::default()
        };
        let spec = BranchSpec { settings, ..BranchSpec::of(&catalog, "well", Seed(seed)) };
        let violations = verify(&spec, &catalog, Extent { rooms: 200, floors: 2, puzzles: false }).violations;
        assert!(violations.is_empty(), "{}", violations[0]);
    }
}

/// C4, E3: a floor whose layout enables diagonal exits has them, and the map draws them. They are taken by name and by
/// letter.
#[test]
fn c4_e3_layout_may_enable_diagonal_exits() {
    let mut table = Table::with_content(seeded(3), &with_diagonals());
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    hero_opens(&mut table, "Olad", 30);
    let world = table.world();
    let rooms = table.rooms_of(table.branch("Olad").id).into_iter();
    let exits = rooms.flat_map(|room| world.exits.of(room)).filter_map(|exit| {
        let direction = exit.direction.filter(|direction| direction.is_diagonal())?;
        (exit.state == ExitState::Open).then_some((exit.room, direction, exit.to?))
    });
    let exits: Vec<_> = exits.collect();
    assert!(exits.len() > 4, "{exits:?}");
    for (from, direction, to) in exits {
        let at = table.world().rooms[from].at;
        assert_eq!(table.world().rooms[to].at, at.step(direction));
        for (word, back) in [
            (direction.name(), direction.opposite().name()),
            (direction.letter(), direction.opposite().letter()),
        ] {
            let id = table.id("Olad");
            table.edit_stored(|stored| stored.characters.get_mut(&id).expect("a body").room = from);
            let view = table.types("Olad", "look");
            assert!(view.contains(direction.name()), "{view}");
            let answer = table.types("Olad", word);
            assert_eq!(table.room("Olad").id, to, "{word}: {answer}");
            table.types("Olad", back);
            assert_eq!(table.room("Olad").id, from, "{back}");
        }
    }
    let map = table.types("Olad", "map");
    assert!(map.contains('/') || map.contains('\\'), "{map}");
}

fn assert_exit_rules(world: &World, exit: &Exit, at: Point, taken: &BTreeMap<Point, RoomId>) {
    let direction = exit.direction.expect("exits of a branch are directions");
    assert!(Direction::PLANE.contains(&direction), "C4, E3");
    let there = at.step(direction);
    if there == Point::ORIGIN {
        assert!(exit.back, "E20: only the way back of the first room leads to the start");
        return;
    }
    assert_eq!(exit.to, taken.get(&there).copied(), "E17, E18, E34: the exit {direction} at {at}");
    let Some(to) = exit.to else {
        assert_eq!(exit.state, ExitState::Unexplored);
        return;
    };
    let returns = world.exits.of(to).any(|other| other.to == Some(exit.room));
    assert_eq!(returns, exit.state == ExitState::Open, "E18, E21: the exit {direction} at {at}");
    let made = world.rooms[to].made_by == Some(exit.id);
    assert!(
        exit.state == ExitState::Open || (!made && !exit.back),
        "E21: who made the room has the two-way exit"
    );
}

/// Returns the name parts of which one occurs in each room name of a depth (E39).
fn family(depth: u32) -> &'static [&'static str] {
    match depth {
        1 => &["ater-logged passage"],
        2 => &["assage with roots"],
        3 => &["ardened clay passage", "ardened, clay passage"],
        4 => &["lay with stones"],
        5 => &["tone passage"],
        6 => &["tone hallway"],
        7 => &["tone rooms", "tone room"],
        8 => &["ranite hall"],
        9 => &["arble passage"],
        10 => &["urnished room"],
        _ => &["ark room"],
    }
}

/// E18, E21, E34: an older exit that points at a new room becomes one-way and is listed as such.
#[test]
fn older_exit_into_a_new_room_is_one_way() {
    let mut found = None;
    for seed in 0..20 {
        let mut config = seeded(seed);
        config.dungeon.max_unexplored_exits = Some(6);
        let table = explored(config, 50);
        let reached = ways(table.world(), table.body("Olad").room);
        let is_one_way = |exit: &Exit| exit.state == ExitState::OneWay && reached.contains_key(&exit.room);
        let one_way = table.world().exits.iter().find(|(_, exit)| is_one_way(exit));
        if let Some(exit) = one_way.map(|(_, exit)| exit.clone()) {
            found = Some((table, exit));
            break;
        }
    }
    let (mut table, exit) = found.expect("twenty branches of fifty rooms have a one-way exit");
    walks_to(&mut table, "Olad", exit.room);
    let listed = table.types("Olad", "exits");
    let line = listed.lines().find(|line| line.starts_with(&exit.name)).expect("the exit is listed");
    assert!(line.contains("one-way") && !line.contains("unexplored"), "{line}");
    table.types("Olad", &exit.name);
    assert_eq!(Some(table.body("Olad").room), exit.to);
    let back = exit.direction.expect("a direction").opposite();
    assert!(table.exit("Olad", back).is_none(), "no way back along it");
    assert_eq!(table.types("Olad", back.name()), "You can't go that way.");
}

/// E19, E22: a finishable branch can run out of unexplored exits; the description of its last room then says so.
#[test]
fn last_room_of_a_finished_branch_says_so() {
    let closed = |world: &World, branch| {
        let index = world.branches.index_of(branch).expect("a living branch");
        index.frontiers.values().all(|frontier| frontier.open_count() == 0)
    };
    for seed in 0..60 {
        let mut config = seeded(seed);
        config.dungeon.finishable = Some(true);
        config.dungeon.max_new_exits_per_room = Some(1);
        config.dungeon.max_unexplored_exits = Some(1);
        let mut table = explored(config, 1);
        let branch = table.branch_of("Olad").expect("a member");
        for rooms in 2..60 {
            if closed(table.world(), branch) {
                break;
            }
            hero_opens(&mut table, "Olad", rooms);
        }
        if closed(table.world(), branch) {
            let view = table.types("Olad", "look");
            assert!(view.contains("nothing beyond this room"), "{view}");
            return;
        }
    }
    panic!("sixty lines and none of them ran into itself");
}

/// Serialises the rows of a branch without times, which depend on the length of fights.
fn bytes(table: &Table, branch: BranchId) -> String {
    let world = table.world();
    let rooms: Vec<_> = table.rooms_of(branch).into_iter().map(|room| &world.rooms[room]).collect();
    let exits: Vec<_> = rooms.iter().flat_map(|room| world.exits.of(room.id)).collect();
    let floor = rooms.iter().flat_map(|room| world.ground(room.id));
    let floor: Vec<_> = floor.map(|item| Item { made_at: DAWN, ..world.items[*item].clone() }).collect();
    let creatures = &world.branches.index_of(branch).expect("a living branch").creatures;
    let ageless = |creature: &CharacterId| Character {
        hp_at: DAWN,
        arrived_at: DAWN,
        created_at: DAWN,
        seen_at: DAWN,
        ..world.characters[*creature].clone()
    };
    let creatures: Vec<_> = creatures.iter().map(ageless).collect();
    serde_json::to_string(&(rooms, exits, floor, creatures)).expect("rows are JSON")
}

/// C3, E1: the same seed and moves give the same bytes; another seed gives another dungeon.
#[test]
fn same_seed_and_moves_generate_the_same_branch() {
    let grown = |seed| {
        let table = explored(seeded(seed), 40);
        bytes(&table, table.branch_of("Olad").expect("a member"))
    };
    assert!(grown(7) == grown(7), "C3");
    assert!(grown(7) != grown(8), "E1");
}

/// C3: a restart between two rooms does not change later generation.
#[test]
fn restarts_do_not_change_branch_growth() {
    let straight = explored(seeded(9), 24);
    let mut halting = explored(seeded(9), 1);
    for rooms in [5, 6, 11, 17, 24] {
        hero_opens(&mut halting, "Olad", rooms);
        halting.restart();
    }
    let branch = straight.branch_of("Olad").expect("a member");
    // Combat rolls differ after a restart, so times and casualties may differ; what was generated does not.
    let made = |table: &Table| {
        let dump = table.game().branch_dump(branch).expect("a living branch");
        let rooms = dump.floors.into_iter().flat_map(|floor| floor.rooms);
        rooms
            .map(|room| (room.num, room.x, room.y, room.name, room.description, room.exits))
            .collect::<Vec<_>>()
    };
    assert_eq!(made(&straight), made(&halting));
}

/// E34: an unexplored exit is listed as such, and by its destination once it has been explored.
#[test]
fn exits_lists_unexplored_and_explored_exits() {
    let mut table = olad_finds_in(
        "a clear first room with a way on",
        |_| {},
        |world, room| room.clear && world.exits.of(room.id).any(|exit| exit.state == ExitState::Unexplored),
    );
    let room = table.body("Olad").room;
    let unexplored = table.world().exits.of(room).find(|exit| exit.state == ExitState::Unexplored);
    let exit = unexplored.expect("an unexplored exit").clone();
    assert_eq!(exit.to, None);
    assert!(table.types("Olad", "exits").contains(&format!("{}: unexplored", exit.name)));
    table.types("Olad", &exit.name);
    let made = table.room("Olad").clone();
    assert_eq!(made.made_by, Some(exit.id));
    table.types("Olad", exit.direction.expect("a direction").opposite().name());
    assert_eq!(table.body("Olad").room, room, "E13: back where one came from");
    assert!(table.types("Olad", "exits").contains(&format!("{}: {}", exit.name, made.sheet.name)));
}

/// `go` and `path` accept alternative names of exits, and a screen reader's map is text.
#[test]
fn go_and_path_accept_names_and_reader_map_is_text() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.types("Olad", "go down");
    assert_eq!(table.room("Olad").sheet.name, "Bottom of the Well");
    assert_eq!(table.types("Olad", "path start"), "You are there already.");
    assert_eq!(table.types("Olad", "go sideways"), "You can't go that way.");
    table.types("Olad", "north");
    assert_eq!(table.room("Olad").at, Point::new(0, 1));
    table.types("Olad", "config reader on");
    let name = table.room("Olad").sheet.name.clone();
    let map = table.types("Olad", "map");
    let start = format!(
        "You are in {name}, on dungeon level 1, one step north of the start.
Here: {name}. Unexplored: "
    );
    assert!(map.starts_with(&start), "{map}");
}
