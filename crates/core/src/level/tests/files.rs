//! Level files: parsing, and errors with their positions. Also single rooms of floors that grow.

use crate::base::{Direction, Point, Seed};
use crate::data::FileValue;
use crate::level::tests::{AsNamed, CATACOMBS, CRYPT, floor, read};
use crate::level::*;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the errors found in a level file.
fn mistakes(text: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    LevelType::read("levels/test.toml", text, &builtin_parts(), &mut mistakes);
    mistakes.sort();
    mistakes.iter().map(ToString::to_string).collect()
}

/// Returns the crypt's level file with one passage replaced.
fn changed(from: &str, to: &str) -> String {
    assert!(CRYPT.contains(from), "{from}");
    CRYPT.replacen(from, to, 1)
}

fn only(text: &str, expected: &str) {
    let found = mistakes(text);
    assert!(found.len() == 1 && found[0].contains(expected), "{found:#?}\nexpected {expected}");
}

/// P24: size, materials and level types of the context match the file, and so do the values that parts read from it.
#[test]
fn context_is_read_from_file() {
    let kind = read(CRYPT);
    let expected = Context {
        new_portals: 0,
        room_min_size: (2, 2),
        size: (80, 60),
        rooms: Context::ROOMS,
        ground: Material::from("natural"),
        wall: Material::from("natural"),
        level_types: vec!["upper crypt".to_owned()],
        params: BTreeMap::new(),
    };
    assert_eq!(*kind.context, expected);
    assert_eq!((kind.name.as_str(), kind.theme.as_str()), ("upper crypt", "crypt"));
    only(
        &changed("size = [80, 60]", "size = [80]"),
        "levels/test.toml:7:8: `size` does not fit, expected two whole numbers from 1 to 1000",
    );
    only(
        &changed("size = [80, 60]", "size = [80, 0]"),
        "`size` does not fit, expected two whole numbers from 1",
    );
    assert_eq!(read(CATACOMBS).context.rooms, (34, 60));
    only(&CATACOMBS.replace("rooms = [34, 60]", "rooms = [34, 0]"), "`rooms` does not fit");
    only(&changed("[\"upper crypt\"]", "[\"lower crypt\"]"), "does not name `upper crypt` itself");
}

/// P25: each of the seven blocks is required, and the error names the missing block; two blocks may not be empty.
#[test]
fn missing_block_is_reported() {
    for block in ["partitioners", "rooms", "decorators", "portals", "creatures", "items"] {
        let kept: Vec<&str> =
            CRYPT.split("\n\n").filter(|part| !part.contains(&format!("[[{block}"))).collect();
        only(
            &kept.join("\n\n"),
            &format!("levels/test.toml:1:1: `{block}` is missing, expected a list of tables"),
        );
        let empty =
            kept.join("\n\n").replace("theme = \"crypt\"", &format!("theme = \"crypt\"\n{block} = []"));
        match block {
            "partitioners" | "rooms" => only(&empty, &format!("`{block}` has nothing for this level type")),
            _ => assert_eq!(mistakes(&empty), Vec::<String>::new()),
        }
    }
    let kept: Vec<&str> = CRYPT.split("\n\n").filter(|part| !part.contains("[context")).collect();
    only(&kept.join("\n\n"), "`context` is missing, expected a table");
}

/// P1, P25: an unknown part is reported with its position, the known parts and the nearest match; its other keys are
/// not reported.
#[test]
fn unknown_part_is_reported_with_nearest_name() {
    only(
        &changed("part = \"grid\"", "part = \"gird\""),
        "levels/test.toml:15:8: unknown partitioner `gird`, expected one of binary, grid",
    );
    let found = mistakes(&changed("part = \"grid\"", "part = \"gird\""));
    assert!(found[0].ends_with("did you mean `grid`?"), "{found:?}");
    only(
        &changed("part = \"square\"", "part = \"sqare\""),
        "unknown room generator `sqare`, expected one of cavern",
    );
    only(&changed("part = \"walls\"", "part = \"wall\""), "unknown decorator `wall`");
    only(&changed("part = \"stairs\"", "part = \"stair\""), "unknown portal adder `stair`");
    only(&changed("part = \"perils\"", "part = \"peril\""), "unknown creature adder `peril`");
    only(&changed("part = \"square\"\n", ""), "`part` is missing, expected the name of a room generator");
}

