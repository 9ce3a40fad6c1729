//! Fittings of rooms by builders: flags, hidden exits, dark rooms and lights, locked containers, and furniture.

use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::catalog::{RoomSheet, SettingValues};

/// Olad (owner) on the floor of the mill, and Bera with him.
fn mill(lines: &[&str]) -> Workshop {
    let mut shop = Workshop::with_mill();
    for line in lines {
        let answer = shop.table.types("Olad", line);
        for no in ["There is no ", "expected", "has no setting"] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
    let here = shop.table.room("Olad").id;
    shop.table.sit("Bera");
    shop.table.make_owner("Bera");
    shop.table.types("Bera", &format!("goto #{here}"));
    shop
}

/// Bera carries one of each of these items.
fn carries(shop: &mut Workshop, things: &[&str]) {
    for item in things {
        shop.table.types("Olad", &format!("spawn {item}"));
        let answer = shop.table.types("Bera", &format!("get {}", item.replace('_', " ")));
        assert!(answer.contains("You take"), "{answer}");
    }
}

#[test]
fn settings_of_rooms_and_exits_are_listed() {
    let mut shop = mill(&["set here dark = yes", "set up hidden = yes", "set up door = hatch"]);
    let answer = shop.table.types("Olad", "set here");
    for line in [
        "Settings of Mill Floor, room ",
        "environment: wood (one word; default none). Kind of place",
        "key: mill_floor (one word; default the name). Name of the room in its zone file.",
        "fights: no (yes or no; default no). Creatures may be fought here.",
        "dark: yes (yes or no; default no). Players see the exits and nothing else",
        "no_recall: no (yes or no; default no). `recall` does not work here.",
    ] {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    let answer = shop.table.types("Olad", "set up");
    for line in [
        "Settings of the exit up\ndoor: hatch (",
        "\nkey: none (an item by key, or none; ",
        "\nhidden: yes (yes or no",
    ] {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    assert!(shop.table.types("Olad", "set here dark = maybe").contains("dark takes yes or no."));
}

/// Each setting of the table goes through the list, the commands that make the room again, the file, and `undo`.
#[test]
fn each_setting_of_a_room_is_listed_retyped_exported_and_undone() {
    let mut shop = mill(&[]);
    let text_before = shop.exported("mill");
    let mut typed = Vec::new();
    for setting in RoomSheet::settings() {
        let name = setting.name;
        let (value, bad) = match &setting.values {
            SettingValues::Word(..) => ("slate".to_owned(), "two words".to_owned()),
            SettingValues::Number(range) => (range.start().to_string(), (range.end() + 1).to_string()),
            other => panic!("a value of the form {other:?}"),
        };
        let answer = shop.table.types("Olad", &format!("set here {name} = {bad}"));
        assert!(answer.contains(&format!("{name} takes ")) && answer.contains(", or none."), "{answer}");
        let answer = shop.table.types("Olad", &format!("set here {name} = {value}"));
        assert!(answer.contains(&format!("{name} is {value} now.")), "{answer}");
        assert!(shop.table.types("Olad", "set here").contains(&format!("\n{name}: {value} (")));
        typed.push(format!("set here {name} = {value}\n"));
        let value = if value == "slate" { "\"slate\"" } else { &value };
        let line = format!("\n{name} = {value}\n");
        let (before, after) = (&text_before, shop.exported("mill"));
        assert_eq!((before.matches(&line).count(), after.matches(&line).count()), (0, 1), "{line}");
    }
    assert!(shop.table.types("Olad", "examine here").contains(&typed.concat()));
    for _ in RoomSheet::settings() {
        shop.table.types("Olad", "undo");
    }
    assert_eq!(shop.exported("mill"), text_before);
    // A room without an environment is imported, too.
    shop.table.types("Olad", "set here environment = none");
    let text = shop.exported("mill");
    shop.table.types("Olad", "set here environment = slate");
    let answer = shop.types("Olad", "zone import mill");
    assert!(!answer.contains("environment"), "{answer}");
    assert_eq!(shop.exported("mill"), text);
}

#[test]
fn room_with_a_capacity_lets_no_more_players_in() {
    let mut shop = mill(&["up", "set here capacity = 1", "down"]);
    shop.table.types("Bera", "up");
    assert!(shop.table.types("Olad", "up").contains("Mill Loft is full. Wait until somebody comes out."));
    shop.table.types("Bera", "down");
    assert!(shop.table.types("Olad", "up").contains("Mill Loft"));
    assert_eq!(shop.table.room("Olad").sheet.name, "Mill Loft");
}

#[test]
fn flags_and_hidden_exits_are_in_the_zone_file_and_can_be_undone() {
    let mut shop = mill(&["set here dark = yes", "set here no_recall = yes", "set up hidden = yes"]);
    let text = shop.exported("mill");
    assert!(text.contains("dark = true\nno_recall = true\n"), "{text}");
    assert!(text.contains("name = \"up\"\nto = \"mill_loft\"\nhidden = true\n"), "{text}");
    let retyped = shop.table.types("Olad", "examine here");
    assert!(retyped.contains("set here dark = yes\nset here no_recall = yes"), "{retyped}");
    for _ in 0..3 {
        shop.table.types("Olad", "undo");
    }
    let text = shop.exported("mill");
    assert!(!text.contains("dark = true") && !text.contains("hidden = true"), "{text}");
}

#[test]
fn recall_does_not_work_where_a_flag_forbids_it() {
    let mut shop = mill(&["set here no_recall = yes"]);
    assert!(shop.table.types("Bera", "recall").contains("recall does not work in this room"));
    shop.table.types("Olad", "set here no_recall = no");
    assert!(shop.table.types("Bera", "recall").contains("You close your eyes"));
}

#[test]
fn room_key_can_be_changed() {
    let mut shop = mill(&[]);
    for (line, answer) in [
        ("set here key = Big Floor", "A key has only"),
        ("set here key = mill_loft", "Another room of this zone has the key mill_loft."),
        ("set here key = floor", "The key of this room is mill/floor now."),
    ] {
        let reply = shop.table.types("Olad", line);
        assert!(reply.contains(answer), "{line}: {reply}");
    }
    assert!(shop.exported("mill").contains("key = \"floor\"\nname = \"Mill Floor\""));
    shop.table.types_all(
        "Olad",
        &["make quest visit = Visit", "set quest visit steps = floor reach = \"mill/floor\", text = \"Go.\""],
    );
    let answer = shop.table.types("Olad", "set here key = ground");
    assert!(
        answer.contains("The key of this room is mill/ground now.\nThe new key is known to the quest visit."),
        "{answer}"
    );
    shop.table.types("Olad", "undo");
    assert!(shop.exported("mill").contains("key = \"floor\"\nname = \"Mill Floor\""));
}

/// A hidden exit is neither shown nor passable until a search finds it, and only for the player who searched.
#[test]
fn hidden_exit_is_found_by_a_search() {
    let mut shop = mill(&["set up hidden = yes"]);
    let table = &mut shop.table;
    table.charts("Bera");
    assert!(!table.types("Bera", "look").contains("up"));
    for line in ["up", "go up", "look up", "open up"] {
        let answer = table.types("Bera", line);
        assert!(!answer.contains("Mill Loft"), "{line}: {answer}");
    }
    assert!(!table.types("Bera", "exits").contains("up:"));
    let found = table.types("Bera", "search");
    assert!(found.contains("You search the place, and find a way: up."), "{found}");
    assert!(table.charted("Bera").last().is_some_and(|room| room.exits.contains_key("u")));
    assert!(table.types("Bera", "search").contains("find nothing that you did not know"));
    table.restart();
    assert!(table.types("Bera", "up").contains("Mill Loft"), "the way is remembered");
    let here = table.types("Olad", "exits");
    assert!(!here.contains("up:"), "Olad has not searched: {here}");
}

/// Without a light a dark room shows its exits alone; a burning lamp shows it to all who are there.
#[test]
fn dark_room_is_seen_by_the_light_of_a_lamp() {
    let mut shop = mill(&["detail sack = Flour.", "spawn torch_stub"]);
    carries(&mut shop, &["clay_lamp"]);
    shop.table.types("Olad", "set here dark = yes");
    let seen = shop.table.types("Bera", "look");
    assert!(seen.contains("too dark to see more than the ways out") && seen.contains("Exits: "), "{seen}");
    assert!(!seen.contains("torch") && !seen.contains("Olad") && seen.contains("Something breathes here."));
    for line in ["look sack", "get torch", "look olad", "read sack"] {
        let answer = shop.table.types("Bera", line);
        assert!(answer.contains("It is too dark"), "{line}: {answer}");
    }
    let lamp = shop.table.types("Bera", "look lamp");
    assert!(lamp.contains("It is a light, for about 60 minutes."), "{lamp}");
    assert!(shop.table.types("Bera", "light lamp").contains("You light the clay lamp."));
    assert!(shop.table.types("Olad", "look").contains("torch stub lies here"));
    assert!(shop.table.types("Bera", "inventory").contains("burning clay lamp"));
    assert!(shop.table.types("Bera", "light lamp").contains("burns already"));
    assert!(shop.table.types("Bera", "extinguish lamp").contains("You put out the clay lamp."));
    shop.table.types("Olad", "up");
    assert!(shop.table.types("Olad", "scan").contains("Down, in Mill Floor: it is too dark to see."));
    shop.table.types("Olad", "down");
    assert!(shop.table.types("Olad", "look").contains("too dark"));
}

/// Fuel is used only while a lamp burns, also over a restart. An empty lamp takes oil, a torch is gone.
#[test]
fn lights_burn_for_their_time() {
    let mut shop = mill(&[]);
    carries(&mut shop, &["clay_lamp", "torch_stub"]);
    let table = &mut shop.table;
    table.types("Bera", "light lamp");
    table.waits(Span::secs(3_000));
    table.types("Bera", "extinguish lamp");
    table.waits(Span::secs(3_000));
    let lamp = table.types("Bera", "look lamp");
    assert!(lamp.contains("for about 10 minutes"), "{lamp}");
    table.types_all("Bera", &["light lamp", "light torch"]);
    table.restart();
    table.waits(Span::secs(700));
    let text = table.hears("Bera");
    assert!(text.contains("The clay lamp goes out: its oil is used up."), "{text}");
    let answer = table.types("Bera", "light lamp");
    assert!(
        answer.contains("is empty, and you carry no more of what it burns: a flask of lamp oil"),
        "{answer}"
    );
    table.waits(Span::secs(1_200));
    assert!(table.hears("Bera").contains("The torch stub burns down, and goes out."));
    assert!(!table.types("Bera", "inventory").contains("torch"));
    shop.table.types("Olad", "spawn lamp_oil");
    shop.table.types("Bera", "get flask");
    assert!(shop.table.types("Bera", "light lamp").contains("You fill and light the clay lamp."));
    assert!(!shop.table.types("Bera", "inventory").contains("oil"));
    shop.table.types("Bera", "quit");
    let stored =
        shop.table.stored().items.values().find(|row| row.prototype == "clay_lamp").expect("the lamp");
    assert!(stored.burns_until.is_none() && stored.fuel_secs > Some(3_500), "{stored:?}");
}

/// A chest is locked, cannot be carried away, and opens with its key.
#[test]
fn locked_chest_opens_with_its_key() {
    let mut shop = mill(&[
        "make item chest = oak chest",
        "set item chest holds = 4",
        "set item chest class = container",
        "set item chest closes = true",
        "set item chest opens_with = brass_ring",
        "set item chest fixed = true",
        "set item chest filled_with = clay_lamp, torch_stub",
        "spawn chest = 1 every 60",
    ]);
    let table = &mut shop.table;
    for (line, answer) in [
        ("get chest", "The oak chest cannot be moved."),
        ("get all", "Nothing lies here."),
        ("look in chest", "It is shut and locked."),
        ("get lamp from chest", "The oak chest is shut."),
        ("open chest", "The oak chest is locked, and you carry nothing that opens it."),
        ("pick chest", "beyond anybody who has no key"),
    ] {
        let reply = table.types("Bera", line);
        assert!(reply.contains(answer), "{line}: {reply}");
    }
    carries(&mut shop, &["brass_ring"]);
    let table = &mut shop.table;
    assert!(table.types("Bera", "unlock chest").contains("You open the oak chest with the brass ring."));
    assert!(table.types("Bera", "look in chest").contains("a clay lamp and a torch stub"));
    assert!(table.types("Bera", "open chest").contains("is open already"));
    table.types("Bera", "get all from chest");
    table.types("Bera", "close chest");
    assert!(table.types("Bera", "put lamp in chest").contains("The oak chest is shut."));
    table.waits(Span::secs(200));
    table.types("Bera", "open chest");
    assert!(
        table.types("Bera", "look in chest").contains("In it: nothing."),
        "nobody refills it under their eyes"
    );
    table.types_all("Bera", &["up"]);
    table.types_all("Olad", &["up"]);
    table.waits(Span::secs(200));
    table.types_all("Bera", &["down", "open chest"]);
    assert!(table.types("Bera", "look in chest").contains("a clay lamp and a torch stub"));
}

#[test]
fn lock_can_be_picked_if_the_chest_allows_it() {
    let mut shop = mill(&[
        "make item box = tin box",
        "set item box holds = 4",
        "set item box class = container",
        "set item box closes = true",
        "set item box opens_with = brass_ring",
        "set item box pick_percent = 40",
        "spawn box",
    ]);
    let table = &mut shop.table;
    let mut attempts = 0;
    while !table.types("Bera", "pick box").contains("it gives") {
        attempts += 1;
        let answer = table.types("Bera", "pick box");
        assert!(answer.contains("Your hands need a moment"), "{answer}");
        table.waits(Span::secs(10));
        assert!(attempts < 100, "the lock never gives");
    }
    assert!(table.types("Bera", "look in box").contains("In it: nothing."));
}

#[test]
fn bench_has_room_for_so_many() {
    let mut shop = mill(&["make item bench = bench", "set item bench seats = 1", "spawn bench"]);
    let table = &mut shop.table;
    assert!(table.types("Bera", "sit on the bench").contains("You sit down on the bench."));
    assert!(table.hears("Olad").contains("Bera sits down on the bench."));
    assert!(table.types("Olad", "look").contains("Bera is here, resting on the bench."));
    assert!(table.types("Olad", "rest on bench").contains("There is no room left on the bench."));
    assert!(table.types("Bera", "sit on bench").contains("You are resting already."));
    table.types("Bera", "stand");
    assert!(table.types("Olad", "rest on bench").contains("You sit down on the bench."));
    table.types("Olad", "stand");
    table.types("Olad", "spawn torch_stub");
    assert!(table.types("Olad", "rest on torch").contains("The torch stub is nothing to sit on."));
}

/// `destroy NAME in #ROOM` removes one creature or item of another room, and `undo` brings it back.
#[test]
fn creature_or_item_of_another_room_is_destroyed() {
    let mut shop = mill(&["up", "spawn rat", "spawn torch_stub"]);
    let loft = shop.table.room("Olad").id;
    let table = &mut shop.table;
    table.types("Olad", "down");
    let answer = table.types("Olad", &format!("destroy rat in #{loft}"));
    assert!(answer.contains("rat is gone."), "{answer}");
    assert!(table.types("Olad", &format!("destroy torch in #{loft}")).contains("The torch stub is gone."));
    let answer = table.types("Olad", &format!("destroy torch in #{loft}"));
    assert!(answer.contains("There is no"), "{answer}");
    table.types("Olad", "undo");
    assert!(table.types("Olad", "up").contains("torch stub lies here"));
}

#[test]
fn searching_and_opening_run_triggers() {
    let mut shop = mill(&[
        "trigger search = tell A coin glints between the planks.",
        "set up door = hatch",
        "trigger open hatch = tell Flour rains down.",
        "make item box = tin box",
        "set item box holds = 2",
        "set item box class = container",
        "set item box closes = true",
        "trigger item box open = tell It smells of mint.",
        "trigger item box close = tell It clicks.",
        "spawn box",
    ]);
    for (line, answer) in [
        ("search", "A coin glints between the planks."),
        ("open hatch", "Flour rains down."),
        ("open box", "It smells of mint."),
        ("close box", "It clicks."),
    ] {
        let reply = shop.table.types("Bera", line);
        assert!(reply.contains(answer) && !reply.contains("find nothing"), "{line}: {reply}");
    }
}
