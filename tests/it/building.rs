//! Building commands: the six-command dungeon of the design, and start exits with their own settings.

use crate::explorer::hero_opens;
use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::{Direction, Point, Span};
use deepwell::catalog::RoomKind;
use deepwell::game::Input;

/// Puts Olad, as owner, into the lodge, which has no dungeon yet.
fn builder() -> Table {
    let mut config = seeded(5);
    config.dungeon.reset_chance_permille = 0;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    table
}

const SIX_COMMANDS: [&str; 6] = [
    "dig well:start = down,up",
    "down",
    "open north;n:branch",
    "open east;e:branch",
    "open south;s:branch",
    "open west;w:branch",
];

/// E5, E52, E53, E54: six commands make a working dungeon; every compass exit leads into a branch.
#[test]
fn six_commands_build_a_working_dungeon() {
    for spelling in ["", "@"] {
        for direction in Direction::PLANE {
            let mut table = builder();
            let before = table.world().start_tasks.len();
            for command in SIX_COMMANDS {
                table.types("Olad", &format!("{spelling}{command}"));
            }
            let well = table.body("Olad").room;
            assert_eq!(
                (table.room("Olad").sheet.name.as_str(), table.room("Olad").sheet.kind),
                ("well", RoomKind::Start)
            );
            let tasks = &table.world().start_tasks[well];
            assert_eq!(table.world().start_tasks.len(), before + 1, "E52");
            assert!(tasks.next_reset_at > table.now() && tasks.next_check_at > table.now(), "E52");
            table.types("Olad", direction.letter());
            assert_eq!(table.room("Olad").at, Point::ORIGIN.step(direction));
            assert_eq!(table.branch("Olad").start_room, well);
            table.types("Olad", direction.opposite().name());
            assert_eq!(table.body("Olad").room, well);
            table.types("Olad", "up");
            assert_eq!(table.room("Olad").sheet.name, "Climbers' Lodge");
        }
    }
}

/// E53: built rooms persist over a restart.
#[test]
fn built_rooms_survive_a_restart() {
    let mut table = builder();
    table.types_all("Olad", &SIX_COMMANDS);
    table.types("Olad", "describe here = Water drips from a broken bucket.");
    table.restart();
    let view = table.types("Olad", "look");
    assert!(view.starts_with("well\nWater drips from a broken bucket."), "{view}");
    table.types("Olad", "south");
    assert_eq!(table.room("Olad").at, Point::new(0, -1));
}

/// E38: two start exits with different generators generate different kinds of rooms.
#[test]
fn start_exits_use_their_own_generators() {
    let mut table = builder();
    table.types_all("Olad", &SIX_COMMANDS);
    table.types("Olad", "set west generator = corridor");
    table.becomes("Olad", 9_999, 999);
    let well = table.body("Olad").room;
    let mut kinds = Vec::new();
    for way in ["east", "west"] {
        table.types("Olad", way);
        hero_opens(&mut table, "Olad", 12);
        let branch = table.branch("Olad").clone();
        let corridors = table
            .rooms_of(branch.id)
            .into_iter()
            .filter(|room| table.world().rooms[*room].sheet.kind == RoomKind::Corridor)
            .count();
        kinds.push((branch.generator, corridors > 0));
        table.types("Olad", &format!("goto #{well}"));
    }
    assert_eq!(kinds, [("frontier".to_owned(), false), ("corridor".to_owned(), true)]);
}

/// E4: settings of a start exit shape its branches: six unexplored exits give many dead ends, one gives none.
#[test]
fn start_exit_settings_change_branch_shape() {
    let mut table = builder();
    table.types_all("Olad", &SIX_COMMANDS);
    for line in ["set west max_unexplored_exits = 1", "set west max_new_exits_per_room = 1"] {
        table.types("Olad", line);
    }
    table.types("Olad", "set east max_unexplored_exits = 6");
    table.becomes("Olad", 9_999, 999);
    let well = table.body("Olad").room;
    let mut dead_ends = Vec::new();
    for way in ["east", "west"] {
        table.types("Olad", way);
        hero_opens(&mut table, "Olad", 40);
        let branch = table.branch("Olad").id;
        let rooms = table.rooms_of(branch);
        let dead = rooms.iter().filter(|room| table.world().exits.of(**room).count() == 1).count();
        dead_ends.push(dead);
        table.types("Olad", &format!("goto #{well}"));
    }
    assert!(dead_ends[0] >= 4 && dead_ends[1] == 0, "{dead_ends:?}");
}

