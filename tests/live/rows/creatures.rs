//! Creatures, their drops, items, and the maze.

use crate::rows::delver::{Delver, exits, hero_server, hero_server_with, open_exits, point, rooms};
use crate::rows::duels::points;
use crate::server::Server;
use deepwell::base::Direction;
use deepwell::catalog::Catalog;
use deepwell::level::Crossing;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

#[test]
fn r3_r5_items_have_ruled_prices_and_effects() {
    let server = Server::start(&[]);
    let mut olad = server.create("Olad");
    olad.ask("west");
    let list = olad.ask("list");
    for (item, price) in
        [("a club", "one silver"), ("a dagger", "nine silver"), ("a suit of leather armour", "seven silver")]
    {
        assert!(list.contains(&format!("{item}: {price}")), "{list}");
    }
    olad.ask("buy club");
    olad.ask("wield club");
    assert!(olad.ask("score").contains("Attack: 6"), "a club adds one");
    assert!(olad.ask("inventory").contains("silver"));
}

/// Creatures act every second.
const LIVELY: (&str, &str, &str) = ("rules.toml", "\ntick_secs = 10\n", "\ntick_secs = 1\n");

#[test]
fn r7_r8_r9_r10_r11_r12_r13_r14_r15_r22_maze_has_straight_halls_and_own_creatures() {
    let theme = &Catalog::builtin().themes["daedalus"];
    let server = hero_server(&["world.seed=4"]);
    let mut olad = Delver::behind(&server, "Olad", "daedalus", &[]);
    for _ in 0..120 {
        assert!(olad.open_a_room());
    }
    for word in ["minotaur", "rat", "spider"] {
        assert!(olad.told.contains(word), "{word}");
    }
    let dump = server.control(&["dump-branch", "1"]);
    let cells: BTreeMap<[i64; 2], &Value> = rooms(&dump).iter().map(|room| (point(room), room)).collect();
    let ways = |room: &Value| -> BTreeSet<String> {
        exits(room).iter().filter_map(|exit| exit["dir"].as_str().map(str::to_owned)).collect()
    };
    let steps = [("north", [0, 1]), ("east", [1, 0]), ("south", [0, -1]), ("west", [-1, 0])];
    let beside = |[x, y]: [i64; 2], [dx, dy]: [i64; 2]| [x + dx, y + dy];
    let mut stairs = Vec::new();
    for (at, room) in &cells {
        let ways = ways(room);
        for (way, step) in steps {
            // Adjacent rooms are connected in both directions: there is no wall between open cells, except around the
            // start.
            let neighbour = cells.get(&beside(*at, step));
            let is_start = beside(*at, step) == [0, 0];
            assert!(neighbour.is_none() || ways.contains(way), "{at:?} {way}");
            assert!(exits(room).iter().all(|exit| exit["state"] != "one_way"), "{room}");
            assert!(!is_start || *at == [0, 1] || !ways.contains(way), "one way to the start: {room}");
        }
        // A solid cell whose noise is high enough has low neighbours to the east and north; so at least one of two
        // solid neighbours of an open cell has solid neighbours itself.
        let solid = |cell: [i64; 2]| {
            let known = steps.iter().find_map(|(way, [dx, dy])| {
                let from = cells.get(&beside(cell, [-dx, -dy]))?;
                Some(exits(from).iter().all(|exit| exit["dir"] != *way))
            });
            cell != [0, 0] && known == Some(true)
        };
        let [east, north] = [beside(*at, [1, 0]), beside(*at, [0, 1])];
        if solid(east) && solid(north) {
            let is_low = |cell: [i64; 2]| {
                [[1, 0], [0, 1]].iter().all(|step| !cells.contains_key(&beside(cell, *step)))
            };
            assert!(is_low(east) || is_low(north), "no noise makes {at:?} open");
        }
        let plane = steps.iter().filter(|(way, _)| ways.contains(*way));
        let directions = plane.filter_map(|(way, _)| Direction::parse(way));
        let name = room["name"].as_str().expect("a name");
        let called = &theme.scenery.passages[&Crossing::of(directions)];
        let is_boss_room = name == "Thread's end";
        let is_called = is_boss_room || called.iter().any(|one| name.starts_with(&one.text));
        assert!(is_called, "{name}: {ways:?}");
        if room["tags"].as_array().expect("tags").iter().any(|tag| tag == "stairs") {
            stairs.push(at[0].abs() + at[1].abs());
        }
    }
    let share = stairs.len() * 100 / cells.len();
    assert!((3..=20).contains(&share), "{share} of 100 have stairs");
    assert!(stairs.iter().min().is_some_and(|steps| *steps <= 12), "{stairs:?}");
    let map = olad.ask("map");
    assert!(map.contains("o---o---o"), "{map}");
    assert!(olad.ask("path stairs").contains("The way: "));
}

