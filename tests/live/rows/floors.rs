//! Whole floors, the links between them, and the memory of visited floors.

use crate::rows::delver::{Delver, STILL, exits, hero_server, hero_server_with, open_exits, rooms};
use deepwell::catalog::{Catalog, ItemClass};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Returns a floor of a branch's dump by its number.
fn floor(dump: &Value, number: i64) -> &Value {
    let floors = dump["floors"].as_array().expect("floors");
    floors.iter().find(|floor| floor["floor"] == number).expect("that floor")
}

#[test]
fn p1_p4_p5_p6_p8_p9_p11_p12_p13_p14_p19_p20_p21_p22_crypt_matches_its_level_file() {
    // Every exit is blocked by a lever, which can be pulled.
    let levers = [("themes/crypt.toml", "\nlever_weight = 12\n", "\nlever_weight = 1000\n")];
    let server = hero_server_with(&levers, &["world.seed=5"]);
    let mut olad = Delver::owner(&server, "Olad");
    olad.all(&["east", "dig Shaft:start = down,up", "down", "open north:branch"]);
    let answer = olad.ask("set here theme = lower crypt");
    assert!(answer.contains("upper crypt") && answer.contains("upper catacombs"), "the known ones: {answer}");
    olad.all(&["set here theme = upper crypt", "north"]);
    while olad.open_a_room() {}
    let dump = server.control(&["dump-branch", "1"]);
    let crypt = floor(&dump, 1);
    assert_eq!(crypt["type"], "upper crypt");
    let sections = crypt["sections"].as_array().expect("sections");
    assert_eq!(sections.len(), 12);
    assert!(sections.iter().all(|section| !section["links"].as_array().expect("links").is_empty()));
    let rooms = crypt["rooms"].as_array().expect("rooms");
    assert!(rooms.len() >= 34, "{} rooms", rooms.len());
    let centres: Vec<_> = sections.iter().map(|section| &section["centre"]).collect();
    for room in rooms {
        let is_centre = centres.iter().any(|centre| centre["x"] == room["x"] && centre["y"] == room["y"]);
        assert!(
            is_centre || room["items"].as_array().is_none_or(Vec::is_empty),
            "a thing in a corridor: {room}"
        );
    }
    let joints: usize =
        sections.iter().map(|section| section["links"].as_array().expect("links").len()).sum();
    assert_eq!(
        rooms.len(),
        sections.len() + joints,
        "a room each, and a corridor room at each end of a link"
    );
    let mut floors = BTreeSet::new();
    for space in rooms.iter().map(|room| &room["space"]) {
        floors.insert(space["floor"].as_str().expect("a floor"));
        let walls = space["walls"].as_object().expect("walls");
        assert!(walls.values().all(|wall| wall == "rock" || wall == "ground"), "{space}");
    }
    assert_eq!(floors, BTreeSet::from(["brick", "rock"]), "both room generators have made rooms");
    let catalog = Catalog::builtin();
    let lying = rooms.iter().flat_map(|room| room["items"].as_array().into_iter().flatten());
    let lying: Vec<&str> = lying.filter_map(Value::as_str).collect();
    let count = |class: ItemClass| lying.iter().filter(|key| catalog.items[**key].class == class).count();
    assert!((2..=4).contains(&count(ItemClass::Weapon)), "{lying:?}");
    assert!((2..=4).contains(&count(ItemClass::Potion)), "{lying:?}");
    assert!(count(ItemClass::Food) <= 5, "{lying:?}");
    for word in ["paces", "brick", "rock", "spider"] {
        assert!(olad.told.to_lowercase().contains(word), "{word}");
    }
}

#[test]
fn t1_t2_t3_t5_t6_t7_p7_p15_stairs_lead_down_and_back() {
    let mut server = hero_server_with(&[STILL], &["world.seed=8"]);
    let mut olad = Delver::behind(&server, "Olad", "well", &["max_unexplored_exits = 2"]);
    assert!(olad.ask("descend").contains("There are no stairs down here."));
    assert!(olad.seek(150, |_, seen| seen.contains("Stairs lead down")), "stairs below depth 5");
    assert!(olad.here()["depth"].as_i64().expect("a depth") >= 5);
    let above = olad.num();
    assert!(olad.clear());
    let floors = |server: &crate::server::Server| {
        server.control(&["dump-branch", "1"])["floors"].as_array().expect("floors").len()
    };
    assert_eq!(floors(&server), 1, "nothing is below before somebody goes there");
    while olad.ask("descend").contains("train") {
        olad.ask("train strength");
    }
    assert_eq!(olad.here()["floor"], 2);
    assert_eq!(floors(&server), 2);
    assert!(olad.told.contains("After this moment of peace"));
    let score = olad.ask("score");
    assert!(score.contains("Dungeon level 2"), "{score}");
    olad.ask("up");
    assert_eq!(olad.num(), above, "back to the very room");
    let way =
        open_exits(olad.here()).into_iter().find(|(way, _)| "nesw".contains(way.as_str())).expect("a way").0;
    assert!(olad.walk(&way));
    let map = olad.ask("map");
    assert!(
        map.contains("D is a room with stairs down.") && map.contains("remembered: stairs down"),
        "{map}"
    );
    assert!(olad.ask("path stairs").contains("The way: "));
    let place = olad.client.look();
    server.kill();
    server.restart(&[]);
    let mut back = server.login("Olad");
    back.ask("config width off");
    assert_eq!(back.look(), place);
    assert!(back.ask("path stairs").contains("The way: "), "stairs outlive a restart");
    assert_eq!(floors(&server), 2);
}