/// Players cannot build, and builders cannot build in a branch.
#[test]
fn building_needs_builder_role_and_a_hand_built_room() {
    let mut table = builder();
    table.sit("Bera");
    let rooms = table.world().rooms.len();
    assert!(table.types("Bera", "dig Cellar = cellar").contains("There is no command"));
    table.types_all("Olad", &["south", "down", "east"]);
    assert!(table.types("Olad", "dig Cellar = cellar").contains("belongs to a branch"));
    assert_eq!(table.world().rooms.len(), rooms + 1, "only the room of the branch");
    table.types("Olad", "promote bera builder");
    table.types("Bera", "dig Cellar = cellar, out");
    table.types("Bera", "cellar");
    assert_eq!(table.room("Bera").sheet.name, "Cellar");
}

/// A refused command changes nothing: it leaves no unconnected room and no two exits of the same name.
#[test]
fn refused_building_commands_change_nothing() {
    let mut table = builder();
    let (rooms, exits) = (table.world().rooms.len(), table.world().exits.len());
    for (line, message) in [
        ("dig Cellar = cellar:gate, out", "There is no exit kind \"gate\""),
        ("dig Cellar = west:branch", "Branch exits belong into a start room"),
        ("dig Cellar = hatch;s, out", "There is an exit \"s\" here already"),
        ("dig Cellar = hatch, out:gate", "There is no exit kind \"gate\""),
        ("dig Cellar:cave = hatch", "There is no room kind \"cave\""),
        ("dig Cellar = , out", "Type dig NAME = EXIT, RETURN."),
        ("tunnel south = Cellar", "There is an exit \"south\" here already"),
    ] {
        let reply = table.types("Olad", line);
        assert!(reply.contains(message), "{line}: {reply}");
        assert_eq!((table.world().rooms.len(), table.world().exits.len()), (rooms, exits), "{line}");
    }
    table.types("Olad", "dig Cellar = hatch, out");
    assert!(table.types("Olad", "name hatch = south").contains("already"));
    table.types("Olad", "name hatch = down;d;trapdoor");
    assert!(table.exit("Olad", Direction::Down).unwrap().all_aliases().eq(["trapdoor", "d"]));
}

/// A5: commands of staff are audited at every rank. Promotions are announced in correct English.
#[test]
fn promotions_are_announced_and_staff_commands_audited() {
    let mut table = builder();
    table.sit("Bera");
    assert_eq!(table.types("Olad", "promote bera admin"), "Bera is an admin now.");
    assert_eq!(table.hears("Bera").lines().last(), Some("You are an admin now."));
    table.types("Olad", "promote bera helper");
    table.types("Bera", "announce Soup is ready.");
    let written: Vec<&str> = table.stored().audit.values().map(|record| record.action.as_str()).collect();
    assert_eq!(written.last(), Some(&"announce Soup is ready."));
    let before = written.len();
    table.step(Input::StorageReadOnly(true));
    assert!(table.types("Bera", "announce Soup is cold.").contains("cannot write"));
    table.types("Olad", "shutdown 60");
    assert_eq!(table.stored().audit.len(), before, "O3");
}

/// Names may contain colons, an environment is a single word, and an empty branch list says so.
#[test]
fn names_with_colons_are_kept_and_bad_values_refused() {
    let mut table = builder();
    table.types("Olad", "name here = Lodge: the warm one;warm");
    assert_eq!(
        (table.room("Olad").sheet.name.as_str(), &*table.room("Olad").sheet.aliases),
        ("Lodge: the warm one", &vec!["warm".to_owned()])
    );
    assert!(table.types("Olad", "set here environment = two words").contains("one word"));
    assert_eq!(table.room("Olad").sheet.environment, "indoors");
    assert_eq!(table.types("Olad", "branch list"), "No branch is open.");
}

