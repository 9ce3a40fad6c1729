//! Settings of start rooms and start exits, and protection of the last way into the dungeon.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::{Point, Span};

/// Olad (owner) and Bera at the bottom of the well.
fn well() -> Table {
    let mut config = seeded(3);
    config.dungeon.reset_chance_permille = 0;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.sit("Bera");
    table.types("Olad", "down");
    table.types("Bera", "down");
    table
}

/// Settings of a start room apply to its exits unless overridden. `examine` shows each value and its origin, also after
/// a restart.
#[test]
fn e4_e38_e52_e54_exits_inherit_settings_of_their_start_room() {
    let mut table = well();
    for line in [
        "set here window = 600",
        "set here max_unexplored_exits = 1",
        "set here theme = forest",
        "set east window = 120",
        "set east theme = default",
        "set west theme = default",
    ] {
        assert!(table.types("Olad", line).contains(" now."), "{line}");
    }
    table.restart();
    let room = table.types("Olad", "examine here");
    let east = table.types("Olad", "examine east");
    let west = table.types("Olad", "examine west");
    for (sheet, line) in [
        (&room, "window: 10 minutes, from this room"),
        (&room, "check_interval: 60 minutes, from the server"),
        (&west, "window: 10 minutes, from this room"),
        (&west, "theme: forest, from this room"),
        (&west, "max_new_exits_per_room: "),
        (&east, "window: 2 minutes, from this exit"),
        (&east, "max_unexplored_exits: 1, from this room"),
    ] {
        assert!(sheet.contains(line), "{line}\n{sheet}");
    }
    table.types("Olad", "east");
    table.types("Bera", "west");
    let (own, plain) = (table.branch("Olad").clone(), table.branch("Bera").clone());
    assert_eq!(own.window_ends_at.since(own.opened_at), Span::mins(2));
    assert_eq!(plain.window_ends_at.since(plain.opened_at), Span::mins(10));
    assert_eq!((plain.theme.as_str(), plain.growth.max_unexplored_exits), ("forest", 1));
}

/// Interval settings of a start room take effect immediately and survive a restart.
#[test]
fn e46_e47_e52_start_room_intervals_take_effect_at_once() {
    let mut table = well();
    let well = table.body("Olad").room;
    assert!(table.types("Olad", "set here reset_interval = 40").contains(" now."));
    assert!(table.types("Olad", "set here check_interval = 7200").contains(" now."));
    let tasks = |table: &Table| table.world().start_tasks[well].clone();
    assert_eq!(tasks(&table).next_reset_at.since(table.now()), Span::secs(40));
    assert_eq!(tasks(&table).next_check_at.since(table.now()), Span::mins(120));
    table.types("Olad", "set here window = 60");
    table.types("Olad", "set here reset_chance = 100");
    table.types("Bera", "west");
    table.restart();
    table.waits(Span::secs(50));
    let branch = table.branch("Bera").id;
    assert!(table.world().branches[branch].window_open, "one reset has come, and the window is guaranteed");
    table.waits(Span::secs(40));
    assert!(!table.world().branches[branch].window_open, "the next reset has come");
    assert!(table.types("Olad", "set here reset_interval = default").contains(" now."));
    assert_eq!(tasks(&table).next_reset_at.since(table.now()), Span::mins(5));
    let answer = table.types("Olad", "set here reset_interval = 1");
    assert!(answer.contains("from 10s to"), "{answer}");
    table.types("Olad", "up");
    assert!(table.types("Olad", "set here window = 60").contains("no setting \"window\""));
}

