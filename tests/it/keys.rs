//! New keys of rooms and definitions: what refers to them follows, in both directions.

use crate::packages::with_package;
use crate::table::{CATALOG, Table, seeded};
use crate::village::village;
use crate::workshop::Workshop;
use deepwell::base::{RoomId, Span};
use deepwell::catalog::DefinitionKind;
use std::collections::BTreeSet;

type Named = (DefinitionKind, String);

/// What builders see of a zone, as lines: its file, the texts of definitions, and the vaults.
fn built(shop: &mut Workshop, zone: &str) -> BTreeSet<String> {
    let file = shop.exported(zone);
    let world = shop.table.world();
    let rows = world.definitions.iter().map(|(_, row)| row);
    let made = rows.flat_map(|row| {
        row.text.lines().map(|line| format!("{} {}: {line}", row.kind.name(), row.key)).collect::<Vec<_>>()
    });
    let vaults = world.meta().vaults_created_in_game();
    let vaults = vaults.into_iter().map(|vault| format!("{vault:?}"));
    let keys = rooms(shop, zone).into_iter().map(|(id, key)| format!("room {id}: {key}"));
    file.lines().map(str::to_owned).chain(made).chain(vaults).chain(keys).collect()
}

/// Returns the numbers of mistakes and of lines that `check` answers.
fn findings(shop: &mut Workshop, zone: &str) -> [usize; 2] {
    let answer = shop.types("Olad", &format!("check {zone}"));
    [answer.matches("mistake").count(), answer.lines().count()]
}

/// Asserts that everything in the world is of a kind that there is.
fn assert_known(shop: &Workshop) {
    let (world, known) = (shop.table.world(), definitions(shop));
    let bodies = world
        .characters
        .iter()
        .filter_map(|(_, body)| Some((DefinitionKind::Creature, body.prototype.clone()?)));
    let items = world.items.iter().map(|(_, item)| (DefinitionKind::Item, item.prototype.clone()));
    for (kind, key) in bodies.chain(items) {
        let is_known = CATALOG.defines(kind, &key) || known.contains(&(kind, key.clone()));
        assert!(is_known, "{key} is unknown; known are {known:?}");
    }
}

/// Compares two states line by line.
fn assert_same(now: &BTreeSet<String>, then: &BTreeSet<String>, what: &str) {
    let only = |one: &BTreeSet<String>, other| one.difference(other).cloned().collect::<Vec<_>>();
    assert_eq!(only(now, then), only(then, now), "{what}");
}

fn definitions(shop: &Workshop) -> BTreeSet<Named> {
    shop.table.world().definitions.iter().map(|(_, row)| (row.kind, row.key.clone())).collect()
}

fn rooms(shop: &Workshop, zone: &str) -> Vec<(RoomId, String)> {
    let rooms = shop.table.world().rooms.of_zone(zone);
    rooms.map(|id| (id, shop.table.world().rooms[id].zone_key())).collect()
}

/// Gives each definition and each room the key that `new` makes. Returns the number of new keys.
fn rename_all(shop: &mut Workshop, zone: &str, new: impl Fn(&str) -> String) -> usize {
    let mut number = 0;
    for (kind, key) in definitions(shop) {
        let line = format!("set {} {key} key = {}", kind.name(), new(&key));
        let answer = shop.types("Olad", &line);
        assert!(answer.contains(&format!(" has the key {} now.", new(&key))), "{line}: {answer}");
        assert!(!answer.contains("may name"), "{line}: {answer}");
        number += 1;
    }
    for (id, key) in rooms(shop, zone) {
        shop.types("Olad", &format!("goto #{id}"));
        let answer = shop.types("Olad", &format!("set here key = {}", new(&key)));
        assert!(answer.contains(&format!("The key of this room is {zone}/{} now.", new(&key))), "{answer}");
        assert!(!answer.contains("still named"), "{answer}");
        number += 1;
    }
    number
}

/// New keys everywhere leave a world without mistakes that plays the same; the old keys again, or `undo`, leave the same
/// world.
#[test]
fn every_key_changes_with_its_references_and_back() {
    let worlds: [(fn() -> Workshop, _); 2] = [(village, "brook"), (with_package, "mill")];
    for (open, zone) in worlds {
        let mut shop = open();
        let (before, checked, former) =
            (built(&mut shop, zone), findings(&mut shop, zone), definitions(&shop));
        let number = rename_all(&mut shop, zone, |key| format!("other_{key}"));
        shop.table.restart();
        assert_eq!(findings(&mut shop, zone), checked);
        for (kind, key) in former {
            let used = shop.types("Olad", &format!("set {} {key} zone = none", kind.name()));
            assert!(
                used.contains(&format!("The {} {key} has the key other_{key} now.", kind.noun())),
                "{used}"
            );
        }
        let renamed = built(&mut shop, zone);
        assert_known(&shop);
        for _ in 0..number {
            shop.types("Olad", "undo");
        }
        assert_same(&built(&mut shop, zone), &before, "undo");
        assert_known(&shop);
        for _ in 0..number {
            shop.types("Olad", "redo");
        }
        assert_same(&built(&mut shop, zone), &renamed, "redo");
        rename_all(&mut shop, zone, |key| key.trim_start_matches("other_").to_owned());
        assert_same(&built(&mut shop, zone), &before, "renamed back");
    }
}

