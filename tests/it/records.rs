//! Records of depth, the rankings by them, titles that quests give, and what `who` tells.

use crate::quests::{build, kill_rat, rat_hunt};
use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::game::{GameConfig, Input, WeekRecord};
use deepwell::world::DepthRecord;

/// Olad and Bera in the first room behind the east exit, Olad a minute earlier.
fn two_below(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.types_all(name, &["down", "east"]);
        table.waits(Span::mins(1));
    }
    table
}

/// Puts the records of a character at a depth, as if the player had gone there.
fn deepens(table: &mut Table, name: &str, depth: u32) {
    let who = table.id(name);
    table.edit_stored(|stored| {
        let records = &mut *stored.characters.get_mut(&who).expect("a row").records;
        records.deepest.depth = depth;
        records.week.depth = depth;
        records.exits.values_mut().for_each(|record| record.depth = depth);
    });
}

#[test]
fn records_tell_the_deepest_room_ever_this_week_and_by_exit() {
    let mut table = two_below(seeded(1));
    table.sit("Cato");
    let none = "You have no records yet. They begin with the first room below.";
    assert_eq!(table.types("Cato", "records"), none);
    table.restart();
    let lines = "Deepest room: depth 1, 2 minutes ago.\nThis week: depth 1, 2 minutes ago.\n\
                 Bottom of the Well, east: depth 1, 2 minutes ago.";
    assert_eq!(table.types("Olad", "records"), format!("Your records\n{lines}"));
    assert_eq!(table.types("Cato", "records olad"), format!("The records of Olad\n{lines}"));
    assert_eq!(table.types("Olad", "records cato"), "Cato has no records yet.");
    assert!(table.types("Cato", "records zed").contains("zed"));
}

#[test]
fn rankings_by_depth_put_the_deeper_and_the_earlier_first() {
    let mut table = two_below(seeded(1));
    table.sit("Cato");
    for restarts in [false, true] {
        if restarts {
            table.restart();
        }
        let places = "1. Olad: depth 1, here just now\n2. Bera: depth 1, here just now";
        for (line, heading) in [
            ("top depth", "The greatest depths of all climbers"),
            ("top week", "The greatest depths of this week"),
            ("top east", "The greatest depths behind Bottom of the Well, east"),
            ("top E", "The greatest depths behind Bottom of the Well, east"),
        ] {
            assert_eq!(table.types("Cato", line), format!("{heading}\n{places}"), "{line}");
        }
    }
    deepens(&mut table, "Bera", 5);
    let top = table.types("Cato", "top east");
    assert!(top.contains("\n1. Bera: depth 5") && top.contains("\n2. Olad: depth 1"), "{top}");
    assert!(table.types("Cato", "top").starts_with("The highest levels of all climbers"));
    let answer = table.types("Cato", "top north");
    assert!(answer.starts_with("There are no records behind an exit called \"north\"."), "{answer}");
}

/// A shallower room changes nothing, and writes nothing.
#[test]
fn shallower_rooms_leave_the_records_unchanged() {
    let mut table = two_below(seeded(1));
    deepens(&mut table, "Olad", 5);
    let before = table.body("Olad").records.clone();
    table.types_all("Olad", &["west", "east"]);
    assert_eq!(table.body("Olad").records, before);
}

/// The week begins on Monday, UTC.
#[test]
fn ranking_of_the_week_is_emptied_on_monday() {
    let mut table = two_below(seeded(1));
    for name in ["Olad", "Bera"] {
        table.types(name, "west");
    }
    table.sleeps(Span::mins(7 * 24 * 60));
    table.restart();
    assert!(table.types("Olad", "top week").ends_with("\nNobody yet."));
    assert_eq!(table.game().week_record(), None);
    assert!(!table.types("Olad", "records").contains("This week"));
    table.types_all("Bera", &["down", "north"]);
    assert!(table.types("Olad", "top week").ends_with("\n1. Bera: depth 1, here just now"));
    assert_eq!(table.game().week_record(), Some(WeekRecord { name: "Bera".into(), depth: 1 }));
    assert!(table.types("Bera", "records").contains("\nThis week: depth 1, "));
    let ever = table.types("Olad", "top depth");
    assert!(ever.contains("\n1. Olad: depth 1"), "{ever}");
}

