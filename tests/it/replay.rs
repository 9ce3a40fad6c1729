//! Branch replay from a dump, and branch rebuild by staff. The same seed and moves generate the same rooms, regardless
//! of events in them since.

use crate::explorer::{guarded, opens_another_room, unblocks_the_room, ways};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{BranchId, Direction, RoomId, Seed, Span};
use deepwell::dungeon::BranchSpec;
use deepwell::dungeon::dump::{BranchDump, RoomDump};
use deepwell::tools::branch::PlannedBranch;
use deepwell::world::Exit;
use std::collections::{BTreeMap, BTreeSet};

/// Returns a game with Olad, nearly invulnerable, in a branch.
fn olad_in(seed: u64, way: &[&str]) -> Table {
    let mut table = Table::new(seeded(seed));
    table.checks_every(8);
    table.sit("Olad");
    table.becomes("Olad", 999_999, 9_999);
    table.types_all("Olad", way);
    assert!(table.branch_of("Olad").is_some(), "{way:?} leads into a branch");
    table
}

/// Clears Olad's room: kills its guards and raises a portcullis.
fn clear_room(table: &mut Table) {
    while table.body("Olad").target.is_some() || guarded(table.world(), table.room("Olad")) {
        table.types("Olad", "kill");
        table.waits(Span::secs(3));
    }
    unblocks_the_room(table, "Olad");
}

/// Explores up to `rooms` rooms, with a restart after every tenth.
fn explore(table: &mut Table, rooms: usize) {
    for opened in 0..rooms {
        clear_room(table);
        if !opens_another_room(table, "Olad") {
            break;
        }
        if opened % 10 == 9 {
            table.restart();
        }
    }
}

/// Explores until a room has stairs down, and takes them.
fn take_stairs_down(table: &mut Table) {
    let floor = table.room("Olad").floor;
    for _ in 0..300 {
        let here = table.body("Olad").room;
        let known = ways(table.world(), here);
        let stairs =
            known.into_iter().find(|(room, _)| table.world().exits.of(*room).any(Exit::is_stairs_down));
        if let Some((room, _)) = stairs {
            walk_to(table, room);
            clear_room(table);
            while table.body("Olad").trainings > 0 {
                table.types("Olad", "train strength");
            }
            let answer = table.types("Olad", "down");
            assert_ne!(table.room("Olad").floor, floor, "{answer}");
            return;
        }
        clear_room(table);
        assert!(opens_another_room(table, "Olad"), "a floor with stairs");
    }
    panic!("no stairs");
}

fn walk_to(table: &mut Table, to: RoomId) {
    while table.body("Olad").room != to {
        clear_room(table);
        let way =
            ways(table.world(), table.body("Olad").room).remove(&to).expect("a way over explored exits");
        let Some(direction) = way.first() else { break };
        table.types("Olad", direction.name());
        table.waits(Span::secs(1));
    }
}

fn dump(table: &Table, branch: BranchId) -> BranchDump {
    table.game().branch_dump(branch).expect("a living branch")
}

/// Returns the dump without data that a replay cannot reproduce, so that equal branches give equal bytes. Rooms are
/// numbered from 2 in order of creation, as in a planned branch, with the start room as 1; exits are sorted by
/// direction. Name, times, members and creature activity are removed, and so are puzzle rooms, which no exit created.
fn portable(mut dump: BranchDump) -> BranchDump {
    for floor in &mut dump.floors {
        floor.rooms.retain(|room| room.made_by_exit.is_some());
    }
    let made: BTreeSet<u32> =
        dump.floors.iter().flat_map(|floor| &floor.rooms).map(|room| room.num).collect();
    let numbers: BTreeMap<u32, u32> = made.into_iter().zip(2..).collect();
    let new = |old: u32| numbers.get(&old).copied().unwrap_or(1);
    for room in dump.floors.iter_mut().flat_map(|floor| &mut floor.rooms) {
        room.num = new(room.num);
        if let Some(made_by) = &mut room.made_by_exit {
            made_by.room = new(made_by.room);
        }
        for exit in &mut room.exits {
            exit.to = exit.to.map(new);
        }
        room.exits.retain(|exit| exit.dir != Direction::In);
        room.exits.sort_by_key(|exit| exit.dir);
        room.creature_states.clear();
    }
    dump.floors.retain(|floor| !floor.rooms.is_empty());
    BranchDump {
        branch: 0,
        name: format!("{} {}", dump.theme, dump.seed),
        start_room: 1,
        opened_at: None,
        window_ends_at: None,
        last_updated_at: None,
        members: Vec::new(),
        ..dump
    }
}