/// What was in storage gets the new key when it wakes.
#[test]
fn absent_player_finds_items_and_quests_under_their_new_keys() {
    let mut config = seeded(11);
    config.limits.absent_after = Span::mins(1);
    let mut table = Table::new(config);
    for who in ["Olad", "Bera"] {
        table.sit(who);
        table.make_owner(who);
    }
    table.types_all(
        "Olad",
        &["make item flour_sack = sack of flour", "make quest tails = Tails", "spawn flour_sack"],
    );
    table.types_all("Olad", &["trigger command knock = start tails"]);
    table.types_all("Bera", &["get sack of flour", "knock", "quit"]);
    table.waits(Span::mins(2));
    table.commit();
    assert!(table.world().is_absent(table.account("Bera")));
    for (line, answer) in [
        ("set item flour_sack key = grain_sack", "The item flour_sack has the key grain_sack now."),
        (
            "set quest tails key = three_tails",
            "The quest tails has the key three_tails now.\nThe new key is known to Well Square, room",
        ),
        ("make item flour_sack = other sack", "flour_sack was the key of the item grain_sack. Take another."),
        ("set item flour_sack name = x", "The item flour_sack has the key grain_sack now."),
    ] {
        let heard = table.types("Olad", line);
        assert!(heard.contains(answer), "{line}: {heard}");
    }
    table.restart();
    table.comes_back("Bera");
    assert!(table.types("Bera", "inventory").contains("sack of flour"));
    assert!(table.types("Bera", "quests").contains("Tails"));
    let body = &table.world().characters[table.id("Bera")];
    assert_eq!(body.quests.keys().collect::<Vec<_>>(), ["three_tails"]);
    let carried = table.world().carried(body.id).iter().map(|id| table.world().items[*id].prototype.as_str());
    assert!(carried.into_iter().any(|key| key == "grain_sack"));
}

/// `undo` brings back what was taken away under a former key.
#[test]
fn undo_restores_creatures_and_items_under_their_new_keys() {
    let mut shop = Workshop::with_mill();
    shop.table.sit("Bera");
    shop.table.make_owner("Bera");
    let lines = [
        "make creature mill_rat like rat = flour rat",
        "make item flour_sack = sack of flour",
        "dig Shed = west, east",
        "west",
        "spawn mill_rat",
        "spawn flour_sack",
        "destroy here",
    ];
    shop.types_all("Olad", &lines);
    shop.types_all("Bera", &["set creature mill_rat key = grey_rat", "set item flour_sack key = grain_sack"]);
    let answer = shop.types("Olad", "undo");
    assert!(answer.contains("You take back: destroy here"), "{answer}");
    let view = shop.types("Olad", "goto shed");
    assert!(view.contains("flour rat") && view.contains("sack of flour"), "{view}");
    assert_known(&shop);
}

#[test]
fn keys_that_cannot_be_given_are_refused() {
    let mut shop = with_package();
    for (line, answer) in [
        ("set creature mill_rat key = Mill Rat", "A key has only the letters a to z"),
        ("set creature mill_rat key = rat", "There is a creature rat already."),
        ("set creature rat key = vermin", "The creature rat is in the files of the server or in a draft"),
        ("set theme mill_well key = mill", "mill"),
        ("set creature nothing key = vermin", "There is no creature nothing."),
    ] {
        let heard = shop.types("Olad", line);
        assert!(heard.contains(answer), "{line}: {heard}");
    }
    shop.types_all("Olad", &["zone draft", "set creature mill_rat hp = 9"]);
    let heard = shop.types("Olad", "set creature mill_rat key = vermin");
    assert!(heard.contains("in the files of the server or in a draft; its key stays."), "{heard}");
    shop.types_all("Olad", &["rehearse off"]);
    let heard = shop.types("Olad", "set creature mill_rat key = vermin");
    assert!(heard.contains("mill_draft has a version of the creature mill_rat."), "{heard}");
}