/// Players without fame, and deleted accounts, are in no ranking; others do not read their records.
#[test]
fn rankings_leave_out_players_without_fame_and_deleted_accounts() {
    let mut table = two_below(seeded(1));
    table.types("Olad", "config fame off");
    assert!(table.types("Bera", "top depth").ends_with("\n1. Bera: depth 1, here just now"));
    assert_eq!(
        table.game().week_record().map(|record| record.name),
        Some("Bera".into()),
        "in the public status"
    );
    assert_eq!(table.types("Bera", "records olad"), "Olad wants no fame, and shows no records.");
    assert!(table.types("Olad", "records").starts_with("Your records\n"));
    table.types("Olad", "config fame on");
    let (session, account) = (table.session("Olad"), table.account("Olad"));
    table.step(Input::DeleteAccount { session, account });
    for line in ["top depth", "top week", "top east"] {
        assert!(table.types("Bera", line).ends_with("\n1. Bera: depth 1, here just now"), "{line}");
    }
}

#[test]
fn a8_oldest_exit_record_is_removed_at_the_limit() {
    let mut config = seeded(1);
    config.limits.exit_records = 1;
    let mut table = two_below(config);
    table.types_all("Olad", &["west", "north"]);
    let records = table.body("Olad").records.to_value();
    assert_eq!(records.exits.len(), 1);
    assert!(table.types("Olad", "records").ends_with("\nBottom of the Well, north: depth 1, 0 seconds ago."));
    assert!(records.deepest != DepthRecord::default());
    assert!(!table.types("Bera", "top east").contains("Olad"));
}

/// A title that a quest gives is kept when another one is set, and can be taken again by number or words.
#[test]
fn earned_titles_are_kept_and_chosen_again() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    build(table, &["set quest tails title = of the Tails", "set quest tails repeat = always"]);
    assert_eq!(
        table.types("Bera", "titles"),
        "You have earned no titles. Some quests and achievements give one."
    );
    assert_eq!(table.types("Bera", "title 7"), "You are known as Bera, 7.");
    for _ in 0..2 {
        table.types("Bera", "say hunt");
        kill_rat(table, "Bera");
        kill_rat(table, "Bera");
        table.types_all("Bera", &["south", "north"]);
    }
    let end = "\nType title NUMBER to bear one, or title none to bear none.";
    let list = "Titles that you have earned\n1. of the Tails";
    assert_eq!(table.types("Bera", "titles"), format!("{list}, which you bear.{end}"));
    assert_eq!(table.types("Bera", "title the Plain"), "You are known as Bera, the Plain.");
    table.restart();
    assert_eq!(table.types("Bera", "titles"), format!("{list}.{end}"));
    for line in ["title 1", "title OF THE tails"] {
        assert_eq!(table.types("Bera", "title none"), "Nothing stands behind your name.");
        assert_eq!(table.types("Bera", line), "You are known as Bera, of the Tails.", "{line}");
    }
    let answer = table.types("Bera", "title 2");
    assert_eq!(answer, "You have earned no title 2. Type titles for those that you have.");
}

#[test]
fn a8_oldest_title_is_removed_at_the_limit() {
    let mut shop = rat_hunt();
    let table = &mut shop.table;
    build(table, &["set quest tails title = of the Tails"]);
    let (bera, most) = (table.id("Bera"), 50);
    table.edit_stored(|stored| {
        let titles = (0..most).map(|number| format!("the {number}th")).collect();
        stored.characters.get_mut(&bera).expect("Bera").titles = titles;
    });
    table.types("Bera", "say hunt");
    kill_rat(table, "Bera");
    kill_rat(table, "Bera");
    table.types("Bera", "south");
    let titles = table.body("Bera").titles.to_value();
    assert_eq!(
        (titles.len(), titles[0].as_str(), titles[most - 1].as_str()),
        (most, "the 1th", "of the Tails")
    );
}

/// `who` tells levels, and the room of a player who has chosen so, except to those whom the player ignores.
#[test]
fn who_tells_levels_and_the_place_of_players_who_show_it() {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    assert!(table.types("Bera", "who olad").ends_with("\nOlad, level 1"));
    table.types("Olad", "config place on");
    assert!(table.types("Bera", "who olad").ends_with("\nOlad, level 1, at Well Square"));
    table.types("Olad", "ignore bera");
    assert!(table.types("Bera", "who olad").ends_with("\nOlad, level 1"));
    assert!(!table.game().who().text().contains("Well Square"), "not before the login");
}
