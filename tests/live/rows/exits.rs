//! Exits of the shipped start rooms, and the dungeons behind them.

use crate::rows::delver::{Delver, exits, hero_server, hero_server_with, rooms};
use deepwell::catalog::Catalog;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the percentage of rooms with more than one exit onwards.
fn fork_percent(dump: &Value) -> usize {
    let rooms = rooms(dump);
    let forks = rooms.iter().filter(|room| exits(room).len() > 2).count();
    forks * 100 / rooms.len()
}

#[test]
fn e4_e38_e39_well_exits_look_different_and_lead_to_own_themes() {
    let catalog = Catalog::builtin();
    let server = hero_server(&["world.seed=9"]);
    let mut olad = Delver::owner(&server, "Olad");
    olad.ask("down");
    let heard = olad.ask("listen");
    let exits = [("north", "well"), ("east", "long seam"), ("south", "cellars"), ("west", "sunken house")];
    let seen: BTreeSet<String> = exits
        .iter()
        .map(|(exit, level)| {
            let sheet = olad.ask(&format!("examine {exit}"));
            assert!(sheet.contains(&format!("theme: {level}, from ")), "{sheet}");
            assert!(heard.contains(&format!("From the {exit}: ")), "{heard}");
            olad.ask(&format!("look {exit}"))
        })
        .collect();
    assert_eq!(seen.len(), exits.len(), "each looks like nothing but itself: {seen:?}");
    for (exit, generator) in [("north", "frontier"), ("east", "corridor")] {
        assert!(olad.ask(&format!("examine {exit}")).contains(&format!("generator: {generator}, ")));
    }
    let mut bera = Delver::create(&server, "Bera");
    bera.all(&["down", "south"]);
    // With only one unexplored exit at a time, the path leads away from the well as directly as possible.
    assert!(olad.ask("set north max_unexplored_exits = 1").contains(" now."));
    olad.ask("north");
    let mut deepest = 0;
    for _ in 0..150 {
        if deepest > 10 {
            break;
        }
        assert!(olad.open_a_room());
        deepest = deepest.max(olad.here()["depth"].as_i64().expect("a depth"));
    }
    for _ in 0..25 {
        assert!(bera.open_a_room());
    }
    let dumps = ["1", "2"].map(|branch| server.control(&["dump-branch", branch]));
    let of = |level: &str| dumps.iter().find(|dump| dump["level"] == level).expect("a branch");
    let [well, cellars] = [of("well"), of("cellars")];
    assert!(fork_percent(cellars) > fork_percent(well) + 15, "the cellars fork everywhere");
    let mut met = BTreeSet::new();
    for room in rooms(well) {
        let depth = u32::try_from(room["depth"].as_i64().expect("a depth")).expect("no more than that");
        let name = room["name"].as_str().expect("a name");
        let family = &catalog.themes["well"].band(depth).family;
        assert!(name.to_lowercase().contains(&family.to_lowercase()), "{name} at depth {depth}");
        met.insert(family);
    }
    assert!(met.len() >= 9, "{met:?}");
    if deepest > 10 {
        assert!(met.contains(&"Dark rooms".to_owned()), "{met:?}");
    }
}

#[test]
fn e19_e22_sunken_house_is_finite_and_has_a_reward() {
    let server = hero_server(&["world.seed=2"]);
    let mut olad = Delver::create(&server, "Olad");
    olad.all(&["down", "west"]);
    while olad.open_a_room() {}
    let dump = server.control(&["dump-branch", "1"]);
    assert_eq!(dump["finishable"], true);
    let count = rooms(&dump).len();
    assert!((14..=40).contains(&count), "{count} rooms");
    assert!(rooms(&dump).iter().all(|room| exits(room).iter().all(|exit| exit["state"] != "unexplored")));
    assert!(olad.told.contains("there is nothing beyond this room"), "the last room says so");
    let last = rooms(&dump).last().expect("a room");
    let items = last["items"].as_array().expect("items").len();
    assert!(items > 1, "what lies there grows with the house: {last}");
}

#[test]
fn e31_e40_rest_rooms_start_clear_and_lever_may_be_remote() {
    let changes = [
        ("themes/well.toml", "\nfar_lever_percent = 40\n", "\nfar_lever_percent = 100\n"),
        ("themes/well.toml", "kind = \"puzzle\"\nweight = 8", "kind = \"puzzle\"\nweight = 60"),
        ("themes/well.toml", "\nlever_weight = 12\n", "\nlever_weight = 1000\n"),
    ];
    let server = hero_server_with(&changes, &["world.seed=3"]);
    let mut olad = Delver::create(&server, "Olad");
    olad.all(&["down", "north"]);
    let barred = olad
        .seek(80, |delver, seen| delver.here()["clear"] == false && seen.contains("its chain runs through"));
    assert!(barred, "{}", olad.ask("look"));
    let gate = olad.num();
    let seen = olad.ask("look");
    let back = ["one room back", "two rooms back", "three rooms back"];
    let back = back.iter().position(|phrase| seen.contains(phrase)).expect("where the lever is") + 1;
    let dump = server.control(&["dump-branch", "1"]);
    for _ in 0..back {
        let room = rooms(&dump).iter().find(|room| room["num"] == olad.num()).expect("a room of the branch");
        let way = exits(room).iter().find(|exit| exit["back"] == true).expect("a way back");
        assert!(olad.walk(way["dir"].as_str().expect("a direction")));
    }
    assert!(olad.ask("look").contains("a chain runs from it into the stone"));
    let mut pulls = 0;
    while !olad.ask("pull lever").contains("falls silent") {
        pulls += 1;
        assert!(pulls < 40);
    }
    let dump = server.control(&["dump-branch", "1"]);
    let gate = rooms(&dump).iter().find(|room| room["num"] == gate).expect("the room with the portcullis");
    assert_eq!(gate["clear"], true, "a lever in one room clears another");
    let mut kinds: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
    for room in rooms(&dump) {
        let (kind, num) = (room["kind"].as_str().expect("a kind"), room["num"].as_i64().expect("a number"));
        kinds.entry(kind).or_default().insert(olad.born_clear[&num]);
    }
    assert!(kinds["dungeon"].contains(&false), "{kinds:?}");
    let peaceful: Vec<_> =
        ["rest", "hint", "shrine", "merchant"].iter().filter_map(|kind| kinds.get(kind)).collect();
    assert!(
        !peaceful.is_empty() && peaceful.iter().all(|born| **born == BTreeSet::from([true])),
        "{kinds:?}"
    );
}
