//! Branches below the well: creation, growth, entry window and expiry, compared with their dumps.

use crate::rows::delver::{
    Delver, STILL, exits, hero_server, hero_server_with, open_exits, point, rooms, unexplored,
};
use crate::server::Server;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Steps of the four directions: north is y + 1, east is x + 1.
const STEPS: [(&str, &str, [i64; 2]); 4] =
    [("n", "north", [0, 1]), ("e", "east", [1, 0]), ("s", "south", [0, -1]), ("w", "west", [-1, 0])];

/// Returns the room's coordinates, as sent to the client.
fn told_point(room: &Value) -> [i64; 2] {
    point(&room["coord"])
}

fn reverse(way: &str) -> &'static str {
    let [north, east, south, west] = STEPS.map(|(_, name, _)| name);
    match way {
        _ if way == north => south,
        _ if way == east => west,
        _ if way == south => north,
        _ => east,
    }
}

fn open_count(dump: &Value) -> usize {
    let exits = rooms(dump).iter().flat_map(exits);
    exits.filter(|exit| exit["state"] == "unexplored").count()
}

/// Returns the distance from (0, 0), rounded down.
fn distance([x, y]: [i64; 2]) -> i64 {
    (x * x + y * y).isqrt()
}

/// Creates a character who opens rooms behind the well's northern exit; also returns the dump after each room.
fn walk(server: &Server, name: &str, count: usize) -> (Delver, Vec<Value>) {
    let mut delver = Delver::create(server, name);
    delver.all(&["down", "north"]);
    let mut dumps = vec![server.control(&["dump-branch", "1"])];
    for _ in 0..count {
        assert!(delver.open_a_room(), "some way can always be had: {}", delver.ask("look"));
        dumps.push(server.control(&["dump-branch", "1"]));
    }
    (delver, dumps)
}

#[test]
fn c1_c2_c4_c5_e2_e3_e10_e11_e13_e20_e29_e34_e35_e37_e41_rooms_are_generated_on_entry() {
    let server = hero_server(&["dungeon.max_unexplored_exits=4", "dungeon.max_new_exits_per_room=3"]);
    let (mut delver, dumps) = walk(&server, "Olad", 30);
    assert_eq!(rooms(&dumps[0]).len(), 1, "one room is made by one step");
    let dump = dumps.last().expect("a dump");
    let start = dump["start_room"].as_i64().expect("a start room");
    let shown: BTreeMap<i64, &Value> =
        delver.rooms.iter().filter(|(_, room)| room["branch"] == 1).map(|(num, room)| (*num, room)).collect();
    let kept: Vec<i64> = rooms(dump).iter().map(|room| room["num"].as_i64().expect("a number")).collect();
    assert_eq!(shown.keys().copied().collect::<Vec<_>>(), kept, "only where one was is a room");
    let places: BTreeSet<[i64; 2]> = rooms(dump).iter().map(point).collect();
    assert_eq!(places.len(), kept.len(), "two rooms of one place");
    assert!(!places.contains(&[0, 0]));
    let mut deepest = 0;
    for room in rooms(dump) {
        let at = point(room);
        let info = shown[&room["num"].as_i64().expect("a number")];
        assert_eq!(told_point(info), at);
        assert_eq!(room["depth"], distance(at));
        assert_eq!(room["difficulty"], distance(at), "there are no stairs above");
        deepest = deepest.max(distance(at));
        let back: Vec<&Value> = exits(room).iter().filter(|exit| exit["back"] == true).collect();
        let made_by = &room["made_by_exit"];
        assert_eq!(back.len(), 1);
        assert_eq!(back[0]["to"], made_by["room"]);
        assert_eq!(back[0]["dir"], reverse(made_by["dir"].as_str().expect("a direction")));
        for exit in exits(room) {
            let dir = exit["dir"].as_str().expect("a direction");
            let (_, _, step) = STEPS.iter().find(|(_, name, _)| *name == dir).expect("one of four");
            let beside = [at[0] + step[0], at[1] + step[1]];
            match exit["to"].as_i64() {
                None => assert_eq!(exit["state"], "unexplored"),
                Some(to) if to == start => assert_eq!((at, beside), ([0, 1], [0, 0])),
                Some(to) => assert_eq!(told_point(&delver.rooms[&to]), beside),
            }
        }
    }
    assert_eq!(dump["greatest_depth"], deepest);
    for field in ["max_unexplored_exits", "max_new_exits_per_room", "generator", "last_updated_at", "seed"] {
        assert!(!dump[field].is_null(), "{field}");
    }
    let here = unexplored(delver.here());
    let answer = delver.ask("exits");
    assert_eq!(answer.lines().filter(|line| line.contains(": unexplored")).count(), here.len(), "{answer}");
    let answer = delver.ask("northwest");
    assert!(answer.contains("north, east, south, west, up or down"), "{answer}");
}

