//! The packages for Mudlet and MUSHclient. These clients cannot be scripted from outside; the Lua of the packages can,
//! with a stub for the functions of the client that it calls.

use crate::client::{Client, ClientKind};
use crate::server::{Server, password};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// protocols 6.3, 6.6: the map shows rooms, exits and stubs of unexplored exits as sent; the window docks beside the
/// text and shows gauges, exits, players, items and chat.
#[test]
fn mudlet_package_draws_map_and_surroundings() {
    let server = Server::start(&["world.seed=7"]);
    let mut client = Client::open(server.address(), ClientKind::Mapper);
    client.expect("name: ");
    client.enter("create", "Olad", &password("Olad"));
    let mut other = Client::open(server.address(), ClientKind::Plain);
    other.expect("name: ");
    other.enter("create", "Bera", &password("Bera"));
    for step in ["down", "up", "north", "drop tunic", "south", "north", "south", "ooc Which way is down?"] {
        client.ask(step);
    }
    let Some(map) = draw(client.data()) else { return };
    let room = |name: &str| {
        let line = map.lines().find(|line| line.contains(name));
        line.unwrap_or_else(|| panic!("no {name} on the map:\n{map}"))
    };
    let number = |name: &str| room(name).split(' ').next().unwrap().to_owned();
    let (square, lodge, well) = ("Well Square", "Climbers' Lodge", "Bottom of the Well");
    assert!(room(square).contains(&format!("north={}", number(lodge))), "{map}");
    assert!(room(square).contains(&format!("down={}", number(well))), "{map}");
    assert!(
        room(square).contains(&format!("east={}", number("Ropemaker's Yard"))),
        "known to everybody:\n{map}"
    );
    assert!(room(lodge).contains(&format!("south={}", number(square))), "{map}");
    assert!(room(well).contains(&format!("up={}", number(square))), "{map}");
    assert!(room(well).contains("north=?"), "the branch is not there yet:\n{map}");
    assert!(room(square).contains("] at 0,0,0") && room(well).contains("] at 0,0,-1"), "{map}");
    assert_eq!(map.lines().last(), Some(format!("here: {}", number(square)).as_str()));
    let shown = |name: &str| room(&format!("{name}: ")).split_once(": ").unwrap().1;
    assert_eq!(shown("attached"), "right", "the text wraps beside the window");
    assert!(shown("deepwell.hp").starts_with("Hit points 30 of 30"), "{map}");
    assert!(shown("deepwell.around").contains("Ways out: [north], [east], [south], [west], [down]"), "{map}");
    assert!(shown("deepwell.around").contains("People: / Bera  [look]  [follow]  [invite]"), "{map}");
    assert!(shown("deepwell.talk").contains("Olad: Which way is down?"), "{map}");
    server.assert_sound();
}

/// protocols 6.3: `Room.Info` describes only the current room, so an exit taken is also recorded at its far end;
/// `Room.Map` arrives in parts.
#[test]
fn mudlet_package_links_exits_at_both_ends() {
    let room = |num: u32, name: &str, x: i32, y: i32, exits: Value| {
        json!({"num": num, "name": name, "area": "well/branch 2", "coord": {"id": 2, "x": x, "y": y, "z": -1},
               "details": ["grave"], "clear": num != 8, "exitsv2": exits})
    };
    let open = |num: u32| json!({"num": num, "state": "open"});
    let unexplored = || json!({"num": -1, "state": "unexplored"});
    let part = |part: u32, rooms: Value| {
        ("Room.Map".to_owned(), json!({"area": "well/branch 2", "part": part, "parts": 2, "rooms": rooms}))
    };
    let messages = [
        ("Room.Info".to_owned(), room(5, "Hall", 0, 0, json!({"n": unexplored()}))),
        ("Room.Info".to_owned(), room(6, "Tomb", 0, 1, json!({"s": open(5), "e": open(7)}))),
        part(
            1,
            json!([
                room(6, "Tomb", 0, 1, json!({"s": open(5), "e": open(7)})),
                room(7, "Cell", 1, 1, json!({"w": open(6), "e": open(8)})),
            ]),
        ),
        part(2, json!([room(8, "Lair", 2, 1, json!({"w": open(7), "n": unexplored()}))])),
        ("Room.Info".to_owned(), room(9, "Stairs", 3, 1, json!({"d": unexplored()}))),
        ("Room.Info".to_owned(), {
            let mut below = room(10, "Vault", 0, 0, json!({"u": open(9)}));
            below["coord"]["z"] = json!(-2);
            below
        }),
    ];
    let Some(map) = draw(&messages) else { return };
    let lines: Vec<&str> = map.lines().take(6).collect();
    assert_eq!(
        lines,
        [
            "5 Hall [well/branch 2] at 0,0,-1 G: north=6",
            "6 Tomb [well/branch 2] at 0,1,-1 G: east=7 south=5",
            "7 Cell [well/branch 2] at 1,1,-1 G: east=8 west=6",
            "8 Lair [well/branch 2] at 2,1,-1 G: west=7 north=? n shut",
            "9 Stairs [well/branch 2] at 3,1,-1 G: down=10",
            "10 Vault [well/branch 2] at 0,0,-2 G: up=9",
        ]
    );
}

