//! The package for Mudlet draws the map that the server tells it. Mudlet has no way to be run by a script; its Lua has,
//! with a stand-in for the functions of Mudlet that the package calls.

use crate::client::{Client, Manners};
use crate::server::{Server, password};
use serde_json::Value;
use std::fmt::Write as _;
use std::process::Command;

/// protocols 6.3, 6.6: rooms, ways between them and stubs of ways that nobody has taken, as the server told them.
#[test]
fn the_package_for_mudlet_draws_the_map() {
    let server = Server::start(&["world.seed=7"]);
    let mut client = Client::open(server.address(), Manners::Mapper);
    client.expect("name: ");
    client.enter("create", "Olad", &password("Olad"));
    for step in ["down", "up", "north", "south", "look"] {
        client.ask(step);
    }
    let mut messages = String::from("return {\n");
    for (package, body) in client.data() {
        let _ = writeln!(messages, "{{ {package:?}, {} }},", lua(body));
    }
    messages.push('}');
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("messages.lua");
    std::fs::write(&file, messages).unwrap();
    let test = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/mudlet/test.lua");
    let Ok(drawn) = Command::new("lua5.1").arg(test).arg(&file).output() else {
        eprintln!("skipped: lua5.1 is not installed (Debian: lua5.1)");
        return;
    };
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let map = String::from_utf8(drawn.stdout).unwrap();
    let room = |name: &str| {
        let line = map.lines().find(|line| line.contains(name));
        line.unwrap_or_else(|| panic!("no {name} on the map:\n{map}"))
    };
    let number = |name: &str| room(name).split(' ').next().unwrap().to_owned();
    let (square, lodge, well) = ("Well Square", "Climbers' Lodge", "Bottom of the Well");
    assert!(room(square).contains(&format!("north={}", number(lodge))), "{map}");
    assert!(room(square).contains(&format!("down={}", number(well))), "{map}");
    assert!(room(square).contains("east=?"), "nobody has been east:\n{map}");
    assert!(room(lodge).contains(&format!("south={}", number(square))), "{map}");
    assert!(room(well).contains(&format!("up={}", number(square))), "{map}");
    assert!(room(well).contains("north=?"), "the branch is not there yet:\n{map}");
    assert!(room(square).contains("] at 0,0,0") && room(well).contains("] at 0,0,-1"), "{map}");
    assert_eq!(map.lines().last(), Some(format!("here: {}", number(square)).as_str()));
    server.assert_sound();
}

/// A JSON value as Lua writes it.
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