/// Wrong ranges, unknown keys and unsuitable names are all reported in one run.
#[test]
fn errors_within_parts_are_reported() {
    only(
        &changed("x_sections = 4", "x_sections = 0"),
        "`x_sections` does not fit, expected a whole number from 1 to 20",
    );
    only(&changed("x_sections", "x_section"), "unknown key `x_section`");
    only(&changed("least = 4\nmost = 8", "least = 4\nmost = 3"), "`most` is 3 and below `least`");
    only(&changed("place = \"anywhere\"", "place = \"everywhere\""), "unknown place `everywhere`");
    only(&changed("creature = \"spider\"\n", ""), "`creature` is missing, expected the key of a creature");
    only(&changed("class = \"weapon\"\n", ""), "`class` or `item` has to be there");
    only(&changed("percent = 75", "percent = 101"), "`percent` does not fit");
    only(
        &CATACOMBS.replace("chance = 25", "chance = 0"),
        "`chance` does not fit, expected a whole number from 1 to 100",
    );
    only(&CATACOMBS.replace("level_type = \"upper crypt\"\n", ""), "`level_type` is missing");
    only(&changed("theme = \"crypt\"\n", ""), "`theme` is missing");
    let both = changed("x_sections = 4", "x_sections = 0").replace("percent = 75", "percent = 101");
    assert_eq!(mistakes(&both).len(), 2);
    assert_eq!(mistakes("name = \n").len(), 1);
}

/// P29: a part for other level types is left out; a block that ends up without parts is an error.
#[test]
fn part_for_other_level_types_is_left_out() {
    let mine = "part = \"square\"\nlevel_types = [\"upper crypt\"]";
    let theirs = "part = \"square\"\nlevel_types = [\"lower crypt\"]";
    let kind = read(&changed(mine, theirs));
    assert_eq!((read(CRYPT).rooms.len(), kind.rooms.len()), (2, 1));
    only(
        &CRYPT.replace(mine, theirs),
        "`rooms` has nothing for this level type, expected at least one room generator",
    );
    let named = |what: LevelReferent| {
        let names = kind.references.iter().filter(|reference| reference.what == what);
        names.map(|reference| reference.name.as_str()).collect::<BTreeSet<_>>()
    };
    assert_eq!(named(LevelReferent::LevelType), BTreeSet::from(["upper crypt", "lower crypt"]));
}

/// References to names defined elsewhere carry their positions.
#[test]
fn references_carry_positions() {
    let kind = read(CATACOMBS);
    let places: Vec<String> = kind
        .references
        .iter()
        .filter(|reference| reference.what != LevelReferent::LevelType || reference.name == "upper crypt")
        .map(|reference| format!("{:?} {} {}", reference.what, reference.name, reference.place.line))
        .collect();
    let line = |text: &str| CATACOMBS.lines().position(|line| line == text).unwrap() + 1;
    assert_eq!(
        places,
        [
            format!("Theme catacombs {}", line("theme = \"catacombs\"")),
            format!("LevelType upper crypt {}", line("level_type = \"upper crypt\"")),
            format!("Creature spider {}", line("creature = \"spider\"")),
            format!("ItemClass potion {}", line("class = \"potion\"")),
            format!("ItemClass food {}", line("class = \"food\"")),
        ]
    );
}

/// P26: adding a file adds a level type without recompiling.
#[test]
fn new_level_type_needs_only_a_file() {
    let text = CRYPT
        .replace("upper crypt", "cellar")
        .replace(
            "part = \"grid\"\nx_sections = 4\ny_sections = 3",
            "part = \"binary\"\nwidth = 9\nheight = 9",
        )
        .replace("\"square\"", "\"pillared\"");
    let plan = floor(&read(&text), 1);
    assert_eq!((plan.level_type.as_str(), plan.steps[1].as_str()), ("cellar", "partition: binary"));
    assert_eq!(plan.rooms[&plan.arrival].space.shape, "pillared");
}

/// P28: `params` takes any key for parts to read, but no fractions or dates.
#[test]
fn params_accept_any_key() {
    let params =
        "[context.params]\nfog = \"thick\"\ndepth = -3\ndamp = true\nlist = [1, \"b\"]\nmore = { a = 1 }";
    let kind = read(&changed("[context.params]", params));
    let params = &kind.context.params;
    assert_eq!(params["fog"].text(), Some("thick"));
    assert_eq!(params["depth"].number(), Some(-3));
    assert_eq!(params["damp"].truth(), Some(true));
    assert_eq!(params["list"], FileValue::List(vec![FileValue::Number(1), FileValue::Text("b".to_owned())]));
    assert_eq!(params["more"], FileValue::Table(BTreeMap::from([("a".to_owned(), FileValue::Number(1))])));
    only(
        &changed("[context.params]", "[context.params]\nhalf = 0.5"),
        "`half` does not fit, expected texts, whole numbers",
    );
}