#[test]
fn p15_portal_leads_to_another_level_type() {
    let server = hero_server(&["world.seed=4"]);
    let mut olad = Delver::behind(&server, "Olad", "daedalus", &[]);
    let found =
        olad.seek(120, |_, seen| seen.contains("leads down from here to dungeon level 2, the upper crypt"));
    assert!(found && olad.clear());
    while olad.ask("descend").contains("train") {
        olad.ask("train strength");
    }
    assert_eq!(olad.here()["floor"], 2);
    assert_eq!(floor(&server.control(&["dump-branch", "1"]), 2)["type"], "upper crypt");
}

#[test]
fn p2_p10_archives_fork_or_wind_and_have_two_portals_down() {
    let levers = [("themes/archive.toml", "\nlever_weight = 12\n", "\nlever_weight = 1000\n")];
    let server = hero_server_with(&levers, &["world.seed=1"]);
    let mut olad = Delver::owner(&server, "Olad");
    olad.all(&["east", "dig Shaft:start = down,up", "down"]);
    let ways = ["north", "east", "south", "west"];
    for way in ways {
        olad.ask(&format!("open {way}:branch"));
    }
    olad.ask("set here theme = archive");
    let start = olad.num();
    let mut forks = Vec::new();
    for (way, back) in ways.into_iter().zip(["south", "west", "north", "east"]) {
        assert!(olad.walk(way));
        let branch = olad.here()["branch"].to_string();
        let dump = server.control(&["dump-branch", &branch]);
        let sections = dump["floors"][0]["sections"].as_array().expect("sections").clone();
        let links = |section: &Value| section["links"].as_array().expect("links").len();
        forks.push(sections.iter().filter(|section| links(section) > 2).count() * 100 / sections.len());
        if way == "west" {
            break;
        }
        assert!(olad.walk(back) && olad.num() == start);
    }
    let (least, most) = (forks.iter().min().expect("floors"), forks.iter().max().expect("floors"));
    assert!(most - least > 15, "one connector forks, the other winds: {forks:?}");
    while olad.open_a_room() {}
    let dump = server.control(&["dump-branch", &olad.here()["branch"].to_string()]);
    let down = rooms(&dump).iter().filter(|room| room["portal"]["dir"] == "down").count();
    assert_eq!(down, 2, "stairs, and one way more; {:?} could not be cleared", olad.stuck);
    for room in rooms(&dump) {
        let space = &room["space"];
        let [width, length] = [&space["width"], &space["length"]].map(|paces| paces.as_i64().expect("paces"));
        assert!(space["shape"] == "corridor" || (width >= 6 && length >= 5), "{space}");
    }
}

#[test]
fn p23_some_catacombs_have_one_staircase_to_a_crypt() {
    let levers = [("themes/catacombs.toml", "\nlever_weight = 12\n", "\nlever_weight = 1000\n")];
    let server = hero_server_with(&levers, &["world.seed=6"]);
    let mut crypts = Vec::new();
    for (name, way) in [("Olad", "north"), ("Bera", "east")] {
        let mut delver = if name == "Olad" {
            let mut owner = Delver::owner(&server, name);
            owner.all(&["east", "dig Shaft:start = down,up", "down"]);
            owner.all(&["open north:branch", "open east:branch"]);
            owner.ask("set here theme = upper catacombs");
            owner
        } else {
            let mut delver = Delver::create(&server, name);
            delver.all(&["east", "down"]);
            delver
        };
        delver.ask(way);
        while delver.open_a_room() {}
        let dump = server.control(&["dump-branch", &delver.here()["branch"].to_string()]);
        let leads = |room: &&Value| room["portal"]["level"] == "upper crypt";
        crypts.push(rooms(&dump).iter().filter(leads).count());
    }
    assert!(crypts.iter().all(|count| *count <= 1), "{crypts:?}");
    assert!(crypts.contains(&0) && crypts.contains(&1), "one floor in four: {crypts:?}");
}

