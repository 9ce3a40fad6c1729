//! Walks of several steps with `go`: their pace, and what ends them.

use crate::explorer::{hero_opens, walks_to};
use crate::table::{CATALOG, Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::world::{ExitState, RoomKind};

/// Olad in the square of the town.
fn town() -> Table {
    let mut table = Table::new(seeded(11));
    table.sit("Olad");
    table
}

/// Time of one step.
fn step() -> Span {
    Span::millis(CATALOG.rules.walk.step_millis.into())
}

fn place(table: &Table) -> &str {
    &table.room("Olad").sheet.name
}

#[test]
fn steps_are_taken_one_at_a_time() {
    for (typed, places) in [
        ("go n w", ["Climbers' Lodge", "Bonesetter's Room", "Bonesetter's Room"]),
        ("go north, west", ["Climbers' Lodge", "Bonesetter's Room", "Bonesetter's Room"]),
        ("walk 1n s n", ["Climbers' Lodge", "Well Square", "Climbers' Lodge"]),
        ("go bonesetter's room", ["Climbers' Lodge", "Bonesetter's Room", "Bonesetter's Room"]),
        ("go healer", ["Climbers' Lodge", "Bonesetter's Room", "Bonesetter's Room"]),
    ] {
        let mut table = town();
        table.types("Olad", typed);
        for expected in places {
            assert_eq!(place(&table), expected, "{typed}");
            table.waits(step());
        }
        assert!(!table.hears("Olad").contains("You stop"), "{typed}");
    }
}

#[test]
fn walk_ends_at_stop_and_at_any_other_move() {
    let mut table = town();
    table.types("Olad", "go n w");
    assert_eq!(table.types("Olad", "stop"), "You stop.");
    table.waits(Span::secs(10));
    assert_eq!(place(&table), "Climbers' Lodge");
    assert!(table.types("Olad", "stop").contains("not fighting"), "only once");
    table.types_all("Olad", &["south", "go n w", "south"]);
    table.waits(Span::secs(10));
    assert_eq!(place(&table), "Well Square");
    table.types_all("Olad", &["go n w", "look", "say hello"]);
    table.waits(step());
    assert_eq!(place(&table), "Bonesetter's Room", "to look and to speak are no moves");
    table.types_all("Olad", &["go e s", "go w"]);
    table.waits(Span::secs(10));
    assert_eq!(place(&table), "Bonesetter's Room", "the second walk replaces the first");
}

/// A walk ends with the first step after a player is frozen.
#[test]
fn frozen_player_walks_no_further() {
    let mut table = town();
    table.sit("Bera");
    table.make_owner("Bera");
    table.types("Olad", "go n s n s");
    table.types("Bera", "freeze olad for 1m noise");
    table.waits(Span::mins(2));
    assert_eq!(place(&table), "Climbers' Lodge", "nor when the freeze has ended");
}

#[test]
fn wrong_ways_and_long_walks_are_refused() {
    let mut config = seeded(11);
    config.limits.walk_steps = 3;
    let mut table = Table::new(config);
    table.sit("Olad");
    for (typed, refusal) in [
        ("go sideways", "You can't go that way."),
        ("go up n", "You can't go that way."),
        ("go 9999999999n", "A walk has 3 steps at most."),
        ("go n s n s", "A walk has 3 steps at most."),
        ("go 0n", "You can't go that way."),
        ("go square", "You are there already."),
        ("go home", "You are there already."),
    ] {
        let answer = table.types("Olad", typed);
        assert!(answer.contains(refusal), "{typed}: {answer}");
        assert_eq!(place(&table), "Well Square", "{typed}");
    }
    table.types("Olad", "go n up");
    table.waits(step());
    assert!(table.hears("Olad").contains("You can't go that way. You stop."));
}

/// A strong Olad who has opened rooms behind the north exit of the well.
fn below(rooms: usize) -> Table {
    let mut config = seeded(11);
    config.dungeon.reset_chance_permille = 0;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    hero_opens(&mut table, "Olad", rooms);
    table
}

/// Waits until a walk ends. Returns all that the player hears.
fn walked(table: &mut Table, typed: &str) -> String {
    let mut heard = table.types("Olad", typed);
    for _ in 0..60 {
        table.waits(step());
        heard += &table.hears("Olad");
    }
    heard
}

#[test]
fn unexplored_exits_are_walked_to_and_a_new_room_stops_the_walk() {
    let mut table = below(6);
    let branch = table.branch("Olad").id;
    let first = table.rooms_of(branch)[0];
    walks_to(&mut table, "Olad", first);
    let mut tries = 0;
    // Creatures on the way stop it.
    while !table.world().exits.of(table.room("Olad").id).any(|exit| exit.state == ExitState::Unexplored) {
        let heard = walked(&mut table, "go unexplored");
        assert!(heard.contains("You stop: "), "{heard}");
        tries += 1;
        assert!(tries < 20, "{heard}");
    }
    let rooms = table.rooms_of(branch).len();
    hero_opens(&mut table, "Olad", rooms + 1);
    hero_opens(&mut table, "Olad", rooms + 2);
    while !table.room("Olad").clear {
        table.types("Olad", "kill");
        table.waits(Span::secs(3));
    }
    let exit = table.world().exits.of(table.room("Olad").id).find(|exit| exit.state == ExitState::Unexplored);
    let exit = exit.map(|exit| exit.name.clone());
    if let Some(exit) = exit {
        let heard = walked(&mut table, &format!("go {exit} {exit}"));
        let stops = ["You stop: you have not been here before.", "is here.", "there is a fight."];
        assert!(stops.iter().any(|reason| heard.contains(reason)), "{heard}");
        assert_eq!(table.rooms_of(branch).len(), rooms + 3);
    }
}

#[test]
fn way_home_stops_where_it_is_left_for_good() {
    let mut table = below(5);
    let start = table.branch("Olad").start_room;
    let mut heard = String::new();
    for _ in 0..20 {
        heard = walked(&mut table, "go home");
        if table.room("Olad").branch.is_none() || heard.contains("you cannot come back") {
            break;
        }
    }
    if heard.contains("you cannot come back") {
        heard = walked(&mut table, "go home");
    }
    assert_eq!(place(&table), "Well Square", "{heard}");
    assert_eq!(table.world().rooms[start].sheet.kind, RoomKind::Start);
}

/// The lodge allows fights: creatures and strangers stop a walk through it, and members of the party do not.
#[test]
fn company_stops_the_walk_where_fights_are_possible() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all("Olad", &["set here fights = yes"]);
    table.sit("Bera");
    table.becomes("Bera", 100, 10);
    for (before, stop) in [
        ("Olad: south", ""),
        ("Olad: north", "You stop: Olad is here."),
        ("Olad: party invite Bera", "You stop: Olad is here."),
        ("Bera: party accept", ""),
        ("Olad: spawn rat", "You stop: "),
    ] {
        let (who, line) = before.split_once(": ").expect("a name and a line");
        table.types(who, line);
        table.types("Bera", "recall");
        let mut heard = table.types("Bera", "go n w");
        table.waits(step());
        heard += &table.hears("Bera");
        let is_through = table.room("Bera").sheet.name == "Bonesetter's Room";
        assert_eq!((is_through, heard.contains("You stop")), (stop.is_empty(), !stop.is_empty()), "{heard}");
        assert!(heard.contains(stop), "{before}: {heard}");
    }
}

#[test]
fn wound_between_two_steps_stops_the_walk() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all("Olad", &["trigger say ouch = bruise 2", "south"]);
    table.sit("Bera");
    table.types_all("Bera", &["go n w", "say ouch"]);
    table.waits(step());
    assert!(table.hears("Bera").contains("You stop: you are hurt."));
    assert_eq!(table.room("Bera").sheet.name, "Climbers' Lodge");
}

#[test]
fn restart_ends_the_walk() {
    let mut table = town();
    table.types("Olad", "go n w");
    table.restart();
    table.waits(Span::secs(10));
    assert_eq!(place(&table), "Climbers' Lodge");
}
