//! Summary for a returning player: what they had begun, what is open below, and what the town tells since. `news` has the
//! rest.

use crate::arena::{arena, changes, enemy};
use crate::table::{Table, seeded};
use deepwell::base::Span;

/// Leaves for an hour, while others type these lines near its end; returns what the player reads at the login.
fn after_an_hour(table: &mut Table, lines: &[(&str, &str)]) -> String {
    table.types("Olad", "quit");
    table.waits(Span::mins(57));
    for (who, line) in lines {
        table.types(who, line);
    }
    table.waits(Span::mins(3));
    table.comes_back("Olad")
}

#[test]
fn summary_is_told_after_an_absence_and_not_sooner() {
    let mut table = Table::new(seeded(3));
    assert!(!table.sit("Olad").contains("You were last here"), "a new player has not been away");
    let text = after_an_hour(&mut table, &[]);
    assert!(text.contains("You were last here 60 minutes ago."), "{text}");
    assert!(!text.contains("Open below") && !text.contains("While you were away"), "{text}");
    table.break_link("Olad");
    assert!(!table.comes_back("Olad").contains("You were last here"), "it is the same visit");
    table.types("Olad", "quit");
    table.waits(Span::mins(9));
    assert!(!table.comes_back("Olad").contains("You were last here"));
    table.restart();
    let text = after_an_hour(&mut table, &[]);
    assert!(text.contains("You were last here 60 minutes ago."), "{text}");
}

/// Quests begun, an open branch and a mail are told in at most five lines.
#[test]
fn summary_names_quests_open_branches_and_events() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.sit("Bera");
    table.begins_quest("Olad", "fewer_rats");
    let text = after_an_hour(
        &mut table,
        &[("Bera", "mail to Olad = The lamp is yours."), ("Bera", "down"), ("Bera", "north")],
    );
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.starts_with("You were last here 60 minutes ago."))
        .expect("a summary");
    assert!(lines[at].ends_with("You have begun Fewer rats: type quests."), "{text}");
    assert!(lines[at + 1].starts_with("Open below: north at Bottom of the Well, where"), "{text}");
    assert!(text.contains("one unread mail"), "{text}");
    assert!(
        lines[at..].iter().filter(|line| !line.is_empty()).count() <= 6,
        "five lines and a prompt: {text}"
    );
    table.types("Bera", "south");
    table.waits(Span::mins(1));
    let text = after_an_hour(&mut table, &[]);
    assert!(!text.contains("where Bera went"), "{text}");
}

/// A death is told once to who was away, not to who died nor across `ignore`; `news` keeps telling it.
#[test]
fn summary_tells_events_of_others_once() {
    let dies = |table: &mut Table| {
        let orc = enemy(table);
        changes(table, orc, |orc| orc.attack = 500);
        table.types("Olad", "kill orc");
        while table.branch_of("Olad").is_some() {
            table.waits(Span::secs(3));
        }
    };
    let mut table = arena();
    table.sit("Bera");
    table.types("Bera", "quit");
    table.waits(Span::mins(20));
    dies(&mut table);
    table.waits(Span::mins(20));
    let text = table.comes_back("Bera");
    assert!(text.contains("While you were away: ") && text.contains("Olad"), "{text}");
    assert!(table.types("Bera", "news").contains("Told in the town\n"), "{text}");
    let text = after_an_hour(&mut table, &[]);
    assert!(!text.contains("While you were away"), "Olad knows: {text}");
    table.types("Bera", "ignore Olad");
    assert!(!table.types("Bera", "news").contains("Told in the town"));
}
