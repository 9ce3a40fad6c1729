//! Titles, AFK, whois, and automatic fleeing (wimpy).

use crate::arena::{arena, changes, enemy};
use crate::table::{Table, seeded};
use deepwell::base::Span;

fn two() -> Table {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.sit("Bera");
    table.hears("Olad");
    table
}

/// A title is limited in length, shown with the name, and stored; players who ignore its owner do not see it.
#[test]
fn a8_title_is_bounded_shown_and_hidden_by_ignore() {
    let mut table = two();
    assert_eq!(table.types("Olad", "title with wet boots"), "You are known as Olad, with wet boots.");
    assert!(table.types("Bera", "who").ends_with("\nBera, level 1\nOlad, with wet boots, level 1"));
    table.restart();
    assert!(table.types("Bera", "whois olad").starts_with("Olad, with wet boots\nLevel 1.\nAwake just now."));
    table.types("Bera", "ignore olad");
    assert!(table.types("Bera", "who").ends_with("\nOlad, level 1"));
    let long = table.types("Olad", &format!("title {}", "long ".repeat(20)));
    assert_eq!(long, "At most 40 letters may stand behind your name.");
    assert_eq!(table.types("Olad", "title off"), "Nothing stands behind your name.");
}

/// Staff can remove a title; a muted player cannot set one.
#[test]
fn staff_remove_titles_and_muted_players_set_none() {
    let mut table = two();
    table.make_owner("Bera");
    table.types("Olad", "title the Foul");
    table.hears("Olad");
    assert_eq!(table.types("Bera", "untitle olad"), "Nothing stands behind Olad's name.");
    assert!(table.hears("Olad").contains("Staff have taken away the words behind your name."));
    table.types("Bera", "mute olad for 1h noise");
    assert!(table.types("Olad", "title the Fouler").contains("You are muted"));
    assert_eq!(table.types("Bera", "who olad"), "One climber is awake:\nOlad, level 1");
}

/// A pose replaces the player's line in the room, until the player leaves or ends it.
#[test]
fn pose_is_shown_in_the_room_until_the_player_leaves() {
    let mut table = two();
    assert_eq!(table.types("Olad", "pose leans on the wall."), "Others read: Olad leans on the wall.");
    assert!(table.types("Bera", "look").contains("\nOlad leans on the wall."));
    table.restart();
    let view = table.types("Bera", "look");
    assert!(view.contains("\nOlad leans on the wall.") && !view.contains("Olad is here"), "{view}");
    table.types("Olad", "rest");
    assert!(table.types("Bera", "look").contains("Olad is here, resting."));
    table.types("Olad", "stand");
    assert!(table.types("Bera", "look").contains("Olad leans on the wall."));
    assert!(
        table.types("Olad", "look").lines().all(|line| !line.contains("Olad")),
        "not shown to the player"
    );
    table.types_all("Olad", &["north", "south"]);
    assert!(table.types("Bera", "look").contains("Olad is here."));
    table.types("Olad", "pose sits down");
    assert_eq!(table.types("Olad", "pose none"), "You are here, in no pose.");
    let long = table.types("Olad", &format!("pose {}", "x".repeat(81)));
    assert_eq!(long, "At most 80 letters may tell how you stand.");
    table.types("Bera", "ignore olad");
    table.types("Olad", "pose sits down");
    assert!(table.types("Bera", "look").contains("Olad is here."), "an ignored player's words are hidden");
}

/// At most as many poses are shown as players are named; other players are counted.
#[test]
fn poses_of_a_crowd_are_bounded() {
    let mut config = seeded(1);
    config.limits.people_named = 2;
    let mut table = Table::new(config);
    for name in ["Olad", "Bera", "Cato", "Dora", "Emil"] {
        table.sit(name);
        table.types(name, "pose hums");
    }
    let view = table.types("Emil", "look");
    assert!(view.contains("Olad hums.") && view.contains("Bera hums."), "{view}");
    assert!(view.contains("Cato and Dora are here."), "{view}");
    assert!(table.types("Olad", "look").contains("Cato, Dora and one other are here."), "{view}");
}

