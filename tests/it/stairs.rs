//! Stairs and floors: placement, access, effects, and memory of rooms.

use crate::explorer::{guarded, opens_another_room, unblocks_the_room, ways};
use crate::style_words::style_of;
use crate::table::{Table, changed_content, seeded};
use deepwell::base::{Direction, ItemId, PartyId, Point, RoomId, Seed, Span};
use deepwell::catalog::{BUILTIN, RoomFeature};
use deepwell::dungeon::{BranchSpec, Frontier};
use deepwell::text::Style;
use deepwell::tools::verify::{Extent, verify};
use deepwell::world::{Exit, ExitKind, ExitState, Item, LootRule, Party, Place};
use std::collections::BTreeMap;

/// A world where the first room at depth 2 has the stairs, without puzzle gates.
fn with_close_stairs(seed: u64) -> Table {
    let shipped = |file| BUILTIN.iter().find(|(path, _)| *path == file).expect("a shipped file").1;
    let level = shipped("levels/well.toml");
    let (theme, _) =
        shipped("themes/well.toml").split_once("\n# Puzzles behind gates").expect("a list of puzzles");
    let close = level.replacen("least_depth = 5", "least_depth = 2", 1);
    assert_ne!(close, level, "the 5 is a setting");
    Table::with_content(
        seeded(seed),
        &changed_content(&[("levels/well.toml", &close), ("themes/well.toml", theme)]),
    )
}

/// Returns the room with stairs down on the player's floor.
fn stairs_of(table: &Table, who: &str) -> Option<RoomId> {
    let floor = table.room(who).floor;
    let rooms = table.rooms_of(table.branch_of(who).expect("a member of a branch"));
    let on_floor = rooms.into_iter().filter(|room| table.world().rooms[*room].floor == floor);
    let stairs: Vec<RoomId> =
        on_floor.filter(|room| table.world().exits.of(*room).any(Exit::is_stairs_down)).collect();
    assert!(stairs.len() <= 1, "T1: one stairs on a floor");
    stairs.first().copied()
}

/// Kills the player's opponents and the guards of the room.
fn clear_room(table: &mut Table, who: &str) {
    while table.body(who).target.is_some() || guarded(table.world(), table.room(who)) {
        if table.body(who).target.is_none() {
            table.types(who, "kill");
        }
        table.waits(Span::secs(3));
    }
}

/// Walks to a room of the same floor, killing creatures on the way.
fn walk_to(table: &mut Table, who: &str, to: RoomId) {
    while table.body(who).room != to {
        clear_room(table, who);
        let way = ways(table.world(), table.body(who).room).remove(&to).expect("a way over explored exits");
        table.types(who, way[0].name());
    }
}

/// Explores until the stairs are found, goes there and clears the room.
fn find_stairs(table: &mut Table, who: &str) -> RoomId {
    while stairs_of(table, who).is_none() {
        clear_room(table, who);
        assert!(opens_another_room(table, who), "E58: there is a way on");
    }
    let stairs = stairs_of(table, who).expect("stairs were found");
    walk_to(table, who, stairs);
    clear_room(table, who);
    unblocks_the_room(table, who);
    while table.body(who).trainings > 0 {
        table.types(who, "train strength");
    }
    stairs
}

/// Olad, who kills with one blow, in the room with the stairs of the first floor.
fn olad_at_the_stairs(seed: u64) -> (Table, RoomId) {
    let mut table = Table::new(seeded(seed));
    table.sit("Olad");
    table.becomes("Olad", 99_999, 9_999);
    table.types_all("Olad", &["down", "north"]);
    let stairs = find_stairs(&mut table, "Olad");
    (table, stairs)
}

/// The same with stairs at depth 2.
fn olad_at_close_stairs(seed: u64) -> (Table, RoomId) {
    let mut table = with_close_stairs(seed);
    table.sit("Olad");
    table.becomes("Olad", 99_999, 9_999);
    table.types_all("Olad", &["down", "north"]);
    let stairs = find_stairs(&mut table, "Olad");
    (table, stairs)
}