#[test]
fn e14_e15_e16_e17_e18_e21_e36_e55_e56_e58_e59_unexplored_exits_stay_within_limits() {
    let settings = ["dungeon.max_unexplored_exits=6", "dungeon.max_new_exits_per_room=3", "world.seed=6"];
    let server = hero_server(&settings);
    let (mut delver, dumps) = walk(&server, "Olad", 70);
    for pair in dumps.windows(2) {
        let (before, after) = (rooms(&pair[0]), rooms(&pair[1]));
        let known: BTreeSet<[i64; 2]> = before.iter().map(point).chain([[0, 0]]).collect();
        let new = after.last().expect("a room");
        assert_eq!(after.len(), before.len() + 1);
        let fresh = exits(new).iter().filter(|exit| exit["state"] == "unexplored");
        let fresh: Vec<&str> = fresh.map(|exit| exit["dir"].as_str().expect("a direction")).collect();
        let open = open_count(&pair[0]);
        assert!((1..=6).contains(&open_count(&pair[1])) && fresh.len() <= 3, "{open} and {fresh:?}");
        assert!(open_count(&pair[1]) < open + fresh.len(), "the way that was walked is off the list");
        for dir in fresh {
            let (_, _, step) = STEPS.iter().find(|(_, name, _)| *name == dir).expect("one of four");
            let at = point(new);
            assert!(!known.contains(&[at[0] + step[0], at[1] + step[1]]), "a way to where a room is");
        }
    }
    let last = rooms(dumps.last().expect("a dump"));
    let mut one_way = 0;
    for room in last {
        for exit in exits(room) {
            let Some(to) = exit["to"].as_i64() else { continue };
            let Some(target) = last.iter().find(|other| other["num"] == to) else { continue };
            let returns = exits(target).iter().any(|back| back["to"] == room["num"]);
            assert_eq!(exit["state"] == "one_way", !returns, "{exit}");
            if !returns {
                one_way += 1;
                assert_ne!(target["made_by_exit"]["room"], room["num"], "who made a room can walk back");
            }
        }
    }
    assert!(one_way > 0, "ways that meet are rare, but some do with this seed");
    let back = delver.path_to(|delver, num| {
        open_exits(&delver.rooms[&num]).iter().any(|(_, to)| delver.rooms[to]["branch"].is_null())
    });
    for way in back.expect("a way back") {
        assert!(delver.walk(&way), "the way back is open");
    }
}

#[test]
fn c3_e1_e42_same_seed_gives_same_rooms() {
    // Wandering creatures and their effects depend on timing.
    let still = [STILL, FEEBLE[1]];
    let walked = [11, 11, 12].map(|seed| {
        let server = hero_server_with(&still, &[&format!("world.seed={seed}")]);
        let (_, dumps) = walk(&server, "Olad", 12);
        let mut dump = dumps.last().expect("a dump").clone();
        let name = dump["name"].as_str().expect("a name").to_owned();
        assert!(name.starts_with("north-"), "{name}");
        for room in dump["floors"][0]["rooms"].as_array_mut().expect("rooms") {
            // The presence of creatures depends on timing.
            room["creatures"].take();
        }
        (name, dump["seed"].take(), dump["floors"].take())
    });
    let [first, again, other] = walked;
    assert_ne!(first.2, other.2, "another seed is another dungeon");
    assert_ne!(first.1, other.1);
    assert_eq!(first.1, again.1);
    assert_eq!(first.2, again.2, "the same seed and steps are the same rooms");
}

/// Waits for unsolicited text, unless it has arrived already.
fn hears(delver: &mut Delver, message: &str) {
    if !delver.told.contains(message) {
        let heard = delver.client.expect(message);
        delver.told.push_str(&heard);
    }
}

#[test]
fn e6_e7_e8_e9_e12_e43_e44_e45_e46_e51_entry_window_joins_players_then_separates() {
    assert!(
        ["4s", "20s", "100s"].into_iter().any(check_entry_window),
        "nobody needs a hundred seconds for a few steps"
    );
}

