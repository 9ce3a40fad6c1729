//! Shouts, channels, ignoring, and reports to staff: audibility and limits.

use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Span;
use deepwell::base::limits::Limits;
use deepwell::game::GameConfig;

fn game_with_players(config: GameConfig, names: &[&str]) -> Table {
    let mut table = Table::new(config);
    for name in names {
        table.sit(name);
    }
    for name in names {
        table.hears(name);
    }
    table
}

/// A shout names its speaker, and is heard in near rooms with the direction, no farther.
#[test]
fn t4_shout_is_heard_in_near_rooms_with_direction() {
    let mut table = game_with_players(seeded(1), &["Olad", "Bera", "Cato", "Dora"]);
    table.types("Bera", "north");
    table.types_all("Cato", &["down", "east"]);
    for name in ["Olad", "Bera", "Cato", "Dora"] {
        table.hears(name);
    }
    assert_eq!(table.types("Olad", "shout over here!"), "You shout: over here!");
    assert_eq!(table.hears("Dora"), "Olad shouts: over here!");
    assert_eq!(table.hears("Bera"), "Olad shouts from the south: over here!");
    assert_eq!(table.hears("Cato"), "", "what is said above is not heard in a branch");
    table.waits(Span::secs(60));
    table.types("Bera", "west");
    table.hears("Olad");
    assert_eq!(table.types("Bera", "shout here"), "You shout: here");
    assert_eq!(table.hears("Olad"), "Bera shouts from the north: here");
}

/// `where` lists near players in words, one a line, with the path; players elsewhere are not listed.
#[test]
fn protocols_10_where_lists_near_players_and_paths() {
    let mut table = game_with_players(seeded(1), &["Olad", "Bera", "Cato"]);
    table.types("Bera", "north");
    table.types_all("Cato", &["down", "east"]);
    let here = table.room("Olad").sheet.name.clone();
    let there = table.room("Bera").sheet.name.clone();
    assert_eq!(table.types("Olad", "where"), format!("You are in {here}.\nBera is in {there}: north."));
    assert_eq!(table.types("Bera", "where"), format!("You are in {there}.\nOlad is in {here}: south."));
    let below = table.types("Cato", "where");
    assert!(below.contains(", on dungeon level 1.\nNobody else is near."), "{below}");
    table.types("Bera", "south");
    assert!(table.types("Olad", "where").ends_with("\nBera is here."));
}

/// `where` is limited to eight rooms.
#[test]
fn where_is_limited_to_eight_rooms() {
    let mut table = game_with_players(seeded(1), &["Olad", "Bera"]);
    table.make_owner("Olad");
    for _ in 0..9 {
        table.types_all("Olad", &["dig Hall = ladder, rope", "ladder"]);
    }
    assert!(table.types("Bera", "where").ends_with("\nNobody else is near."), "nine rooms away");
    table.types("Olad", "rope");
    let near = table.types("Bera", "where");
    assert!(near.contains("\nOlad is in Hall: ladder, then ladder"), "eight rooms away: {near}");
}

#[test]
fn n1_shouts_are_rate_limited() {
    let mut table = game_with_players(seeded(1), &["Olad", "Bera"]);
    table.types("Olad", "shout one");
    assert!(table.types("Olad", "shout two").contains("out of breath"));
    assert_eq!(table.hears("Bera"), "Olad shouts: one");
    table.waits(Span::secs(CATALOG.rules.talk.shout_secs.into()));
    assert_eq!(table.types("Olad", "shout three"), "You shout: three");
    assert_eq!(table.types("Olad", "shout"), "What do you want to say?");
}

/// There are two channels; each can be switched off and on, and the choice is stored.
#[test]
fn channels_can_be_switched_off_and_on() {
    let mut table = game_with_players(seeded(1), &["Olad", "Bera"]);
    assert_eq!(table.types("Olad", "newbie where is the shop?"), "[Newbie] Olad: where is the shop?");
    assert_eq!(table.hears("Bera"), "[Newbie] Olad: where is the shop?");
    let list = table.types("Bera", "channel newbie off");
    assert!(list.contains("newbie: off, for questions") && list.contains("ooc: on"), "{list}");
    table.restart();
    table.hears("Bera");
    table.types("Olad", "newbie anybody?");
    assert_eq!(table.hears("Bera"), "");
    assert!(table.types("Bera", "newbie me").contains("Type channel newbie on"));
    table.types("Olad", "ooc hello");
    assert_eq!(table.hears("Bera"), "[Ooc] Olad: hello");
    table.types("Bera", "channel newbie on");
    table.types("Olad", "newbie anybody?");
    assert_eq!(table.hears("Bera"), "[Newbie] Olad: anybody?");
    assert!(table.types("Bera", "channel gossip off").contains("no channel \"gossip\""));
    assert!(table.types("Bera", "channel ooc sometimes").contains("on or off"));
}