/// Returns the dump as generated, without changes by play: cleared rooms with their tag, creatures, items, and signs
/// removed from explored exits.
fn as_generated(dump: BranchDump) -> BranchDump {
    let mut dump = portable(dump);
    let forget = |room: &mut RoomDump| {
        room.clear = true;
        room.tags.retain(|tag| tag != "not_clear");
        room.creatures.clear();
        room.items.clear();
    };
    dump.floors.iter_mut().flat_map(|floor| &mut floor.rooms).for_each(forget);
    dump
}

#[test]
fn c3_portable_dump_of_planned_branch_is_complete() {
    for name in ["well", "daedalus", "upper crypt"] {
        let walked = PlannedBranch::walk(BranchSpec::of(&CATALOG, name, Seed(3)), &CATALOG, 25, 2);
        assert_eq!(portable(walked.dump()), walked.dump(), "{name}");
    }
}

/// Replays the branch from its dump alone.
fn replayed(dump: &BranchDump) -> BranchDump {
    let mut spec = BranchSpec::of(&CATALOG, &dump.level_type, Seed(dump.seed));
    spec.generator.clone_from(&dump.generator);
    spec.settings = dump.growth;
    PlannedBranch::replay(spec, &CATALOG, &dump.moves).expect("moves that were made").dump()
}

/// Asserts that a played branch and its replay are equal; compares room by room first, to locate a difference.
fn assert_replays(table: &Table) -> BranchDump {
    let original = dump(table, table.branch_of("Olad").expect("a member"));
    let (lived, again) = (as_generated(original.clone()), as_generated(replayed(&original)));
    let rooms = |dump: &BranchDump| -> Vec<(u32, RoomDump)> {
        let floors = dump.floors.iter();
        floors.flat_map(|floor| floor.rooms.iter().map(|room| (floor.floor, room.clone()))).collect()
    };
    for (lived, again) in rooms(&lived).iter().zip(rooms(&again)) {
        assert_eq!(*lived, again, "{}", original.moves);
    }
    let bytes = |dump: &BranchDump| serde_json::to_string(dump).expect("a dump is JSON");
    assert_eq!(bytes(&lived), bytes(&again), "{}", original.moves);
    lived
}

/// A frontier branch of two floors, with restarts.
#[test]
fn c3_frontier_branch_is_reproduced_from_its_moves() {
    let mut table = olad_in(21, &["down", "north"]);
    explore(&mut table, 25);
    take_stairs_down(&mut table);
    explore(&mut table, 12);
    let lived = assert_replays(&table);
    assert!(lived.floors.len() > 1 && lived.floors[0].rooms.len() > 20);
    assert_eq!((lived.level_type.as_str(), lived.generator.as_str()), ("well", "frontier"));
}

#[test]
fn c3_r14_maze_is_reproduced_from_its_moves() {
    let mut table = olad_in(22, &["south", "down", "south"]);
    explore(&mut table, 25);
    take_stairs_down(&mut table);
    explore(&mut table, 12);
    let lived = assert_replays(&table);
    assert!(lived.floors.len() > 1 && lived.generator == "lattice");
}

/// A floor generated whole: its plan depends on the entrance, its rooms on the order of exploration.
#[test]
fn c3_p3_whole_floor_is_reproduced_from_its_moves() {
    let mut table = olad_in(23, &["south", "down", "west"]);
    explore(&mut table, 80);
    let lived = assert_replays(&table);
    assert_eq!(lived.level_type, "upper catacombs");
    assert!(lived.floors[0].rooms.len() > 20, "{}", lived.floors[0].rooms.len());
}

