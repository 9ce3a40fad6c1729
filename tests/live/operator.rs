//! Operators who moderate, watch the load and read the listing of a running server, through the whole program.

use crate::server::{Server, password, program};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// A renamed player logs in with the new name, and the load names the commands that were typed.
#[test]
fn operator_renames_kicks_and_watches_the_load() {
    let server = Server::start(&[]);
    let mut bera = server.create("Bera");
    server.control(&["account", "rename", "Bera", "Gerda"]);
    bera.expect("it is called Gerda now");
    server.control(&["character", "rename", "Bera", "Gerda"]);
    server.control(&["kick", "Gerda", "back", "soon"]);
    bera.expect("The reason: back soon.");
    let mut gerda = server.connect();
    gerda.send(&format!("connect Gerda {}", password("Bera")));
    gerda.expect("Exits:");
    gerda.ask("score");
    let load = server.control(&["top", "--count", "1"]);
    let causes = load["causes"].as_array().unwrap();
    assert!(causes.iter().any(|cause| cause["cause"] == "score" && cause["steps"] == 1), "{load}");
    let rooms = load["busy_rooms"].as_array().unwrap();
    assert!(rooms[0]["steps"].as_u64() > Some(0) && rooms[0]["name"] != "", "{load}");
    let audit = server.control(&["audit", "--by", "operator", "rename"]);
    assert_eq!(audit.as_array().unwrap().len(), 4, "a heading, two deeds, and this one: {audit}");
    let code = server.try_control(&["recover", "--owner"]).unwrap_err();
    assert!(code.contains("the world has no owner yet"), "{code}");
}

/// `deepwell listing` shows what a crawler reads as text.
#[test]
fn listing_is_what_crawlers_read() {
    let server = Server::start(&["mssp.contact=staff@example.org", "mssp.minimum_age=13"]);
    let mut crawler = server.connect();
    crawler.send("MSSP-REQUEST");
    let text = crawler.expect("MSSP-REPLY-END");
    let listing: Value = serde_json::from_str(&server.run(&["listing", "--json"])).unwrap();
    let variables = listing["variables"].as_array().unwrap();
    assert!(variables.len() > 40, "{listing}");
    for variable in variables {
        let values: Vec<&str> =
            variable["values"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let line = format!("{}\t{}", variable["name"].as_str().unwrap(), values.join("\t"));
        assert!(text.lines().any(|read| read.trim_end() == line), "{line:?} is not in\n{text}");
    }
    assert!(
        listing["wrong"].to_string().contains("telnet.listen"),
        "only this machine reaches it: {listing}"
    );
}

/// With a gateway, crawlers read its listing; it knows the settings also without a host.
#[test]
fn gateway_has_the_listing_and_its_settings() {
    let [gateway, mut host] = Server::start_apart(&["mssp.contact=staff@example.org"]);
    let mut crawler = gateway.connect();
    crawler.send("MSSP-REQUEST");
    let text = crawler.expect("MSSP-REPLY-END");
    let listing: Value = serde_json::from_str(&gateway.run(&["listing", "--json"])).unwrap();
    assert!(listing["source"].as_str().unwrap().starts_with("the running gateway at "), "{listing}");
    for name in ["PORT", "ROOMS", "CONTACT"] {
        let variables = listing["variables"].as_array().unwrap();
        let variable = variables.iter().find(|variable| variable["name"] == name).expect(name);
        let line = format!("{name}\t{}", variable["values"][0].as_str().unwrap());
        assert!(text.lines().any(|read| read.trim_end() == line), "{line:?} is not in\n{text}");
    }
    let other = host.folder().join("other.toml");
    fs::write(&other, "[limits]\nguests = 7\n").unwrap();
    let compared = || gateway.run(&["config", "diff", other.to_str().unwrap()]);
    assert!(compared().starts_with("compared with the running server at "), "{}", compared());
    let before = gateway.log().len();
    host.kill();
    gateway.wait_for_log(before, "no link to the host");
    let shown = compared();
    assert!(shown.starts_with("compared with the running gateway at "), "{shown}");
    assert!(shown.contains("limits.guests = 7"), "{shown}");
    assert_eq!(gateway.run(&["listing"]), "", "a listing needs the figures of the host");
    let refused = gateway.try_control(&["who"]).unwrap_err();
    assert!(refused.contains("the gateway has no link to a host"), "{refused}");
}

/// Settings of another file are compared with those of the running server.
#[test]
fn other_settings_are_compared_with_the_running_server() {
    let server = Server::start(&["limits.guests=7"]);
    let other = server.folder().join("other.toml");
    fs::write(&other, "[auth]\nslots = 2\n[game]\nguidance = false\n").unwrap();
    let shown = server.run(&["config", "diff", other.to_str().unwrap()]);
    assert!(shown.starts_with("compared with the running server at "), "{shown}");
    assert!(shown.contains("takes effect at a reload: game.guidance = false, was true\n"), "{shown}");
    assert!(shown.contains("needs a restart: auth.slots = 2, was "), "{shown}");
}

/// Without a server, each place where one may be is named with the reason.
#[test]
fn places_without_a_server_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        Command::new(program()).args(["control", "who"]).current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    for place in [
        "var/control.sock (the default): no socket",
        "/var/lib/deepwell/control.sock",
        "/run/deepwell/control.sock",
    ] {
        assert!(text.contains(place), "{place} is not in\n{text}");
    }
}
