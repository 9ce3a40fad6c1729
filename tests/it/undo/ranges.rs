//! Undo of several entries: since a moment, by a range of numbers, in a zone, and past entries that others have changed.

use crate::undo::{assert_same, builders, built_state};
use deepwell::base::Span;

/// `since` takes back all that an author built from a moment on, the newest first, at most twenty entries at once, and
/// nothing older or of others.
#[test]
fn undo_since_takes_back_all_of_an_author_from_a_moment_on() {
    let mut table = builders();
    table.types("Bera", "dig Cellar = hatch,out");
    table.waits(Span::mins(180));
    table.types("Olad", "dig Attic = ladder,down");
    let before = built_state(&table);
    for letter in 'a'..='t' {
        table.types("Bera", &format!("dig Room {letter} = wicket{letter},out"));
    }
    table.types("Bera", "tag here = wickets");
    assert_ne!(built_state(&table), before);
    assert!(table.types("Bera", "undo olad since 2h").contains("Only an admin"));
    assert!(table.types("Olad", "undo 1 since 2h").contains("since goes with a name"));
    let answer = table.types("Olad", "undo bera since 2h");
    assert_eq!(answer.matches("You take back: dig Room").count(), 19, "{answer}");
    assert!(
        answer.starts_with("You take back: tag here = wickets") && answer.contains("Type it again to go on."),
        "{answer}"
    );
    let answer = table.types("Olad", "undo bera since 2h");
    assert!(answer.ends_with("That was all of it."), "{answer}");
    assert_same(&built_state(&table), &before, "after all is taken back");
    assert!(table.types("Olad", "undo bera since 2h").contains("nothing since then to take back"));
    assert!(table.types("Olad", "undo bera since soon").contains("is no time"));
}

/// `since` stops at the first entry that cannot be taken back, and says why: what is newer is taken back, what is older
/// stays.
#[test]
fn undo_since_stops_at_an_entry_that_others_have_changed() {
    let mut table = builders();
    table.types("Bera", "detail tub = Wet.");
    table.types("Bera", "name here = Clean Lodge");
    table.types("Bera", "detail rope = Long.");
    table.types("Olad", "name here = Swept Lodge");
    let answer = table.types("Olad", "undo bera since 2h");
    let newest = answer.find("You take back: detail rope = Long.").expect("the newest");
    let refused = answer.find("is not as \"name here = Clean Lodge\" left it").expect("a refusal");
    assert!(newest < refused && !answer.contains("detail tub"), "{answer}");
    let room = table.room("Olad");
    assert_eq!(room.sheet.name, "Swept Lodge");
    assert!(room.sheet.details.contains_key("tub") && !room.sheet.details.contains_key("rope"));
    table.types("Olad", "undo");
    let answer = table.types("Olad", "undo bera since 2h");
    assert!(answer.contains("detail tub") && answer.contains("That was all of it."), "{answer}");
    assert!(!table.room("Olad").sheet.details.contains_key("tub"));
}

/// An entry that cannot be taken back does not stand in the way of those before it: `skip` leaves it, alone, in a range,
/// since a time and in a zone.
#[test]
fn undo_skips_entries_that_others_have_changed() {
    for (line, reached) in [
        ("undo skip", vec!["tag here = bera"]),
        ("undo since 2h skip", vec!["tag here = bera", "dig Attic = ladder,down"]),
        ("undo 1-9 skip", vec!["tag here = bera", "dig Attic = ladder,down"]),
        ("undo zone town skip", vec!["tag here = bera"]),
        ("undo zone town since 2h skip", vec!["tag here = bera", "dig Attic = ladder,down"]),
    ] {
        let mut table = builders();
        table.types("Bera", "dig Attic = ladder,down");
        table.types("Bera", "tag here = bera");
        table.types("Bera", "describe here = Bera's.");
        table.types("Olad", "describe here = Olad's.");
        let answer = table.types("Bera", "undo");
        assert!(answer.contains("Olad has typed \"describe here = Olad's.\" since."), "{answer}");
        assert!(answer.contains("With skip behind it, undo leaves it"), "{answer}");
        let answer = table.types("Bera", line);
        assert!(
            answer.contains("Left as it is, number") && answer.contains("describe here = Bera's."),
            "{answer}"
        );
        let taken: Vec<&str> =
            answer.lines().filter_map(|entry| entry.strip_prefix("You take back: ")).collect();
        assert_eq!(taken, reached, "{line}: {answer}");
        assert_eq!(table.room("Bera").sheet.description, "Olad's.");
    }
}

/// A change that was undone is not named as the reason of a refusal.
#[test]
fn refused_undo_names_a_command_in_force() {
    let mut table = builders();
    table.types("Bera", "describe here = Bera's.");
    table.types("Olad", "describe here = One.");
    table.types("Olad", "describe here = Two.");
    table.types("Olad", "undo");
    let answer = table.types("Bera", "undo");
    assert!(answer.contains("Olad has typed \"describe here = One.\" since."), "{answer}");
}

/// `undo zone` takes back only what changed something of that zone.
#[test]
fn undo_of_a_zone_leaves_other_zones() {
    let mut table = builders();
    for line in ["zone new mill", "dig Mill = gate, out", "gate", "zone set mill", "describe here = Dusty."] {
        table.types("Olad", line);
    }
    table.types_all("Olad", &["out", "describe here = Elsewhere."]);
    let answer = table.types("Olad", "undo zone mill");
    assert!(answer.contains("You take back: describe here = Dusty."), "{answer}");
    assert_eq!(table.room("Olad").sheet.description, "Elsewhere.");
    table.types_all(
        "Olad",
        &["gate", "make item sack = sack", "set item sack value = 3", "out", "tag here = town"],
    );
    let answer = table.types("Olad", "undo zone mill");
    assert!(answer.contains("You take back: set item sack value = 3"), "{answer}");
    assert!(table.types("Olad", "undo zone barn").contains("There is nothing in the zone barn"));
    let answer = table.types("Olad", "redo zone mill");
    assert!(answer.contains("redo takes one number, or a name."), "{answer}");
}