/// The first room at depth 5 or more has the stairs; they are in its text, in `exits`, in the dump and in map data.
#[test]
fn t1_first_deep_room_has_the_stairs() {
    for seed in 1..4 {
        let (mut table, stairs) = olad_at_the_stairs(seed);
        let branch = table.branch_of("Olad").expect("a member");
        let rooms = table.rooms_of(branch);
        let deep = rooms.iter().filter(|room| table.world().rooms[**room].depth >= 5).min();
        assert_eq!(deep, Some(&stairs), "T1: rooms are numbered in the order of their making");
        let look = table.types("Olad", "look");
        assert!(look.contains("Stairs lead down from here to dungeon level 2."), "{look}");
        assert!(look.lines().any(|line| line.starts_with("Exits: ") && line.ends_with("down")), "{look}");
        assert!(table.types("Olad", "exits").contains("down: stairs down to dungeon level 2, where none"));
        let tags = |table: &Table| {
            let dump = table.game().branch_dump(branch).expect("a living branch");
            let rooms = dump.floors.into_iter().flat_map(|floor| floor.rooms);
            rooms
                .filter(|room| room.tags.iter().any(|tag| tag == "stairs"))
                .map(|r| r.num)
                .collect::<Vec<_>>()
        };
        assert_eq!(tags(&table), [stairs.0]);
        table.charts("Olad");
        let chart = table.charted("Olad").pop().expect("Room.Info");
        assert!(chart.details.contains(&"stairs".to_owned()));
        assert_eq!((chart.exitsv2["d"].num, chart.exitsv2["d"].state.as_str()), (-1, "unexplored"));
        for _ in 0..10 {
            clear_room(&mut table, "Olad");
            opens_another_room(&mut table, "Olad");
        }
        assert_eq!(tags(&table), [stairs.0], "T1: and no other room");
    }
}

/// Every synonym leads down at the stairs, and is refused elsewhere.
#[test]
fn t2_every_descend_synonym_works_only_at_stairs() {
    let (mut table, stairs) = olad_at_close_stairs(1);
    for word in ["down", "d", "descend", "<", ">"] {
        let read = table.types("Olad", word);
        assert_eq!(table.room("Olad").floor, 2, "{word}: {read}");
        let read = table.types("Olad", word);
        assert!(read.contains("There are no stairs down here."), "{word}: {read}");
        assert_eq!(
            table.types("Olad", "down").lines().next(),
            Some("You can't go that way. There are no stairs down here.")
        );
        table.types("Olad", "up");
        assert_eq!(table.body("Olad").room, stairs, "up leads back to that very room");
    }
    table.types("Olad", "recall");
    table.types("Olad", "descend");
    assert_eq!(
        table.room("Olad").sheet.name,
        "Bottom of the Well",
        "hand-built ways down are no stairs, but lead down"
    );
}

/// Descending restores half of the maximum hit points, capped; two lines describe it, and the floor is new.
#[test]
fn t3_descending_restores_half_of_hit_points() {
    let (mut table, stairs) = olad_at_close_stairs(2);
    let id = table.body("Olad").id;
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&id).expect("a stored body");
        (body.hp, body.max_hp) = (1, 30);
    });
    let rooms = table.branch("Olad").rooms_made;
    let read = table.types("Olad", "down");
    assert_eq!(table.prompt("Olad").hp, 16, "1/30 -> 16/30: {read}");
    let lines: Vec<&str> = read.lines().collect();
    assert!(lines[0].contains("for a moment") && lines[0].contains("16 of 30"), "{read}");
    assert!(lines[1].contains("After this moment of peace") && lines[1].contains("deeper"), "{read}");
    assert!(lines[1].ends_with("Dungeon level 2."), "T5: {read}");
    let styles = ["for a moment", "After this moment"].map(|phrase| style_of(table.tape(), phrase));
    assert_eq!(styles, [Some(Style::Boon), Some(Style::Harm)], "T3: green, then red");
    assert_eq!((table.room("Olad").floor, table.room("Olad").at), (2, Point::ORIGIN));
    assert_eq!(table.branch("Olad").rooms_made, rooms + 1, "P15: the floor came to be with the first use");
    table.types("Olad", "up");
    table.restart();
    let again = table.types("Olad", "down");
    assert_eq!(table.prompt("Olad").hp, 16, "up and down again heals nobody: {again}");
    assert!(!again.contains("16 of 30") && again.contains("Dungeon level 2."), "{again}");
    assert_eq!(table.branch("Olad").rooms_made, rooms + 1, "P15: later it is the same floor");
    assert!(table.world().exits.of(stairs).any(|exit| exit.to == Some(table.body("Olad").room)));
}