/// Goods, invitations, abilities and item commands are clickable; puzzle rooms show their contents.
#[test]
fn mudlet_package_shows_clickable_commands() {
    let room = |num: u32, x: i32, exits: Value| {
        json!({"num": num, "name": "Cell", "area": "well/branch 2", "coord": {"id": 2, "x": x, "y": 0, "z": -2},
               "details": ["puzzle"], "clear": true, "exitsv2": exits})
    };
    let rat = json!({"id": "m1", "name": "a clay rat", "icon": "creature", "attrib": "m",
                     "commands": ["kill clay rat", "consider clay rat"]});
    let loaf = json!({"id": "4", "name": "a loaf", "icon": "food", "attrib": "t",
                      "commands": ["eat loaf", "drop loaf", "sell loaf"]});
    let enemy = json!({"kind": "enemy", "name": "a rat of power 14", "power": 14});
    let contents = |first: &Value| {
        (
            "Room.Puzzle.List".to_owned(),
            json!([
                {"num": 6, "contents": [first]},
                {"num": 7, "contents": [{"kind": "finish", "name": "the finish"}]},
            ]),
        )
    };
    let messages = [
        ("Room.Info".to_owned(), room(5, 0, json!({}))),
        (
            "Room.Map".to_owned(),
            json!({"area": "well/branch 2", "part": 1, "parts": 1,
                                       "rooms": [room(5, 0, json!({})), room(6, 1, json!({})), room(7, 2, json!({}))]}),
        ),
        contents(&enemy),
        ("Char.Items.List".to_owned(), json!({"location": "room", "items": [rat]})),
        ("Char.Items.List".to_owned(), json!({"location": "inv", "items": [loaf]})),
        (
            "Room.Wares.List".to_owned(),
            json!([
                {"name": "a rope", "price": 3, "cost": "three copper", "count": null, "command": "buy rope"},
            ]),
        ),
        (
            "Party.Invitations".to_owned(),
            json!([
                {"from": "Bera", "accept": "party accept Bera", "decline": "party decline Bera"},
            ]),
        ),
        abilities(),
        active_quest(),
    ];
    let Some(map) = draw(&messages) else { return };
    for line in [
        "5 Cell [well/branch 2] at 0,0,-2 ?:",
        "6 Cell [well/branch 2] at 1,0,-2 14:",
        "7 Cell [well/branch 2] at 2,0,-2 F:",
    ] {
        assert!(map.lines().any(|shown| shown == line), "{line}:\n{map}");
    }
    for line in [
        "You carry: / a loaf  [eat]  [drop]  [sell]",
        "For sale: / a rope, three copper  [buy]",
        "Invitations: / Bera invites you  [accept]  [decline]",
        "Quests: / Tails: Kill three rats. 1 of 3.  [about]  [give up]",
        "Abilities: / bash: a blow that stuns  [use] / feint: a trick (not ready)",
        "Creatures: / a clay rat  [attack]  [consider]",
    ] {
        assert!(map.contains(line), "{line}:\n{map}");
    }
    assert!(!map.contains("mend"), "what is on offer stands among the choices of a level:\n{map}");
    let beaten = [&messages[..], &[contents(&json!({"kind": "thing", "name": "a lever"}))]].concat();
    let map = draw(&beaten).expect("Lua is there");
    assert!(map.contains("6 Cell [well/branch 2] at 1,0,-2 L:"), "{map}");
}

/// The checks in Lua: each message, malformed messages, and installing and uninstalling.
#[test]
fn mudlet_package_passes_its_checks() {
    run_lua("mudlet/checks.lua", None);
}

/// The checks in Lua: negotiation, what each key says, and malformed messages.
#[test]
fn mushclient_plugin_passes_its_checks() {
    run_lua("mushclient/checks.lua", None);
}

/// Returns the message about two learnt abilities and one on offer.
fn abilities() -> (String, Value) {
    let all = json!([
        {"name": "bash", "desc": "a blow that stuns", "learnt": true, "ready": true, "command": "bash"},
        {"name": "feint", "desc": "a trick", "learnt": true, "ready": false, "command": "feint"},
        {"name": "mend", "desc": "closes wounds", "learnt": false, "ready": false, "command": "train mend"},
    ]);
    ("Char.Skills.List".to_owned(), json!({"group": "abilities", "skills": all}))
}

/// Returns the message about a quest whose first step is done.
fn active_quest() -> (String, Value) {
    let done = json!({"text": "Ask the cook.", "count": 1, "of": 1, "optional": false});
    let next = json!({"text": "Kill three rats.", "count": 1, "of": 3, "optional": false});
    let quest = json!({
        "name": "Tails", "text": "Tails count.", "steps": [done, next],
        "about": "quest tails", "abandon": "quest abandon tails",
    });
    ("Char.Quests.List".to_owned(), json!([quest]))
}

/// Runs the package on these messages; returns its map and window, or `None` if Lua is not installed.
fn draw(news: &[(String, Value)]) -> Option<String> {
    let mut messages = String::from("return {\n");
    for (package, body) in news {
        let _ = writeln!(messages, "{{ {package:?}, {} }},", lua(body));
    }
    messages.push('}');
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("messages.lua");
    std::fs::write(&file, messages).unwrap();
    run_lua("mudlet/test.lua", Some(&file))
}

/// Runs a script of the `clients` folder; returns its output, or `None` if Lua is not installed.
fn run_lua(script: &str, argument: Option<&Path>) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(script);
    let Ok(run) = Command::new("lua5.1").arg(script).args(argument).output() else {
        eprintln!("skipped: lua5.1 is not installed (Debian: lua5.1)");
        return None;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    Some(String::from_utf8(run.stdout).unwrap())
}

/// Formats a JSON value as Lua source.
fn lua(value: &Value) -> String {
    match value {
        Value::Null => "nil".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(lua).collect();
            format!("{{{}}}", items.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(key, value)| format!("[{key:?}] = {}", lua(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}