#[test]
fn p30_rope_ladder_leads_out_of_caves_and_keeps_inventory() {
    let changes = [
        ("levels/caves.toml", "chance = 3\nexits_dungeon", "chance = 50\nexits_dungeon"),
        ("themes/caves.toml", "\nlever_weight = 1\n", "\nlever_weight = 1000\n"),
    ];
    let server = hero_server_with(&changes, &["world.seed=6"]);
    let mut olad = Delver::create(&server, "Olad");
    olad.all(&["south", "down"]);
    let start = olad.num();
    olad.ask("east");
    assert!(olad.seek(30, |_, seen| seen.contains("A rope ladder leads up from here, out of the dungeon.")));
    let ladder = olad.num();
    for _ in 0..6 {
        assert!(olad.open_a_room());
    }
    let dump = server.control(&["dump-branch", "1"]);
    let ladders = rooms(&dump).iter().filter(|room| room["portal"]["exits_dungeon"] == true).count();
    assert_eq!(ladders, 1, "such a ladder is in a branch once");
    let path = olad.path_to(|_, num| num == ladder).expect("a way back to it");
    assert!(path.iter().all(|way| olad.walk(way)) && olad.clear());
    let carried = olad.ask("inventory");
    assert!(olad.ask("exits").contains("a rope ladder up, out of the dungeon"));
    assert!(olad.walk("up") && olad.num() == start, "out of the dungeon");
    assert_eq!(olad.ask("inventory"), carried);
}

#[test]
fn t4_floors_continue_without_end() {
    let changes = [
        ("levels/well.toml", "least_depth = 5", "least_depth = 1"),
        ("themes/well.toml", "\nlever_weight = 12\n", "\nlever_weight = 1000\n"),
    ];
    let server = hero_server_with(&changes, &["world.seed=5"]);
    let mut olad = Delver::create(&server, "Olad");
    olad.all(&["down", "north"]);
    for floor in 2..=12 {
        assert!(olad.seek(20, |_, seen| seen.contains("Stairs lead down")) && olad.clear(), "floor {floor}");
        while olad.ask("descend").contains("train") {
            olad.ask("train strength");
        }
        assert_eq!(olad.here()["floor"], floor);
    }
    assert!(olad.ask("score").contains("Dungeon level 12"));
}

/// An owner's level file; the test removes a block, or misspells a part.
const OLD_VAULT: &str = r#"
name = "old vault"
theme = "crypt"
creatures = [{ part = "spread", creature = "rat", least = 3, most = 3, place = "room" }]
items = [{ part = "spread", item = "silver_spoon", least = 2, most = 2, place = "room" }]
portals = [{ part = "stairs" }]

[context]
size = [40, 40]
floor = "natural"
wall = "natural"
level_types = ["old vault"]

[context.params]
chamber_percent = 100

[[partitioners]]
part = "grid"
x_sections = 2
y_sections = 2

[[rooms]]
part = "round"
floor = "natural"
wall = "empty"
corridor = "natural"

[[rooms]]
part = "pillared"
level_types = ["upper crypt"]
floor = "brick"
wall = "empty"
corridor = "brick"

[[decorators]]
part = "replace"
floors = { natural = "rock" }
walls = { natural = "ground", empty = "ground" }
"#;

#[test]
fn p16_p17_p18_p24_p25_p26_p28_p29_p31_new_level_file_is_loaded_by_reload() {
    let server = hero_server(&["world.seed=4"]);
    let file = server.folder().join("content/levels/old_vault.toml");
    let mut olad = Delver::owner(&server, "Olad");
    let mut reload = |text: &str| {
        fs::write(&file, text).expect("a level file");
        olad.client.send("reload");
        olad.client.expect_any(&["The content stays as it was", "The content is in force: "])
            + &olad.ask("look")
    };
    let answer = reload(&OLD_VAULT.replace("portals = [{ part = \"stairs\" }]\n", ""));
    assert!(answer.contains("stays as it was") && answer.contains("portals"), "{answer}");
    let answer = reload(&OLD_VAULT.replace("\"round\"", "\"rond\""));
    assert!(answer.contains("stays as it was") && answer.contains("did you mean `round`?"), "{answer}");
    let answer = reload(OLD_VAULT);
    assert!(answer.contains("The content is in force"), "{answer}");
    olad.all(&["east", "dig Shaft:start = down,up", "down", "open north:branch"]);
    assert!(olad.ask("set here theme = old vault").contains("old vault"));
    olad.ask("north");
    while olad.open_a_room() {}
    let dump = server.control(&["dump-branch", "1"]);
    let vault = floor(&dump, 1);
    assert_eq!(vault["type"], "old vault");
    let made = rooms(&dump);
    assert_eq!(made.len(), 4 + 6, "four rooms, and two corridors for each of three links");
    for room in made {
        let space = &room["space"];
        assert_eq!(space["floor"], "rock", "{space}");
        assert!(space["walls"].as_object().expect("walls").values().all(|wall| wall == "ground"), "{space}");
        assert!(space["shape"] == "round" || space["shape"] == "corridor", "{space}");
        assert!(space["width"].as_i64().expect("paces") <= 20, "a fourth of the floor: {space}");
        let is_dead_end = space["shape"] == "round" && exits(room).len() == 1;
        let kind = room["kind"].as_str().expect("a kind");
        assert!(!is_dead_end || kind == "chamber", "each dead end is a chamber: {room}");
    }
    assert!(made.iter().any(|room| room["kind"] == "chamber"));
    let spoons = made.iter().flat_map(|room| room["items"].as_array().into_iter().flatten());
    assert_eq!(spoons.filter(|item| *item == "silver_spoon").count(), 2);
    assert!(olad.told.contains("rat"));
}
