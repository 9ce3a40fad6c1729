//! Flood limits: messages about one player are bounded, `ignore` hides actions as well as speech, and repeated logins
//! are rate limited.

use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::base::limits::Limits;
use deepwell::game::GameConfig;

/// Mika floods; Olad ignores Mika, Bera does not.
fn three(limits: Limits) -> Table {
    let mut table = Table::new(GameConfig { limits, guidance: false, ..seeded(7) });
    for name in ["Mika", "Bera", "Olad"] {
        table.sit(name);
    }
    table.types("Olad", "ignore mika");
    table.hears("Bera");
    table
}

/// Returns the number of lines sent to a player that name Mika.
fn lines_about_mika(table: &mut Table, name: &str) -> usize {
    table.hears(name).lines().filter(|line| line.contains("Mika")).count()
}

#[test]
fn ignore_hides_actions_as_well_as_speech() {
    let mut table = three(Limits::default());
    table.types_all("Mika", &["say boo", "rest", "stand", "north", "south", "smile"]);
    assert!(lines_about_mika(&mut table, "Bera") >= 5);
    assert_eq!(lines_about_mika(&mut table, "Olad"), 0);
    table.types("Olad", "ignore mika");
    table.hears("Olad");
    table.types("Mika", "rest");
    assert_eq!(lines_about_mika(&mut table, "Olad"), 1, "the same again ends it");
}

#[test]
fn n1_action_messages_of_one_character_are_rate_limited() {
    let mut table = three(Limits::default());
    for _ in 0..100 {
        table.types_all("Mika", &["north", "south"]);
    }
    let count = lines_about_mika(&mut table, "Bera");
    assert!((2..=6).contains(&count), "{count} lines of two hundred");
    for _ in 0..100 {
        table.types_all("Mika", &["rest", "stand"]);
    }
    assert!(lines_about_mika(&mut table, "Bera") <= 1);
    table.waits(Span::secs(30));
    table.types_all("Mika", &["north", "south"]);
    assert_eq!(lines_about_mika(&mut table, "Bera"), 2, "a walk later is told again");
}

#[test]
fn n1_messages_to_the_target_of_an_action_are_never_dropped() {
    let mut table = three(Limits { deed_lines: 2, ..Limits::default() });
    for _ in 0..5 {
        table.types_all("Mika", &["rest", "stand"]);
    }
    table.hears("Bera");
    let given = table.types("Mika", "give 1 copper to bera");
    assert!(table.hears("Bera").contains("gives you"), "{given}");
}

#[test]
fn n1_speech_is_rate_limited_by_length_and_audience() {
    let mut table = three(Limits { speech_load: 1_000, ..Limits::default() });
    let long = format!("say {}", "la ".repeat(300));
    let answers: Vec<String> = (0..20).map(|_| table.types("Mika", &long)).collect();
    let refused = answers.iter().filter(|answer| answer.contains("your breath is gone")).count();
    assert!((10..=19).contains(&refused), "{refused} of twenty");
    assert!(table.types("Bera", "say hello").contains("You say: hello"), "others have their own breath");
    table.waits(Span::secs(20));
    assert!(table.types("Mika", "say hello").contains("You say: hello"));
}

#[test]
fn n1_repeated_reconnects_are_rate_limited() {
    let mut table = three(Limits { logins_per_minute: 5, ..Limits::default() });
    let mut came = 0;
    for _ in 0..20 {
        table.break_link("Mika");
        if table.comes_back("Mika").contains("You take hold") {
            came += 1;
        } else {
            break;
        }
    }
    assert!((4..=5).contains(&came), "{came} of twenty");
    assert!(table.refusals().iter().any(|why| why.contains("wait a moment")), "{:?}", table.refusals());
    assert!(lines_about_mika(&mut table, "Bera") <= 8);
}