/// E4, E46, E47: a start exit can override window, reset chance and maximum life; other exits keep the server's
/// defaults.
#[test]
fn start_exit_intervals_override_server_defaults() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "down");
    for line in ["set east window = 600", "set east reset_chance = 100", "set east max_life = 7200"] {
        assert!(table.types("Olad", line).contains(" now."), "{line}");
    }
    let sheet = table.types("Olad", "examine east");
    assert!(sheet.contains("window: 10 minutes") && sheet.contains("reset_chance: 100 percent"), "{sheet}");
    assert!(table.types("Olad", "set east window = 0").contains("from 1s to"));
    table.sit("Bera");
    table.types("Bera", "down");
    table.types("Olad", "east");
    table.types("Bera", "west");
    let (own, plain) = (table.branch("Olad").clone(), table.branch("Bera").clone());
    assert_eq!(own.window_ends_at.since(own.opened_at), Span::mins(10), "E7");
    assert_eq!(plain.window_ends_at.since(plain.opened_at), Span::mins(5));
    table.waits(Span::mins(9));
    assert!(table.world().branches[own.id].window_open, "a tick has come, but the window is guaranteed");
    table.waits(Span::mins(2));
    assert!(!table.world().branches[own.id].window_open, "E46");
    table.waits(Span::mins(180));
    assert!(table.world().branches.get(own.id).is_none(), "E47: two hours are over");
    assert!(table.world().branches.get(plain.id).is_some(), "E47: a week is not");
}

/// A room is named in the same way in every building command: `here`, its number, its name, or `ZONE/KEY`.
#[test]
fn rooms_are_named_in_the_same_way_in_every_command() {
    let mut shop = Workshop::with_mill();
    shop.types_all("Olad", &["up", "set here key = loft", "down"]);
    let loft = shop.table.world().rooms.of_key("mill", "loft").expect("a room");
    let names = [format!("#{loft}"), "mill loft".to_owned(), "mill/loft".to_owned()];
    let lines = [
        "name ROOM = Mill Loft;high loft",
        "describe ROOM = Dusty.",
        "set ROOM environment = wood",
        "set ROOM description = Dustier.",
        "set ROOM name = Mill Loft",
        "set ROOM",
        "tag ROOM = dusty",
        "shop ROOM = none",
        "preview ROOM",
        "journal ROOM",
        "open chute = ROOM",
        "link chute = ROOM",
        "destroy chute",
        "goto ROOM",
        "goto Mill Floor",
    ];
    for name in &names {
        for line in lines {
            let line = line.replace("ROOM", name);
            let answer = shop.types("Olad", &line);
            let first = answer.lines().next().unwrap_or_default();
            for no in ["There is no", "Type "] {
                assert!(!first.contains(no), "{line}: {answer}");
            }
        }
    }
    assert_eq!(shop.table.world().rooms[loft].sheet.description, "Dustier.");
}

/// `at` carries out every building command in another room, as if it were typed there; `undo` takes it back.
#[test]
fn at_carries_out_building_commands_in_another_room() {
    let mut shop = Workshop::with_mill();
    shop.types_all("Olad", &["up", "set here key = loft", "down"]);
    let floor = shop.table.room("Olad").id;
    for line in [
        "at mill/loft detail beam = It is worm-eaten.",
        "at mill/loft trigger say beam = tell It creaks.",
        "at mill/loft spawn rat = 1 every 600",
        "at mill/loft dig Gable = gable, back",
        "at mill/loft set here dark = yes",
    ] {
        let before = shop.exported("mill");
        let answer = shop.types("Olad", line);
        assert!(!answer.contains("There is no") && !answer.contains("Type "), "{line}: {answer}");
        assert_ne!(shop.exported("mill"), before, "{line}");
        assert_eq!(shop.table.room("Olad").id, floor, "the builder stays");
        shop.types("Olad", "undo");
        assert_eq!(shop.exported("mill"), before, "{line}");
    }
    let answer = shop.types("Olad", "journal mill/loft");
    assert!(answer.contains("Olad: detail beam = It is worm-eaten."), "{answer}");
    for (line, refusal) in [
        ("at mill/loft check all", "at is for commands that build. Type check without it."),
        ("at mill/loft find rat", "at is for commands that build. Type find without it."),
        ("at mill/loft journal here", "at is for commands that build. Type journal without it."),
        ("at mill/loft", "Type at, a room such as #12 or mill/loft, and a building command"),
        ("at nowhere detail beam = It is.", "There is no room called \"nowhere\"."),
        ("at mill/loft detail beam", "Type detail WORD = TEXT"),
        ("at mill/loft get lamp", "There is no command \"get\""),
        ("at mill/loft at mill/loft tag here = dusty", "There is no command \"at\""),
    ] {
        let answer = shop.types("Olad", line);
        assert!(answer.contains(refusal), "{line}: {answer}");
    }
}