/// Opens rooms of a maze whose halls all have this creature, waiting in each, until all texts have appeared.
fn watch_until(creature: &str, wanted: &[&str]) {
    let theme = "themes/daedalus.toml";
    let only = format!("mob = \"{creature}\"\nweight = 100\n");
    let changes = [
        LIVELY,
        (theme, "[inhabitants]\npercent = 50\n", "[inhabitants]\npercent = 100\n"),
        (theme, "mob = \"minotaur\"\nweight = 1\n", only.as_str()),
    ];
    let server = hero_server_with(&changes, &["world.seed=4", "game.round=150ms"]);
    let mut olad = Delver::behind(&server, "Olad", "daedalus", &[]);
    olad.wait_until(wanted, |olad| _ = olad.open_a_room());
}

#[test]
fn r1_rats_goblins_bombs_and_bombers_act_as_designed() {
    let deeds = [
        ("rat", vec!["The rat leaves "]),
        ("goblin", vec!["The goblin comes at you."]),
        ("bomb", vec!["The wick of the bomb catches light.", "The bomb goes off."]),
        ("bomber_goblin", vec!["The bomber goblin bites down on its fuse", "The keg bursts."]),
    ];
    std::thread::scope(|scope| {
        for (creature, wanted) in &deeds {
            scope.spawn(|| watch_until(creature, wanted));
        }
    });
}

#[test]
fn r23_arrows_and_rockets_reach_the_next_room() {
    let server = hero_server(&["world.seed=3"]);
    let mut olad = Delver::owner(&server, "Olad");
    olad.ask("west");
    let list = olad.ask("list");
    assert!(list.contains("a short bow: ") && list.contains("a rocket: "), "{list}");
    olad.all(&[
        "spawn short_bow", "spawn rocket", "get bow", "get rocket", "wield bow", "east", "down", "north",
    ]);
    // Not the first room: the start room behind it is no place to shoot from.
    let is_guarded = |delver: &Delver, seen: &str| {
        let (_, back) = open_exits(delver.here()).remove(0);
        let is_inside = delver.rooms.get(&back).is_some_and(|room| !room["branch"].is_null());
        is_inside
            && delver.here()["clear"] == false
            && seen.contains("bars the way")
            && !seen.contains("portcullis")
    };
    for (line, message) in [("shoot", "You hit "), ("light rocket", "hisses away to the ")] {
        let mut answer = String::new();
        // A guard that attacks when the player leaves dies before the shot; then try the next room.
        for _ in 0..8 {
            assert!(olad.seek(60, is_guarded), "a room with a guard");
            let guarded = olad.num();
            let back = open_exits(olad.here()).remove(0).0;
            assert!(olad.walk(&back));
            let ways = open_exits(olad.here());
            let Some((way, _)) = ways.into_iter().find(|(_, to)| *to == guarded) else { continue };
            answer = olad.ask(&format!("{line} {way}"));
            if answer.contains(message) {
                break;
            }
            olad.walk(&way);
            olad.clear();
        }
        assert!(answer.contains(message), "{answer}");
        assert!(
            line != "shoot" || answer.contains("you gain"),
            "nothing withstands a hero's arrow: {answer}"
        );
    }
    assert!(olad.ask("inventory").contains("a short bow in the hand"));
    assert!(!olad.ask("inventory").contains("rocket"), "it is used up");
}

#[test]
fn r25_glassworks_uses_its_own_combat_rules() {
    let changes = [("rules.toml", "\nattack = 9000\n", "\nattack = 5\n")];
    let server = hero_server_with(&changes, &["world.seed=2"]);
    let mut olad = Delver::behind(&server, "Olad", "glassworks", &[]);
    let mut harms = BTreeSet::new();
    // Under the default rules every attack would hit, for at most six points.
    let is_other = |olad: &Delver, harms: &BTreeSet<i64>| {
        harms.iter().any(|harm| *harm > 6) && olad.told.matches("You miss").count() > 3
    };
    for _ in 0..400 {
        if is_other(&olad, &harms) {
            break;
        }
        olad.open_a_room();
        harms.extend(points(&olad.told, "You hit the ", "point"));
    }
    assert!(is_other(&olad, &harms), "{harms:?}");
    assert!(harms.iter().all(|harm| *harm < 10), "below ten: {harms:?}");
}