/// Tests joining through a window and separation after it. Returns `false` if the window expired before all players
/// were through.
fn check_entry_window(window: &str) -> bool {
    let window = format!("dungeon.window={window}");
    let settings = [window.as_str(), "dungeon.reset_interval=500ms", "dungeon.reset_chance=1"];
    let server = hero_server(&settings);
    let [mut olad, mut bera, mut cato] = ["Olad", "Bera", "Cato"].map(|name| Delver::create(&server, name));
    for delver in [&mut olad, &mut bera, &mut cato] {
        delver.ask("down");
    }
    assert!(bera.ask("look").contains("same exit"));
    olad.ask("north");
    let seen = bera.ask("look");
    bera.ask("north");
    let met = bera.num();
    let place = told_point(bera.here());
    bera.all(&["south", "north"]);
    let again = bera.num();
    cato.ask("west");
    drop(bera);
    let members = &server.control(&["dump-branch", "1"])["members"];
    olad.ask("");
    if olad.told.contains("The way in has closed") {
        return false;
    }
    assert!(seen.contains("North: a branch is open. Olad went there."), "{seen}");
    assert_eq!((met, place), (olad.num(), [0, 1]));
    assert_eq!(again, met, "in and out, while it is open");
    assert_ne!(cato.here()["branch"], olad.here()["branch"]);
    assert_eq!(members.as_array().expect("members").len(), 2, "who is away is a member still: {members}");

    hears(&mut olad, "The way in has closed");
    let exits = olad.ask("exits");
    assert!(exits.contains("south: Bottom of the Well, one-way: the way in has closed"), "{exits}");
    let mut dara = Delver::create(&server, "Dara");
    dara.all(&["down", "north"]);
    assert_ne!(dara.here()["branch"], olad.here()["branch"], "a fresh branch");
    assert!(!dara.rooms.contains_key(&met));
    assert!(olad.walk("south"), "the way out is open");
    let dump = server.control(&["dump-branch", "1"]);
    assert_eq!(dump["members"].as_array().expect("members").len(), 1, "who stands in the start room is none");
    olad.ask("north");
    assert_ne!(olad.num(), met, "nobody comes back");
    true
}

#[test]
fn e5_e47_e48_e50_inactive_branch_expires() {
    let server = hero_server(&["dungeon.max_life=3s", "dungeon.check_interval=500ms"]);
    let [mut olad, mut bera, mut cato] = ["Olad", "Bera", "Cato"].map(|name| Delver::create(&server, name));
    for delver in [&mut olad, &mut bera, &mut cato] {
        delver.ask("down");
    }
    olad.ask("north");
    bera.ask("north");
    hears(&mut olad, "collapses within");
    hears(&mut olad, "collapses into the dark");
    hears(&mut olad, "You stand where you began");
    hears(&mut bera, "collapses into the dark");
    let answer = cato.ask("look");
    for name in ["Olad", "Bera"] {
        let lines = answer.lines().filter(|line| line.starts_with(name) && line.contains("stumbles"));
        assert_eq!(lines.count(), 1, "{answer}");
    }
    for delver in [&mut olad, &mut bera] {
        assert!(delver.ask("look").contains("Exits: north, east, south, west, up"), "the start room stands");
    }
    assert_eq!(server.control(&["status"])["world"]["branches"], 0);
}

/// Weak attacks, so that opponents survive long enough to be examined.
const FEEBLE: [(&str, &str, &str); 2] = [
    ("rules.toml", "\nattack = 9000\n", "\nattack = 1\n"),
    ("themes/well.toml", "\nroamer_percent = 6\n", "\nroamer_percent = 0\n"),
];

#[test]
fn e25_e27_e30_e32_e33_guarded_room_blocks_exits_and_says_so() {
    // Rounds long enough for a few commands before a guard attacks.
    let server = hero_server_with(&FEEBLE, &["world.seed=3", "game.round=5s"]);
    let _bera = Delver::create(&server, "Bera");
    let mut olad = Delver::create(&server, "Olad");
    assert!(olad.ask("kill Bera").contains("Nobody fights here"), "nobody fights in the town");
    olad.all(&["down", "north"]);
    let is_guarded =
        |delver: &Delver, seen: &str| delver.here()["clear"] == false && seen.contains("bars the way");
    assert!(olad.seek(40, is_guarded), "a room with a guard");
    let room = olad.num();
    let seen = olad.ask("look");
    assert!(seen.lines().next_back().is_some_and(|line| line.contains("blocked")), "{seen}");
    let way = unexplored(olad.here()).remove(0);
    let refused = olad.ask(&way);
    assert!(refused.contains("yet") && refused.contains("bars the way"), "{refused}");
    assert_eq!(olad.num(), room);
    let back = open_exits(olad.here()).remove(0).0;
    olad.ask(&back);
    assert_ne!(olad.num(), room, "back is open");
    assert!(
        olad.ask("look").lines().all(|line| !line.contains("blocked")),
        "a room without guards is born clear"
    );
}