/// A player who descends later arrives in the same room.
#[test]
fn p15_e9_later_players_arrive_in_the_same_landing() {
    let mut table = with_close_stairs(3);
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.becomes(name, 99_999, 9_999);
    }
    table.types_all("Olad", &["down", "east"]);
    table.types_all("Bera", &["down", "east"]);
    let stairs = find_stairs(&mut table, "Olad");
    table.types("Olad", "down");
    clear_room(&mut table, "Bera");
    walk_to(&mut table, "Bera", stairs);
    clear_room(&mut table, "Bera");
    while table.body("Bera").trainings > 0 {
        table.types("Bera", "train agility");
    }
    let read = table.types("Bera", "d");
    assert_eq!(table.body("Bera").room, table.body("Olad").room, "{read}");
    assert!(table.hears("Olad").contains("Bera arrives from above."));
}

#[test]
fn t13_pending_choice_blocks_the_stairs() {
    let (mut table, stairs) = olad_at_close_stairs(4);
    let id = table.body("Olad").id;
    table.edit_stored(|stored| stored.characters.get_mut(&id).expect("a stored body").trainings = 1);
    let read = table.types("Olad", "down");
    assert!(read.contains("train constitution, strength, agility"), "{read}");
    assert_eq!(table.body("Olad").room, stairs);
    table.types("Olad", "train agility");
    table.types("Olad", "down");
    assert_eq!(table.room("Olad").floor, 2);
}

#[test]
fn e25_t3_stairs_are_blocked_until_room_is_clear() {
    let (mut table, stairs) = olad_at_close_stairs(5);
    table.edit_stored(|stored| {
        let room = stored.rooms.get_mut(&stairs).expect("a stored room");
        room.clear = false;
        room.challenge.feature = RoomFeature::portcullis(1);
    });
    let read = table.types("Olad", "down");
    assert!(read.contains("yet") && read.contains("bars the way"), "{read}");
    assert_eq!(table.room("Olad").floor, 1);
    table.types("Olad", "pull lever");
    table.types("Olad", "down");
    assert_eq!(table.room("Olad").floor, 2);
}

/// Two hundred floors, each with stairs and its own exit budget, and five more difficulty than the last; all survive a
/// restart.
#[test]
fn t4_t6_c5_e14_e58_two_hundred_floors_survive_a_restart() {
    let (mut table, _) = olad_at_close_stairs(6);
    table.checks_every(50);
    let branch = table.branch_of("Olad").expect("a member");
    for floor in 1..=200 {
        let room = table.room("Olad");
        let level = table.world().dungeon_level(room.id);
        assert_eq!((level, room.difficulty), (floor, room.depth + 5 * (floor - 1)), "C5");
        find_stairs(&mut table, "Olad");
        while !table.body("Olad").affects.is_empty() {
            table.waits(Span::secs(3));
        }
        let read = table.types("Olad", ">");
        assert!(read.contains(&format!("Dungeon level {}", floor + 1)), "{read}");
    }
    table.restart();
    assert_eq!(table.room("Olad").floor, 201, "T6");
    let index = table.world().branches.index_of(branch).expect("a living branch");
    assert_eq!(index.frontiers.len(), 201);
    assert_eq!(index.frontiers.values().filter(|floor| floor.has_stairs()).count(), 200, "T1, T6");
    assert!(
        index.frontiers.values().all(|floor| (1..=2).contains(&floor.open_count())),
        "E14, E58: each floor"
    );
    let score = table.types("Olad", "score");
    assert!(score.contains("Dungeon level 201\n"), "T5: {score}");
    assert!(score.contains("Deepest dungeon level of this branch: 201\n"), "E41: {score}");
    assert_eq!(table.prompt("Olad").floor, 201, "T5");
    let dump = table.game().branch_dump(branch).expect("a living branch");
    assert_eq!(dump.floors.len(), 201);
    assert_eq!(
        dump.floors[1].rooms[0].exits.iter().find(|exit| exit.dir == Direction::Up).map(|exit| exit.back),
        Some(true)
    );
}

/// The generator's verification holds across floors, with the shipped stairs depth.
#[test]
fn t1_e58_verification_holds_on_every_floor() {
    let catalog = &crate::table::CATALOG;
    for seed in 0..10 {
        let spec = BranchSpec::of(catalog, "well", Seed(seed));
        let violations = verify(&spec, catalog, Extent { rooms: 40, floors: 10, puzzles: false }).violations;
        assert!(violations.is_empty(), "{}", violations[0]);
    }
}

