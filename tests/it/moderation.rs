//! What staff do against a nuisance: kick, mute, freeze, and that it holds, ends, and is told: A5, A8, W2.

use crate::table::{DAWN, Table, seeded};
use deepwell::base::Span;
use deepwell::game::Closed;
use deepwell::world::{Restraint, Role};

/// Olad owns the world, Helga helps, Bera and Mika play.
fn evening() -> Table {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Helga", "Bera", "Mika"] {
        table.sit(name);
    }
    table.crown("Olad");
    table.types("Olad", "promote helga helper");
    all_hear(&mut table);
    table
}

fn all_hear(table: &mut Table) {
    for name in ["Olad", "Helga", "Bera", "Mika"] {
        table.hears(name);
    }
}

/// Whoever is muted is heard by no door, is told why and until when, and speaks again when it is over.
#[test]
fn whoever_is_muted_is_heard_by_no_door_until_it_is_over() {
    let mut table = evening();
    let answer = table.types("Helga", "mute bera for 2h shouting at everybody.");
    assert_eq!(answer, "Bera is muted until 2027-01-15 10:00 UTC, 2 hours from now.");
    let told = "You are muted until 2027-01-15 10:00 UTC, 2 hours from now: nobody hears what you say. \
                The reason: shouting at everybody.";
    assert_eq!(table.hears("Bera"), format!("Server: {told}"));
    table.types("Mika", "tell bera are you there?");
    all_hear(&mut table);
    for line in ["say a", "'a", "emote a", ":a", "tell mika a", "reply a", "ooc a", "newbie a", "shout a"] {
        assert_eq!(table.types("Bera", line), told, "{line}");
        assert_eq!(table.hears("Mika"), "", "{line}");
    }
    table.types("Mika", "party invite bera");
    table.types("Bera", "party accept");
    table.hears("Mika");
    assert_eq!(table.types("Bera", "party a"), told);
    assert!(table.types("Bera", "north").contains("Exits"), "all else goes on");
    table.restart();
    assert!(table.types("Bera", "say a").starts_with("You are muted until 2027-01-15 10:00 UTC"));
    table.types("Bera", "south");
    table.hears("Bera");
    table.waits(Span::mins(120));
    assert_eq!(table.hears("Bera"), "Server: You are muted no more.");
    assert_eq!(table.types("Bera", "say at last"), "You say: at last");
}

/// A frozen body looks, asks for help and quits, and does nothing else, by no way of typing it.
#[test]
fn whoever_is_frozen_looks_asks_for_help_and_quits() {
    let mut table = evening();
    let room = table.body("Bera").room;
    let answer = table.types("Helga", "freeze bera we have to talk");
    assert_eq!(answer, "Bera is frozen until staff end it.");
    let told = "You are frozen until staff end it: you can look, ask for help, report somebody and quit, and nothing \
                else. The reason: we have to talk.";
    assert_eq!(table.hears("Bera"), format!("Server: {told}"));
    for line in [
        "north",
        "n",
        "go north",
        "say a",
        "get all",
        "ooc a",
        "recall",
        "config brief on",
        "who",
        "nonsense",
        "@n",
    ] {
        assert_eq!(table.types("Bera", line), told, "{line}");
    }
    assert_eq!(table.body("Bera").room, room);
    assert!(table.types("Bera", "look").contains("Exits: "));
    assert!(table.types("Bera", "l").contains("Exits: "));
    assert!(table.types("Bera", "help movement").contains("north"));
    table.restart();
    assert!(table.types("Bera", "north").starts_with("You are frozen"));
    table.types("Bera", "quit");
    table.comes_back("Bera");
    assert!(table.types("Bera", "north").starts_with("You are frozen"));
    assert_eq!(table.types("Helga", "unfreeze bera"), "Bera is frozen no more.");
    assert!(table.types("Bera", "north").contains("Exits"));
    assert_eq!(table.types("Helga", "unfreeze bera"), "Bera is not frozen.");
}

/// Kicked: the client is closed with the reason, the body waits as after any lost link, and may come back.
#[test]
fn whoever_is_kicked_reads_why_and_may_come_back() {
    let mut table = evening();
    let answer = table.types("Helga", "kick bera go and sleep");
    assert!(answer.ends_with("does not move.\nBera is out of the game."), "{answer}");
    let told = "Server: Staff have ended your connection. The reason: go and sleep. You may come back.";
    assert_eq!(table.hears("Bera"), told);
    assert_eq!(table.closed(), [("Bera".to_owned(), Closed::Kicked)]);
    assert!(table.body("Bera").link_dead_until.is_some());
    assert_eq!(table.types("Helga", "kick bera"), "Bera is not connected.");
    assert!(table.comes_back("Bera").contains("take hold of your body"));
}