/// Ignored players are not heard on any channel, with any character, also after a restart; they are not told.
#[test]
fn ignored_players_are_not_heard_on_any_channel() {
    let mut table = game_with_players(seeded(1), &["Olad", "Bera"]);
    assert_eq!(table.types("Bera", "ignore"), "You ignore nobody.");
    assert_eq!(table.types("Bera", "ignore olad"), "You no longer hear Olad.");
    assert_eq!(table.hears("Olad"), "");
    table.restart();
    table.hears("Bera");
    for door in ["say", "emote", "tell bera", "ooc", "newbie", "shout"] {
        let echo = table.types("Olad", &format!("{door} hello"));
        assert!(echo.contains("hello"), "{door}: {echo}");
        assert_eq!(table.hears("Bera"), "", "{door}");
    }
    assert!(table.types("Bera", "reply what?").contains("Nobody has told you anything yet."));
    table.types_all("Olad", &["character new Cato", "character play Cato"]);
    table.hears("Bera");
    table.types("Olad", "say hello from another mouth");
    assert_eq!(table.hears("Bera"), "");
    assert_eq!(table.types("Bera", "ignore"), "You ignore Olad.");
    assert_eq!(table.types("Bera", "ignore olad"), "You hear Olad again.");
    table.types("Olad", "say hello");
    assert_eq!(table.hears("Bera"), "Cato says: hello");
    assert!(table.types("Bera", "ignore bera").contains("hearing yourself"));
}

#[test]
fn ignored_player_cannot_give_items() {
    let mut table = game_with_players(seeded(1), &["Olad", "Bera"]);
    table.types("Bera", "ignore olad");
    let read = table.types("Olad", "give 1 copper to bera");
    assert_eq!(read, "Bera takes nothing from you.");
    assert_eq!(table.hears("Bera"), "");
    assert!(table.types("Bera", "give 1 copper to olad").starts_with("You give Olad one copper"));
}

#[test]
fn n1_number_of_ignored_players_is_bounded() {
    let mut config = seeded(1);
    config.limits.ignored = 1;
    let mut table = game_with_players(config, &["Olad", "Bera", "Cato"]);
    table.types("Olad", "ignore bera");
    assert!(table.types("Olad", "ignore cato").contains("1 people and no more"));
}

/// Reports survive a restart, are read by staff, limited per account, and deleted when closed.
#[test]
fn reports_are_stored_read_by_staff_and_bounded() {
    let mut config = seeded(1);
    config.limits.reports_per_account = 2;
    let mut table = game_with_players(config, &["Olad", "Bera"]);
    assert!(table.types("Bera", "bug the well is dry").contains("That is report 1"));
    assert!(table.types("Bera", "typo it says 'wel'").contains("That is report 2"));
    assert!(table.types("Bera", "idea a bench").contains("too many reports"));
    assert!(table.types("Bera", "bug").contains("what you want to report"));
    assert!(table.types("Bera", "reports").contains("no command"), "players do not read them");
    table.make_owner("Olad");
    table.restart();
    let list = table.types("Olad", "reports");
    assert!(list.starts_with("Reports: 2 waiting\n2, typo, by Bera, "), "{list}");
    assert!(
        list.contains("1, bug, by Bera, ") && list.contains("in Well Square, room 1: the well is dry"),
        "{list}"
    );
    assert!(table.types("Olad", "reports 1").contains("the well is dry"));
    assert_eq!(table.types("Olad", "reports done 1"), "Report 1 is settled.");
    assert!(table.types("Olad", "reports 1").contains("no report 1"));
    assert!(table.types("Bera", "idea a bench").contains("That is report 3"), "a number is never used twice");
}

#[test]
fn prompt_command_sets_the_prompt() {
    let mut table = game_with_players(seeded(1), &["Olad"]);
    assert!(table.types("Olad", "prompt").contains("prompt: full. "));
    assert!(table.types("Olad", "prompt brief").contains("prompt: brief"));
    assert!(table.types("Olad", "prompt loud").contains("full, brief, off"));
}

/// With brief rooms a description is shown once per connection, and for each `look`.
#[test]
fn brief_rooms_are_described_once_per_connection() {
    let described = |limits: Limits| {
        let mut table = Table::new(GameConfig { limits, ..seeded(7) });
        table.sit("Olad");
        table.types("Olad", "config brief on");
        let mut reads = |line: &str| {
            let read = table.types("Olad", line);
            let here = table.body("Olad").room;
            read.contains(&table.world().rooms[here].sheet.description)
        };
        ["north", "south", "north", "look"].map(&mut reads)
    };
    assert_eq!(described(Limits::default()), [true, false, false, true]);
    assert_eq!(described(Limits { rooms_known: 0, ..Limits::default() }), [true; 4], "A8: nothing is kept");
}