/// Stairs, floor and the exit back survive a restart, before and after descending.
#[test]
fn t6_stairs_survive_a_restart() {
    let (mut table, stairs) = olad_at_close_stairs(7);
    table.restart();
    assert_eq!(stairs_of(&table, "Olad"), Some(stairs), "T6");
    table.types("Olad", "down");
    table.restart();
    assert_eq!(table.room("Olad").floor, 2, "T6");
    assert!(table.types("Olad", "score").contains("Dungeon level 2"));
    table.types("Olad", "up");
    assert_eq!(table.body("Olad").room, stairs);
}

#[test]
fn c3_same_moves_give_the_same_floors() {
    let played = |crashes: bool| {
        let (mut table, _) = olad_at_close_stairs(8);
        for _ in 0..4 {
            table.types("Olad", "down");
            if crashes {
                table.restart();
            }
            find_stairs(&mut table, "Olad");
        }
        let dump = table.game().branch_dump(table.branch("Olad").id).expect("a living branch");
        let places = dump.floors.into_iter().flat_map(|floor| floor.rooms);
        places.map(|room| (room.x, room.y, room.name, room.tags)).collect::<Vec<_>>()
    };
    assert_eq!(played(false), played(true));
}

/// No exit but the stairs leads to a landing; it is empty, clear, and has an onward exit.
#[test]
fn t3_e20_landing_is_empty_and_clear() {
    for seed in 10..16 {
        let (mut table, _) = olad_at_close_stairs(seed);
        table.types("Olad", "down");
        let room = table.room("Olad");
        assert!(room.clear && room.depth == 0, "{room:?}");
        assert_eq!(table.world().occupants(room.id).len(), 1, "nobody waits there");
        let on = table.world().exits.of(room.id).filter(|exit| exit.state == ExitState::Unexplored).count();
        assert!((1..=2).contains(&on), "E14");
        let read = table.types("Olad", "look");
        assert!(read.contains("Stairs lead back up to dungeon level 1."), "{read}");
    }
}

/// Items and stairs of a visited room are remembered, and marked as such; later changes are not. A web hides them.
#[test]
fn t7_visited_rooms_are_remembered_as_last_seen() {
    let (mut table, stairs) = olad_at_close_stairs(9);
    let back = table.world().exits.of(stairs).find(|exit| exit.back).and_then(|exit| exit.direction);
    let back = back.expect("a way back");
    let lamp = drop_a_lamp(&mut table);
    table.types("Olad", back.name());
    clear_room(&mut table, "Olad");
    let there = back.opposite().name();
    let map = table.types("Olad", "map");
    assert!(map.contains("D is a room with stairs down."), "{map}");
    let line = map.lines().find(|line| line.contains("remembered:")).expect("a line of memory");
    assert!(line.contains("stairs down") && line.contains("clay lamp"), "{line}");
    let look = table.types("Olad", &format!("look {there}"));
    assert!(look.contains("Remembered: stairs down") && look.contains("a clay lamp"), "{look}");
    let path = table.types("Olad", "path stairs");
    assert!(path.contains(&format!("The way: {there}.")) && path.contains("remember"), "{path}");
    assert!(table.types("Olad", "path lamp").contains(&format!("The way: {there}.")));
    table.restart();
    table.edit_stored(|stored| {
        let item = stored.items.get_mut(&lamp).expect("the lamp");
        item.place = Place::Holder(stored.characters.values().next().expect("somebody").id);
    });
    assert!(table.types("Olad", &format!("look {there}")).contains("a clay lamp"), "a memory is no news");
    table.edit_stored(|stored| stored.rooms.get_mut(&stairs).expect("the room").web = true);
    let look = table.types("Olad", &format!("look {there}"));
    assert!(!look.contains("emembered") && !table.types("Olad", "map").contains("stairs down"), "{look}");
    assert!(table.types("Olad", "path stairs").contains("You know no way"));
}

/// Puts a lamp on the floor of Olad's room; returns its id.
fn drop_a_lamp(table: &mut Table) -> ItemId {
    let (room, now) = (table.body("Olad").room, table.now());
    let id = ItemId(table.world().meta().next_item);
    table.edit_stored(|stored| {
        stored.items.insert(id, Item::new(id, "clay_lamp", Place::Room(room), now));
        let meta = stored.meta.as_mut().expect("a world has its row");
        meta.next_item += 1;
        meta.stock.entry("clay_lamp".into()).or_default().made += 1;
    });
    id
}