/// P31: the built-in parts.
#[test]
fn builtin_parts_are_listed() {
    let registry = builtin_parts();
    let names = registry.names();
    let has = |block: &str, parts: &[&str]| parts.iter().all(|part| names[block].contains(part));
    assert!(has("partitioners", &["grid", "binary"]), "{names:?}");
    assert!(has("rooms", &["square", "round", "pillared", "cavern"]), "{names:?}");
    assert!(has("decorators", &["replace", "walls", "aggregate"]), "{names:?}");
    assert!(has("portals", &["stairs", "portal"]), "{names:?}");
    assert!(has("creatures", &["spread", "perils"]) && has("items", &["spread"]), "{names:?}");
}

/// Returns the crypt with other portals and section size: the parts of a level type that grows.
fn growing(portals: &str) -> LevelType {
    let (head, rest) = CRYPT.split_once("[[portals]]").unwrap();
    let (_, tail) = rest.split_once("[[creatures]]").unwrap();
    let text = format!("{head}{portals}\n\n[[creatures]]{tail}");
    read(&text.replace("size = [80, 60]", "size = [20, 12]"))
}

fn asked<'a>(seed: u64, ways: &'a [Direction], used: &'a UsedLimits) -> RoomRequest<'a> {
    let at = Point::new(-3, 8);
    RoomRequest { seed: Seed(seed), at, ways, depth: 5, dungeon_level: 2, stairs: Stairs::Drawn, used }
}

/// R13, E13: a room of a growing floor has the given exits, walls on its other sides, a size, and the contents added by
/// the other parts.
#[test]
fn single_room_uses_all_pipeline_steps() {
    let (kind, none) = (growing("[[portals]]\npart = \"stairs\"\nleast_depth = 6"), UsedLimits::new());
    let mut floors = BTreeSet::new();
    for seed in 0..60 {
        let ways = [Direction::South, Direction::East, Direction::Up];
        let room = sketch_room(&kind, &asked(seed, &ways, &none), AsNamed::SOURCES);
        assert_eq!((room.at, room.role), (Point::new(-3, 8), RoomRole::Section(0)));
        assert_eq!(room.exits, BTreeSet::from([Direction::South, Direction::East]));
        let walls = room.space.walls.iter().map(|(side, wall)| (*side, wall.as_str()));
        assert_eq!(walls.collect::<Vec<_>>(), [(Direction::North, "rock"), (Direction::West, "rock")]);
        assert!((4..=18).contains(&room.space.width) && (2..=12).contains(&room.space.length), "{room:?}");
        assert!((4..=8).contains(&room.creatures.len()) && room.portal.is_none(), "{room:?}");
        assert_eq!(room, sketch_room(&kind, &asked(seed, &ways, &none), AsNamed::SOURCES));
        floors.insert(room.space.ground);
    }
    assert_eq!(floors.into_iter().collect::<Vec<_>>(), ["brick", "rock"]);
}

/// T1, R14: stairs of a growing floor are placed at a depth, by chance, or where the layout requires them.
#[test]
fn growing_floor_places_stairs_by_depth_chance_or_layout() {
    let none = UsedLimits::new();
    let share = |kind: &LevelType, depth: u32, stairs: Stairs| {
        let rooms = (0..1_000).map(|seed| {
            let request = RoomRequest { depth, stairs, ..asked(seed, &[Direction::North], &none) };
            sketch_room(kind, &request, AsNamed::SOURCES)
        });
        rooms.filter(|room| room.portal.as_ref().is_some_and(|p| p.direction == Direction::Down)).count()
    };
    let deep = growing("[[portals]]\npart = \"stairs\"\nleast_depth = 5");
    assert_eq!([share(&deep, 4, Stairs::Drawn), share(&deep, 5, Stairs::Drawn)], [0, 1_000]);
    assert_eq!([share(&deep, 5, Stairs::Another), share(&deep, 5, Stairs::Never)], [0, 0]);
    assert_eq!(share(&deep, 0, Stairs::Surely), 1_000);
    let lucky = growing("[[portals]]\npart = \"stairs\"\nchance = 10");
    for stairs in [Stairs::Drawn, Stairs::Another] {
        let found = share(&lucky, 1, stairs);
        assert!((70..=130).contains(&found), "{found}");
    }
    assert_eq!(share(&lucky, 1, Stairs::Never), 0);
}