#[test]
fn r6_r24_forest_and_caves_are_open_and_reproducible() {
    let server = hero_server(&["world.seed=3"]);
    for (name, way) in [("Olad", "north"), ("Bera", "east")] {
        let mut delver =
            if name == "Olad" { Delver::owner(&server, name) } else { Delver::create(&server, name) };
        delver.all(&["south", "down", way]);
        for _ in 0..30 {
            assert!(delver.open_a_room());
        }
        let branch = delver.here()["branch"].to_string();
        let dump = server.control(&["dump-branch", &branch]);
        let all = rooms(&dump);
        let ways: usize = all.iter().map(|room| exits(room).len()).sum();
        assert!(ways * 10 > all.len() * 25, "open: {ways} ways out of {} rooms", all.len());
        let forks: BTreeSet<usize> = all.iter().map(|room| exits(room).len()).collect();
        assert!(forks.len() >= 3, "irregular: {forks:?}");
        if name == "Olad" {
            // The same seed and moves generate the same rooms.
            let [seed, moves] = [&dump["seed"], &dump["moves"]].map(|part| part.to_string().replace('"', ""));
            let again = Command::new(env!("CARGO_BIN_EXE_deepwell"))
                .args(["dungeon", "dump", "--theme", "forest", "--seed", &seed, "--moves", &moves])
                .current_dir(server.folder())
                .output()
                .expect("a dump");
            let again: Value = serde_json::from_slice(&again.stdout).expect("JSON");
            let names = |dump: &Value| -> Vec<(String, [i64; 2])> {
                rooms(dump).iter().map(|room| (room["description"].to_string(), point(room))).collect()
            };
            assert_eq!(names(&again), names(&dump));
        }
    }
}

#[test]
fn r21_room_script_runs_on_enter() {
    let server = hero_server(&[]);
    let mut olad = Delver::owner(&server, "Olad");
    olad.all(&["east", "set here on_enter = tell A bell rings under your foot.", "west"]);
    assert!(olad.ask("east").contains("A bell rings under your foot."));
    let mut bera = Delver::create(&server, "Bera");
    assert!(bera.ask("east").contains("A bell rings under your foot."), "for everybody who comes in");
}

#[test]
fn r21_landmark_script_runs_on_enter() {
    let catalog = Catalog::builtin();
    std::thread::scope(|scope| {
        for (theme, way) in [("seam", "east"), ("cellars", "south")] {
            let scenes = catalog.themes[theme].landmarks.iter().filter_map(|landmark| {
                let lines: Vec<String> = landmark.on_enter.clone().into();
                let message = lines.first()?.split_once("tell ")?.1.to_owned();
                Some((landmark.name.clone(), message))
            });
            let scenes: BTreeMap<String, String> = scenes.collect();
            assert!(scenes.len() > 3, "{scenes:?}");
            scope.spawn(move || find_scripted_landmark(theme, way, &scenes));
        }
    });
}

/// Searches behind an exit of the well for a landmark with a script, and checks its text.
fn find_scripted_landmark(theme: &str, way: &str, scenes: &BTreeMap<String, String>) {
    let file = format!("themes/{theme}.toml");
    let changes = [
        (file.as_str(), "\nlandmark_every = 12\n", "\nlandmark_every = 2\n"),
        (file.as_str(), "kind = \"landmark\"\nweight = 10\n", "kind = \"landmark\"\nweight = 9000\n"),
    ];
    let server = hero_server_with(&changes, &["world.seed=3"]);
    let mut olad = Delver::create(&server, "Olad");
    olad.all(&["down", way]);
    let scene = |delver: &Delver| {
        let name = delver.here()["name"].as_str().expect("a name").to_owned();
        scenes
            .iter()
            .find(|(landmark, _)| name.ends_with(landmark.as_str()))
            .map(|(_, message)| message.clone())
    };
    assert!(olad.seek(40, |delver, _| scene(delver).is_some()), "a landmark with a scene");
    let message = scene(&olad).expect("a scene");
    assert!(olad.told.contains(&message), "{message}:\n{}", olad.told);
}

#[test]
fn e28_e57_roamers_wander_and_block_no_exits() {
    let changes = [LIVELY, ("themes/well.toml", "\nroamer_percent = 6\n", "\nroamer_percent = 100\n")];
    let server = hero_server_with(&changes, &["world.seed=2"]);
    let mut olad = Delver::create(&server, "Olad");
    olad.all(&["down", "north"]);
    for _ in 0..8 {
        assert!(olad.open_a_room());
    }
    olad.wait_until(&[" arrives from the ", " leaves "], |olad| _ = olad.open_a_room());
    while !olad.clear() {
        assert!(olad.open_a_room());
    }
    assert!(!olad.ask("look").contains("blocked"));
}