/// Interval settings of an exit override those of its room, immediately and after a restart, and are shown by
/// `examine`. Branches of other exits keep the intervals of the room.
#[test]
fn e46_e47_e52_exit_intervals_override_those_of_the_room() {
    let mut table = well();
    for line in [
        "set here window = 30",
        "set here max_life = 600",
        "set here reset_chance = 100",
        "set here reset_interval = 3600",
        "set east reset_interval = 40",
        "set east check_interval = 20",
    ] {
        assert!(table.types("Olad", line).contains(" now."), "{line}");
    }
    let sheets = |table: &mut Table| {
        ["east", "west", "here"].map(|exit| table.types("Olad", &format!("examine {exit}")))
    };
    for _ in 0..2 {
        let [east, west, here] = sheets(&mut table);
        for (sheet, line) in [
            (&east, "reset_interval: 40 seconds, from this exit"),
            (&east, "check_interval: 20 seconds, from this exit"),
            (&east, "set east reset_interval = 40s"),
            (&west, "reset_interval: 60 minutes, from this room"),
            (&west, "check_interval: 60 minutes, from the server"),
            (&here, "reset_interval: 60 minutes, from this room"),
        ] {
            assert!(
                sheet.contains(line),
                "{line}
{sheet}"
            );
        }
        table.restart();
    }
    table.sit("Gesa");
    table.types("Gesa", "down");
    table.types("Bera", "east");
    table.types("Gesa", "west");
    let (own, plain) = (table.branch("Bera").id, table.branch("Gesa").id);
    table.waits(Span::secs(50));
    table.restart();
    table.waits(Span::secs(40));
    assert!(!table.world().branches[own].window_open, "its exit has been reset");
    assert!(table.world().branches[plain].window_open, "the room has not");
    table.hears("Bera");
    table.waits(Span::secs(540));
    assert!(table.hears("Bera").contains("collapses within"), "told before the check of the exit");
    assert!(table.world().branches.get(own).is_none(), "checked every 20 seconds");
    assert!(table.world().branches.get(plain).is_some(), "checked once an hour");
    assert!(table.types("Olad", "set east reset_interval = default").contains(" now."));
    let [east, ..] = sheets(&mut table);
    assert!(east.contains("reset_interval: 60 minutes, from this room"), "{east}");
    let answer = table.types("Olad", "set east check_interval = 1");
    assert!(answer.contains("from 10s to"), "{answer}");
    assert_eq!(table.game().check(), Vec::<String>::new());
}

/// A start room with players in it or in its branches cannot be deleted, and neither can any part of the last way into
/// the dungeon.
#[test]
fn e5_last_way_into_the_dungeon_cannot_be_destroyed() {
    let mut table = well();
    let answer = table.types("Olad", "destroy Bottom of the Well");
    assert!(answer.contains("Bera is in it or in a branch behind it"), "{answer}");
    table.types("Bera", "west");
    let answer = table.types("Olad", "destroy Bottom of the Well");
    assert!(answer.contains("Bera is in it or in a branch behind it"), "{answer}");
    table.types("Bera", "recall");
    table.types("Olad", "up");
    assert!(table.types("Olad", "destroy cistern").contains("is gone"), "there is the well");
    for line in ["destroy Bottom of the Well", "destroy down", "link down = Climbers' Lodge"] {
        let answer = table.types("Olad", line);
        assert!(answer.contains("build another way first"), "{line}: {answer}");
    }
    // Three of the four exits can be deleted, the last one cannot.
    table.types("Olad", "down");
    for line in ["destroy north", "destroy east", "destroy south"] {
        assert!(table.types("Olad", line).contains("is gone"), "{line}");
    }
    assert!(table.types("Olad", "destroy west").contains("build another way first"));
    // With a second dungeon in the world, this one can be deleted.
    table.types("Olad", "up");
    for line in ["dig Shaft:start = shaft,out", "shaft", "open north:branch", "out"] {
        table.types("Olad", line);
    }
    assert!(table.types("Olad", "destroy Bottom of the Well").contains("is gone"));
    assert!(table.types("Olad", "destroy shaft").contains("build another way first"));
}