/// P30: a unique portal is not placed in a branch that already has it.
#[test]
fn unique_portal_is_not_repeated_on_growing_floor() {
    let rule = "[[portals]]\npart = \"portal\"\nlevel_type = \"vault\"\nunique = true";
    let kind = growing(rule);
    let (none, mut used) = (UsedLimits::new(), UsedLimits::new());
    used.note_portal(&Portal { unique: true, ..Portal::down("vault") });
    let portal = |used| sketch_room(&kind, &asked(1, &[Direction::North], used), AsNamed::SOURCES).portal;
    assert_eq!(portal(&none).unwrap().level_type, "vault");
    assert_eq!(portal(&used), None);
}

/// R13, E38: a layout must be the only entry in the block of partitioners; such a level type generates no whole floors.
#[test]
fn layout_excludes_partitioners() {
    let grid = "[[partitioners]]\npart = \"grid\"\nx_sections = 4\ny_sections = 3\n";
    for (name, _) in layout::LAYOUTS {
        let layout = format!("[[partitioners]]\npart = \"{name}\"\n");
        let kind = read(&changed(grid, &layout));
        assert!(kind.grows() && kind.partitioners.is_empty(), "{name}");
        let flaw = generate_floor(&kind, &FloorRequest::new(Seed(1)), AsNamed::SOURCES).unwrap_err();
        assert_eq!(flaw.to_string(), "floors of `upper crypt` grow; none is made whole");
        for pair in [format!("{layout}{grid}"), format!("{layout}{layout}")] {
            only(&changed(grid, &pair), "`partitioners` does not fit together");
        }
    }
    assert!(!read(CRYPT).grows());
}

/// P26, P31: the authors' documentation has a valid level file and names every part.
#[test]
fn authors_page_has_valid_example_and_all_parts() {
    let page = include_str!("../../../../../docs/build/levels.md");
    let (_, rest) = page.split_once("```toml content/levels/old_quarry.toml\n").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    let kind = read(text);
    for seed in 0..50 {
        let plan = floor(&kind, seed);
        assert!(
            plan.redrawn < TRIES && (20..=40).contains(&plan.rooms.len()),
            "seed {seed}: {}",
            plan.rooms.len()
        );
        assert!(plan.rooms.values().flat_map(|room| room.space.walls.values()).all(|wall| wall == "brick"));
    }
    for (block, parts) in builtin_parts().names() {
        for name in std::iter::once(&block).chain(&parts) {
            assert!(page.contains(&format!("`{name}`")), "docs/build/levels.md does not name {name}");
        }
    }
}

/// P2: a level file sets the number of additional portals and the minimum room size.
#[test]
fn p2_level_file_sets_new_portals_and_room_min_size() {
    let text = changed(
        "wall = \"natural\"\nlevel_types",
        "wall = \"natural\"\nnew_portals = 2\nroom_min_size = [15, 18]\nlevel_types",
    );
    let kind = read(&text);
    let request = FloorRequest::of(&kind, Seed(3));
    assert_eq!((request.new_portals, request.room_min_size), (2, (15, 18)));
    let floor = generate_floor(&kind, &request, AsNamed::SOURCES).unwrap();
    assert_eq!(floor.portals().count(), 3, "the stairs, and two more");
    let rooms = floor.rooms.values().filter(|room| room.role != RoomRole::Corridor);
    assert!(rooms.into_iter().all(|room| room.space.width >= 15 && room.space.length >= 18));
}

/// P10: a partitioner takes any number of connectors by name; each yields connected floors, and an unknown name is
/// reported with the nearest match.
#[test]
fn p10_partitioner_takes_any_number_of_connectors() {
    let with = |lines: &str| changed("y_sections = 3", &format!("y_sections = 3\n{lines}"));
    let tables = |parts: &[&str]| {
        let table = |part: &&str| format!("[[partitioners.connectors]]\npart = \"{part}\"\n");
        parts.iter().map(table).collect::<String>()
    };
    for parts in [&["tree"] as &[&str], &["winding"], &["tree", "winding", "tree"]] {
        let kind = read(&with(&tables(parts)));
        for seed in 0..20 {
            let floor = generate_floor(&kind, &FloorRequest::new(Seed(seed)), AsNamed::SOURCES).unwrap();
            assert_eq!((floor.redrawn, floor.sections.len()), (0, 12), "{parts:?}, seed {seed}");
            let links: usize = floor.sections.iter().map(|section| section.links.len()).sum();
            assert_eq!(links, 22, "{parts:?}: a tree of twelve");
        }
    }
    only(&with(&tables(&["winting"])), "unknown connector `winting`, expected one of tree, winding");
}