/// A rebuilt branch has a new id. All members of the old one, awake or not, are moved to its first room, and the same
/// moves generate the same rooms.
#[test]
fn c3_e42_e44_rebuilt_branch_keeps_members_and_rooms() {
    let mut table = olad_in(25, &["down", "north"]);
    for name in ["Bera", "Cato", "Dora"] {
        table.sit(name);
        table.types(name, "down");
    }
    table.types_all("Bera", &["north"]);
    table.types_all("Dora", &["north"]);
    table.make_owner("Cato");
    explore(&mut table, 5);
    let old = table.branch_of("Olad").expect("a member");
    let before = dump(&table, old);
    let seed = before.seed;
    table.break_link("Dora");
    table.hears("Olad");

    let answer = table.types("Cato", &format!("branch reset {old}"));
    let new = table.branch_of("Olad").expect("a member of the new branch");
    assert!(answer.contains(&format!("begins anew as branch {new}, from the same seed")), "{answer}");
    assert_ne!(new, old, "E42");
    assert!(table.hears("Olad").contains("laid anew"));
    let after = dump(&table, new);
    assert_eq!((after.seed, after.level_type.as_str(), after.floors[0].rooms.len()), (seed, "well", 1));
    for name in ["Olad", "Bera", "Dora"] {
        assert_eq!(
            (table.branch_of(name), table.body(name).room.0),
            (Some(new), after.floors[0].rooms[0].num)
        );
    }
    assert_eq!(
        (table.room("Cato").sheet.name.as_str(), table.branch_of("Cato")),
        ("Bottom of the Well", None)
    );
    table.types("Cato", "north");
    assert_eq!(table.branch_of("Cato"), Some(new), "the window is that of the new branch (E7)");

    table.waits(Span::mins(1));
    assert!(table.world().branches.get(old).is_none() && table.game().branch_dump(old).is_none());
    assert!(table.stored().rooms.values().all(|room| room.branch != Some(old)));
    table.restart();
    assert_eq!(table.branch_of("Olad"), Some(new));

    assert_same_moves(&mut table, &before);
}

/// Repeats the moves of a dump in Olad's branch, and compares the rooms.
fn assert_same_moves(table: &mut Table, before: &BranchDump) {
    let branch = table.branch_of("Olad").expect("a member");
    let made = before.floors.iter().flat_map(|floor| &floor.rooms).collect::<Vec<_>>();
    for room in made.iter().skip(1) {
        let by = room.made_by_exit.expect("a maker");
        let from = made.iter().find(|other| other.num == by.room).expect("the room it was made from");
        let at = deepwell::base::Point::new(from.x, from.y);
        let there = table.world().branches.room_at(branch, 1, at).expect("made already");
        walk_to(table, there);
        clear_room(table);
        table.types("Olad", by.dir.name());
        table.waits(Span::secs(1));
    }
    assert_eq!(dump(table, branch).moves, before.moves);
    let bytes = |dump: BranchDump| serde_json::to_string(&as_generated(dump)).expect("a dump is JSON");
    assert_eq!(bytes(dump(table, branch)), bytes(before.clone()), "byte for byte (C3)");
}

#[test]
fn branch_reset_is_refused_to_players_and_for_invalid_ids() {
    let mut table = olad_in(25, &["down", "north"]);
    let branch = table.branch_of("Olad").expect("a member");
    let reset = format!("branch reset {branch}");
    table.types("Olad", &reset);
    assert_eq!(table.branch_of("Olad"), Some(branch), "players cannot");
    table.sit("Cato");
    table.make_owner("Cato");
    assert!(table.types("Cato", "branch reset 999").contains("There is no branch 999."));
    assert!(table.types("Cato", "branch reset").contains("the number of a branch"));
    assert!(table.types("Cato", "branch renew 1").contains("collapse or reset"));
    assert_eq!(table.branch_of("Olad"), Some(branch));
    table.types("Cato", &reset);
    assert!(table.types("Cato", &reset).contains(&format!("There is no branch {branch}.")), "it is gone");

    table.types("Cato", "puzzle test myhero seed=2");
    table.types("Cato", "in");
    let trial = table.branch_of("Cato").expect("inside of a trial");
    let answer = table.types("Cato", &format!("branch reset {trial}"));
    assert!(answer.contains("all one can do is collapse it"), "{answer}");
    assert_eq!(table.branch_of("Cato"), Some(trial), "a trial has no start exit of the dungeon (H20)");
}