#[test]
fn t7_memories_are_shown_in_screen_reader_mode() {
    let (mut table, stairs) = olad_at_close_stairs(9);
    let back = table.world().exits.of(stairs).find(|exit| exit.back).and_then(|exit| exit.direction);
    table.types("Olad", "config reader on");
    table.types("Olad", back.expect("a way back").name());
    clear_room(&mut table, "Olad");
    let map = table.types("Olad", "map");
    assert!(map.contains("Remembered: stairs down."), "{map}");
    walk_to(&mut table, "Olad", stairs);
    table.types("Olad", "down");
    let map = table.types("Olad", "map");
    assert!(map.contains("on dungeon level 2, at the foot of the stairs."), "{map}");
}

#[test]
fn e14_rebuilt_frontier_has_its_stairs() {
    let rebuilt = |stairs| Frontier::rebuild(2, [Point::ORIGIN], [(Point::ORIGIN, Direction::East)], stairs);
    assert!(rebuilt(true).has_stairs() && !rebuilt(false).has_stairs());
    assert_eq!(rebuilt(true).open_count(), 1, "the stairs are no part of the budget");
}

/// Stairs are an exit kind of their own, two-way, without destination until first used.
#[test]
fn t1_unused_stairs_have_no_destination() {
    let (mut table, stairs) = olad_at_close_stairs(1);
    let down = |table: &Table| table.world().exits.of(stairs).find(|exit| exit.is_stairs_down()).cloned();
    let before = down(&table).expect("stairs");
    assert_eq!((before.kind, before.state, before.to), (ExitKind::Stairs, ExitState::Open, None));
    table.types("Olad", "down");
    assert_eq!(down(&table).and_then(|exit| exit.to), Some(table.body("Olad").room));
}

/// The party follows when its leader descends. Members in combat or with a pending choice are named, stay, and may
/// follow later. Other members descend alone.
#[test]
fn t3_party_descends_with_its_leader() {
    let mut table = with_close_stairs(3);
    let names = ["Olad", "Bera", "Cole", "Dara"];
    for name in names {
        table.sit(name);
        table.becomes(name, 99_999, 9_999);
    }
    table.types_all("Olad", &["down", "east"]);
    let stairs = find_stairs(&mut table, "Olad");
    let branch = table.branch_of("Olad");
    let ids = names.map(|name| table.body(name).id);
    let (party, now) = (PartyId(table.world().meta().next_party), table.now());
    table.edit_stored(|stored| {
        for id in ids {
            let body = stored.characters.get_mut(&id).expect("a stored body");
            (body.room, body.branch, body.trainings) = (stairs, branch, 0);
            (body.hp, body.hp_at, body.max_hp) = (10, now, 30);
        }
        stored.characters.get_mut(&ids[2]).expect("Cole").trainings = 1;
        stored.parties.insert(
            party,
            Party {
                id: party,
                leader: ids[0],
                members: ids[..3].to_vec(),
                invited: BTreeMap::new(),
                loot: LootRule::default(),
                turn: 0,
                coin_turn: 0,
                rolls: Vec::new(),
                created_at: now,
            },
        );
        stored.meta.as_mut().expect("a world has its row").next_party += 1;
    });
    let bera = table.types("Bera", "down");
    assert!(bera.contains("After this moment of peace") && bera.contains("25 of 30"), "each rests: {bera}");
    assert_eq!((table.room("Bera").floor, table.room("Olad").floor), (2, 1), "Bera does not lead");
    table.types("Bera", "up");
    for name in names {
        table.hears(name);
    }
    let read = table.types("Olad", "down");
    let cole = read.lines().find(|line| line.starts_with("Cole") && line.contains("stays behind"));
    assert!(cole.is_some_and(|line| line.contains("train")), "{read}");
    assert!(!read.contains("Dara"), "who is no member is not missed: {read}");
    let floors = names.map(|name| table.room(name).floor);
    assert_eq!(floors, [2, 2, 1, 1]);
    let bera = table.hears("Bera");
    assert!(read.contains("25 of 30") && !bera.contains("of 30"), "each rests once: {read}\n{bera}");
    let cole = table.hears("Cole");
    assert!(cole.contains("Olad") && cole.contains("without you"), "{cole}");
    table.types_all("Cole", &["train strength", "down"]);
    assert_eq!(table.body("Cole").room, table.body("Olad").room, "and follows later");
}