/// Whoever was away is told when they come back, once, and of what lies on them each time.
#[test]
fn whoever_was_away_is_told_when_they_come_back() {
    let mut table = evening();
    table.types("Bera", "quit");
    table.types("Helga", "mute bera for 1h noise");
    table.types("Helga", "freeze bera for 10m noise");
    table.waits(Span::mins(11));
    table.crash();
    table.comes_back("Olad");
    let read = table.comes_back("Bera");
    let mine: Vec<&str> = read.lines().filter_map(|line| line.strip_prefix("Server: ")).collect();
    let end = (DAWN + Span::mins(60)).utc();
    assert!(mine.iter().any(|line| line.starts_with("You are frozen until")), "{read}");
    assert!(mine.contains(&"You are frozen no more."), "{read}");
    let lies = format!(
        "You are muted until {end}, 49 minutes from now: nobody hears what you say. The reason: noise."
    );
    assert!(mine.contains(&lies.as_str()), "{read}");
    table.types("Bera", "quit");
    let read = table.comes_back("Bera");
    assert!(!read.contains("frozen") && read.contains(&lies), "{read}");
}

/// A5: nobody moderates themselves, their equals or their betters, and players moderate nobody.
#[test]
fn a5_nobody_moderates_somebody_of_their_own_rank_or_above() {
    let mut table = evening();
    table.types("Olad", "promote mika helper");
    all_hear(&mut table);
    let before = table.world().accounts.rows();
    for act in ["kick", "mute", "freeze", "unmute", "unfreeze"] {
        for whom in ["mika", "olad", "helga"] {
            let answer = table.types("Helga", &format!("{act} {whom}"));
            assert_eq!(answer, "You may do that to people below your own rank only.", "{act} {whom}");
        }
        let answer = table.types("Bera", &format!("{act} mika"));
        assert!(answer.starts_with("There is no command"), "{answer}");
    }
    assert!(table.world().accounts.rows() == before && table.closed().is_empty());
}

/// A7: a time is a length with its unit, more than nothing and at most ten years; a name must be somebody's.
#[test]
fn a7_times_and_names_that_are_none_change_nothing() {
    let mut table = evening();
    for time in ["-1h", "0s", "99999999999d", "soon", "1e9", "٣h"] {
        let answer = table.types("Helga", &format!("mute bera for {time} x"));
        assert_eq!(answer, format!("\"{time}\" is no time. Type something like 30m, 2h or 7d."));
    }
    assert!(table.types("Helga", "mute bera for").starts_with("Type mute, a name,"));
    assert!(table.types("Helga", "mute").starts_with("Type mute, a name,"));
    assert!(table.types("Helga", "mute nobody").contains("nobody"));
    assert!(table.world().accounts[table.account("Bera")].sentences.is_empty());
    let long = "x".repeat(5_000);
    table.types("Helga", &format!("mute bera for 1h {long}"));
    let sentence = &table.world().accounts[table.account("Bera")].sentences[&Restraint::Mute];
    assert_eq!((sentence.reason.len(), sentence.by.as_str()), (200, "Helga"));
}

/// A8: what waits to be told to somebody who never comes is bounded, the oldest goes first.
#[test]
fn a8_what_waits_to_be_told_is_bounded() {
    let mut table = evening();
    table.types("Bera", "quit");
    for n in 0..40 {
        table.types("Helga", &format!("mute bera for 1h number {n}"));
    }
    let notices = &table.world().accounts[table.account("Bera")].notices;
    assert_eq!(notices.len(), 20);
    assert!(notices[19].ends_with("number 39.") && notices[0].ends_with("number 20."), "{notices:?}");
}

/// A fight ends for whoever is frozen, so that no blow falls in their name.
#[test]
fn whoever_is_frozen_fights_no_more() {
    let mut table = crate::arena::arena();
    table.sit("Helga");
    let helga = table.account("Helga");
    table.rewrites(|stored| stored.accounts.get_mut(&helga).expect("Helga").role = Role::Owner);
    table.types("Olad", "kill orc");
    assert!(table.body("Olad").target.is_some());
    table.types("Helga", "freeze olad");
    assert!(table.body("Olad").target.is_none());
    assert!(table.types("Olad", "kill orc").starts_with("You are frozen"));
}