#[test]
fn time_settings_accept_units_and_are_shown_unrounded() {
    let mut table = well();
    for (typed, phrase, again) in [
        ("window = 12s", "12 seconds", "window = 12s"),
        ("window = 150", "150 seconds", "window = 150s"),
        ("max_life = 2h", "2 hours", "max_life = 2h"),
        ("reset_interval = 5m", "5 minutes", "reset_interval = 5m"),
        ("check_interval = 1h 30m", "90 minutes", "check_interval = 90m"),
    ] {
        for what in ["here", "east"] {
            let (setting, _) = typed.split_once(' ').expect("a setting");
            let answer = table.types("Olad", &format!("set {what} {typed}"));
            assert!(answer.contains(&format!("{setting} is {phrase} now.")), "{typed}: {answer}");
            let sheet = table.types("Olad", &format!("examine {what}"));
            assert!(sheet.contains(&format!("{setting}: {phrase}, from this")), "{sheet}");
            assert!(sheet.contains(&format!("set {what} {again}")), "{sheet}");
            let answer = table.types("Olad", &format!("set {what} {again}"));
            assert!(answer.contains(" now."), "what is shown can be typed: {answer}");
        }
    }
    for (typed, bounds) in [
        ("window = 0s", "from 1s to"),
        ("window = soon", "from 1s to"),
        ("window = 1500ms", "from 1s to"),
        ("reset_interval = 9s", "from 10s to 7d"),
    ] {
        for what in ["here", "east"] {
            let answer = table.types("Olad", &format!("set {what} {typed}"));
            assert!(answer.contains(bounds) && answer.contains("12s, 5m or 2h"), "{typed}: {answer}");
        }
    }
}

/// E13, C4: a branch exit may have any name. Its branches are entered going north; companions meet in them, and
/// the way back leads out.
#[test]
fn e13_branch_exit_with_a_name_is_entered_going_north() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all("Olad", &["zone new rift", "dig Rim:start = rim, out", "rim", "zone set rift"]);
    let made = table.types("Olad", "open crack;c:branch");
    assert!(!made.contains("leads"), "{made}");
    for refused in ["open up;u:branch", "open northeast:branch", "open in:branch"] {
        let answer = table.types("Olad", refused);
        assert!(answer.contains("or has a name that is no direction"), "{refused}: {answer}");
    }
    table.sit("Bera");
    table.types_all("Bera", &["north", "rim"]);
    assert!(table.types("Olad", "look").contains("Exits: out, crack"));
    table.types("Olad", "crack");
    table.types("Bera", "c");
    let branch = table.branch("Olad").id;
    assert_eq!((table.branch_of("Bera"), table.room("Olad").at), (Some(branch), Point::new(0, 1)));
    table.restart();
    table.types("Bera", "south");
    assert_eq!(table.room("Bera").sheet.name, "Rim");
    table.types("Bera", "crack");
    assert_eq!(table.branch_of("Bera"), Some(branch));
    let file = shop.exported("rift");
    assert!(file.contains("crack"), "{file}");
    let answer = shop.table.types("Olad", &format!("branch reset {branch}"));
    assert!(shop.table.branch_of("Olad").is_some_and(|new| new != branch), "{answer}");
}

/// The texts about branches belong to the start room: its own, or the general ones, which name no well.
#[test]
fn start_room_has_its_own_texts_about_branches() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all("Olad", &["zone new mine", "dig Adit:start = adit, out", "adit", "zone set mine"]);
    table.types("Olad", "open east:branch");
    let general = table.types("Olad", "look");
    assert!(general.contains("or they will be parted.") && !general.contains("the well"), "{general}");
    let own = [
        ("footer", "Miners go down together."),
        ("collapse", "The props crack, and the seam collapses."),
        ("collapse_end", "You lie in the adit, black with coal."),
        ("collapse_seen", "crawls out of the seam."),
    ];
    for (text, sentence) in own {
        let answer = table.types("Olad", &format!("set here {text} = {sentence}"));
        assert!(answer.contains(sentence), "{answer}");
    }
    assert!(table.types("Olad", "look").contains(own[0].1));
    table.sit("Bera");
    table.types_all("Bera", &["north", "adit", "east"]);
    let branch = table.branch("Bera").id;
    table.hears("Olad");
    let seen = table.types("Olad", &format!("branch collapse {branch}"));
    let heard = table.hears("Bera");
    assert!(heard.contains(own[1].1) && heard.contains(own[2].1), "{heard}");
    assert!(seen.contains("Bera crawls out of the seam."), "{seen}");
    let file = shop.exported("mine");
    assert!(own.iter().all(|(text, sentence)| file.contains(&format!("{text} = \"{sentence}\""))), "{file}");
    shop.table.types("Olad", "set here footer = default");
    assert!(shop.table.types("Olad", "look").contains("or they will be parted."));
}