/// Others read the appearance behind the name; muted players cannot write one, and staff can take it away.
#[test]
fn appearance_is_seen_by_others_unless_ignored_or_taken_away() {
    let mut table = two();
    table.make_owner("Bera");
    let usual = "A climber in worn clothes";
    assert!(table.types("Bera", "look olad").starts_with(usual));
    let answer = table.types("Olad", "appearance A tall man.\u{1b}[31m\nExits: none");
    assert!(answer.starts_with("Whoever looks at you sees this. Olad: A tall man."), "{answer}");
    let seen = table.types("Bera", "look olad");
    assert!(
        seen.starts_with("Olad: A tall man.") && seen.lines().all(|line| line != "Exits: none"),
        "{seen}"
    );
    table.types("Bera", "ignore olad");
    assert!(table.types("Bera", "look olad").starts_with(usual));
    table.types("Bera", "unignore olad");
    table.types("Olad", "pose glares");
    assert_eq!(table.types("Bera", "unpose olad"), "Olad looks as others do.");
    assert!(table.hears("Olad").contains("Staff have taken away how you look and how you stand."));
    assert!(table.types("Bera", "look olad").starts_with(usual));
    assert!(table.types("Bera", "look").contains("Olad is here."));
    table.types("Bera", "mute olad for 1h noise");
    for line in ["pose glares", "appearance ugly"] {
        assert!(table.types("Olad", line).contains("You are muted"), "{line}");
    }
    assert!(table.types("Olad", &format!("appearance {}", "x".repeat(601))).contains("You are muted"));
}

/// A tell to an AFK player reports the AFK message; the next command clears the flag.
#[test]
fn tell_reports_afk_until_next_command() {
    let mut table = two();
    table.types("Olad", "afk soup");
    assert_eq!(table.types("Bera", "tell olad hello"), "You tell Olad: hello\nOlad is away just now: soup");
    assert!(table.types("Bera", "who").contains("Olad, level 1 (away)"));
    table.hears("Olad");
    assert!(table.types("Olad", "hp").starts_with("You are back.\n"));
    assert_eq!(table.types("Bera", "tell olad hello"), "You tell Olad: hello");
}

/// `who` filters by name prefix, and `finger` shows the time of the last logout.
#[test]
fn who_and_finger_find_players_by_name() {
    let mut table = two();
    assert_eq!(table.types("Olad", "who be"), "One climber is awake:\nBera, level 1");
    assert_eq!(table.types("Olad", "who zz"), "Nobody whose name begins so is awake.");
    table.types("Bera", "quit");
    table.waits(Span::secs(90));
    assert_eq!(table.types("Olad", "finger bera"), "Bera\nLevel 1.\nLast seen 90 seconds ago.");
}

/// A player flees automatically below the set percentage of hit points.
#[test]
fn wimpy_flees_below_its_threshold_only() {
    let mut table = arena();
    let (olad, orc) = (table.body("Olad").id, enemy(&table));
    changes(&mut table, orc, |orc| (orc.attack, orc.hp, orc.max_hp) = (0, 500, 500));
    assert!(table.types("Olad", "wimpy 95").contains("A number from 0 to 90"));
    table.types("Olad", "wimpy 50");
    table.types("Olad", "kill orc");
    table.hears("Olad");
    table.waits(Span::secs(30));
    assert!(!table.hears("Olad").contains("Your chance was"), "unhurt one stays");
    changes(&mut table, olad, |body| body.hp = body.max_hp / 4);
    table.waits(Span::secs(60));
    assert!(table.hears("Olad").contains("Your chance was"), "below half one runs");
}

/// A long list has pages, and each page has the players that the page before leaves out.
#[test]
fn who_shows_a_hundred_players_per_page() {
    let mut table = Table::new(seeded(1));
    let letter = |digit: usize| char::from(b"abefghkops"[digit]);
    let name = |n: usize| format!("Climber{}{}{}", letter(n / 100), letter(n / 10 % 10), letter(n % 10));
    for n in 0..103 {
        table.sit(&name(n));
    }
    let first = table.types(&name(0), "who");
    assert!(
        first.starts_with("103 climbers are awake:\nClimberaaa, level 1\nClimberaab, level 1\n"),
        "{first}"
    );
    assert!(first.ends_with("And 3 more: put page 2 behind it, or the beginning of a name."), "{first}");
    let last = "103 climbers are awake:\nClimberbaa, level 1\nClimberbab, level 1\nClimberbae, level 1";
    assert_eq!(table.types(&name(0), "who page 2"), last);
    assert_eq!(table.types(&name(0), "who climberb page 1"), last.replacen("103", "3", 1));
    assert!(table.types(&name(0), "who page 3").ends_with("There are no more pages than 2."));
}
