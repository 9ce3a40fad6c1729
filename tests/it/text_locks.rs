//! Text locks: one builder at a time edits a text.

use crate::table::{Table, seeded};
use deepwell::base::Span;

/// Olad and Bera, both builders, in the lodge.
fn builders() -> Table {
    let mut config = seeded(5);
    config.limits.text_lock = Span::mins(30);
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.types(name, "north");
    }
    table.make_owner("Olad");
    table.types("Olad", "promote bera builder");
    table
}

/// The first builder holds the lock; others who edit the same text read the holder and the start time.
#[test]
fn text_being_edited_is_locked_for_others() {
    let mut table = builders();
    table.types("Olad", "describe here");
    let room = table.body("Olad").room;
    for line in ["describe here", "describe here = Mine.", &format!("describe #{room} = Mine.")] {
        let answer = table.types("Bera", line);
        assert!(answer.contains("Olad is writing this text, since 2027-"), "{line}: {answer}");
    }
    assert!(table.types("Bera", "detail tub = It is empty.").contains("reads that"), "another text is free");
    table.types_all("Olad", &["It is warm in here.", "."]);
    assert_eq!(table.room("Olad").sheet.description, "It is warm in here.");
    assert!(table.types("Bera", "describe here = It is cold.").contains("It is written."), "it has ended");
    table.types("Bera", "detail tub;basin");
    assert!(table.types("Olad", "detail tub = Full.").contains("Bera is writing this text"));
    table.types("Bera", "cancel");
    assert!(table.types("Olad", "detail tub = Full.").contains("reads that"));
}

/// The lock is released when its holder disconnects, goes AFK, or types nothing for a while. A later return does not
/// take it back.
#[test]
fn text_lock_is_released_when_its_holder_leaves() {
    let mut table = builders();
    table.types("Olad", "describe here");
    table.types("Olad", "/afk tea");
    assert!(table.types("Bera", "describe here").contains("You write"), "who is away writes nothing");
    table.types("Bera", "cancel");
    table.types_all("Olad", &["/look", "One line."]);
    assert!(table.types("Bera", "describe here").contains("Olad is writing"), "back again");
    table.break_link("Olad");
    assert!(table.types("Bera", "describe here").contains("You write"), "the line broke");
    table.comes_back("Olad");
    table.types("Olad", "Another line.");
    assert!(table.types("Olad", ".").contains("Bera is writing this text"), "now it is hers");
    table.types_all("Bera", &["Hers.", "."]);
    assert_eq!(table.room("Bera").sheet.description, "Hers.");
    table.types("Olad", ".");
    assert_eq!(
        table.room("Olad").sheet.description,
        "One line. Another line.",
        "nothing that he wrote is lost"
    );
    table.types("Olad", "describe here");
    table.waits(Span::mins(29));
    table.types("Olad", "Slowly.");
    table.waits(Span::mins(29));
    assert!(table.types("Bera", "describe here").contains("Olad is writing"), "each line counts");
    table.waits(Span::mins(2));
    assert!(table.types("Bera", "describe here").contains("You write"), "that was too long");
}
