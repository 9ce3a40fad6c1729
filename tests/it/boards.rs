//! Boards: builders hang them in rooms, and players write notes that all players in the room can read.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;

/// Olad and Bera in the lodge, in front of its board.
fn at_the_board(table: &mut Table) {
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.types(name, "north");
        table.hears(name);
    }
}

fn lodge() -> Table {
    let mut table = Table::new(seeded(1));
    at_the_board(&mut table);
    table
}

#[test]
fn note_is_written_listed_read_and_removed() {
    let mut table = lodge();
    assert!(table.types("Bera", "look").contains("\nNotes hang on a board here."));
    assert!(table.types("Bera", "board").starts_with("Nothing hangs on the board."));
    let answer = table.types("Olad", "board write Rope wanted = Twenty fathoms.\\nAsk Olad.");
    assert_eq!(answer, "Your note hangs on the board, as number 1.");
    assert!(table.hears("Bera").contains("Olad pins a note to the board."));
    table.restart();
    let list = table.types("Bera", "board");
    assert!(list.starts_with("On the board: one note\n1: Olad: Rope wanted, "), "{list}");
    let read = table.types("Bera", "board 1");
    assert!(read.ends_with("\nOlad: Twenty fathoms.\nOlad: Ask Olad."), "{read}");
    assert!(table.types("Bera", "board remove 1").contains("Note 1 is not yours"));
    assert_eq!(table.types("Olad", "board remove 1"), "Note 1 is off the board.");
    assert!(table.types("Bera", "board 1").contains("There is no note 1"));
    table.types("Bera", "south");
    for line in ["board", "board 1", "board write Hm = Hm", "board write Hm", "board remove 1"] {
        assert_eq!(table.types("Bera", line), "There is no board here.", "{line}");
    }
}

#[test]
fn note_is_written_line_by_line() {
    let mut table = lodge();
    assert!(table.types("Olad", "board write Rules").starts_with("You write: board write Rules."));
    table.types_all("Olad", &["One.", "", "Two."]);
    assert_eq!(table.types("Olad", "."), "Your note hangs on the board, as number 1.");
    assert!(table.types("Bera", "board 1").ends_with("\nOlad: One.\nOlad: Two."));
}

/// The oldest note of the author with the most notes makes room, so that no author pushes out the notes of others.
#[test]
fn a8_full_board_drops_the_oldest_note_of_its_most_frequent_author() {
    let mut config = seeded(1);
    config.limits.notes_per_board = 3;
    let mut table = Table::new(config);
    at_the_board(&mut table);
    table.types("Bera", "board write B = b");
    for number in 1..=5 {
        table.types("Olad", &format!("board write O{number} = o"));
    }
    let list = table.types("Bera", "board");
    for (title, is_there) in [("B,", true), ("O1,", false), ("O3,", false), ("O4,", true), ("O5,", true)] {
        assert_eq!(list.contains(title), is_there, "{title}: {list}");
    }
}

#[test]
fn a8_notes_are_bounded_in_length_and_number() {
    let mut config = seeded(1);
    config.limits.notes = 2;
    let mut table = Table::new(config);
    at_the_board(&mut table);
    let long = table.types("Olad", &format!("board write Long = {}", "x".repeat(1_001)));
    assert_eq!(long, "That may have 1000 letters, and has 1001. Nothing is written.");
    let title = table.types("Olad", &format!("board write {} = Hm", "x".repeat(61)));
    assert_eq!(title, "That may have 60 letters, and has 61. Nothing is written.");
    table.types_all("Olad", &["board write 1 = 1", "board write 2 = 2"]);
    assert!(table.types("Olad", "board write 3 = 3").contains("no more room"));
}

/// Muted players write no notes; notes of ignored authors are hidden, and staff remove any, which the audit log tells.
#[test]
fn notes_follow_mute_ignore_and_staff() {
    let mut table = lodge();
    table.sit("Cato");
    table.make_owner("Cato");
    table.types("Cato", "north");
    table.types("Olad", "board write Foul = \u{1b}[31mrats\u{202e}");
    let read = table.types("Cato", "board 1");
    assert!(read.ends_with("\nOlad: [31mrats") || read.contains("\nOlad: "), "{read}");
    assert!(!read.contains(['\u{1b}', '\u{202e}']), "{read}");
    table.types("Bera", "ignore olad");
    assert!(table.types("Bera", "board").starts_with("Nothing hangs on the board."));
    assert!(table.types("Bera", "board 1").contains("There is no note 1"));
    assert_eq!(table.types("Cato", "board remove 1"), "Note 1 is off the board.");
    assert!(table.types("Cato", "audit board").contains("board remove 1: Olad on town/lodge, Foul"));
    table.types("Cato", "mute olad for 1h foul");
    assert!(table.types("Olad", "board write Foul = again").contains("You are muted"));
}

#[test]
fn note_is_reported_with_its_text() {
    let mut table = lodge();
    table.sit("Cato");
    table.make_owner("Cato");
    table.types("Olad", "board write Foul = You are rats");
    assert!(table.types("Bera", "report note 1 rude").starts_with("Thank you. That is report 1"));
    let report = table.types("Cato", "reports 1");
    assert!(report.contains("Olad: You are rats") && report.contains("rude"), "{report}");
}

/// Notes are in the export of their author, and deleted with the account.
#[test]
fn notes_are_exported_and_deleted_with_the_account() {
    let mut table = lodge();
    table.types("Olad", "board write Rope = The colour is teal");
    let (_, kept) = table.game().kept_of("olad").unwrap().unwrap();
    assert!(kept["notes"].to_string().contains("teal"));
    let first = table.types("Olad", "export");
    let pages: u32 = first.lines().next().and_then(|line| line.rsplit(' ').next()).unwrap().parse().unwrap();
    let all: Vec<String> = (1..=pages).map(|page| table.types("Olad", &format!("export {page}"))).collect();
    assert!(all.join("\n").contains("teal"));
    let (session, account) = (table.session("Olad"), table.account("Olad"));
    table.step(deepwell::game::Input::DeleteAccount { session, account });
    assert!(table.world().notes.is_empty());
    assert!(table.types("Bera", "board").starts_with("Nothing hangs on the board."));
}

/// A builder hangs a board, undoes it, and finds it in the zone file. Rooms with the same key show the same board.
#[test]
fn builder_hangs_a_board_that_is_undone_and_in_zone_files() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    assert!(table.types("Olad", "set here board = Two Words").contains("one word"));
    assert_eq!(table.types("Olad", "set here board = none"), "board is none now.");
    assert_eq!(table.types("Olad", "board"), "There is no board here.");
    assert_eq!(table.types("Olad", "set here board = inn"), "board is inn now.");
    table.types("Olad", "board write Hello = Hm");
    assert!(table.types("Olad", "board").contains("Hello"));
    assert!(shop.exported("town").contains("\nboard = \"inn\"\n"));
    shop.edit("town", "board = \"inn\"", "board = \"bar\"");
    shop.types("Olad", "zone import town");
    assert!(shop.types("Olad", "board").starts_with("Nothing hangs on the board."));
    shop.types("Olad", "undo");
    assert!(shop.types("Olad", "board").contains("Hello"), "the notes are kept");
    shop.types("Olad", "undo");
    assert_eq!(shop.types("Olad", "board"), "There is no board here.");
    shop.types("Olad", "redo");
    assert!(shop.types("Olad", "board").contains("Hello"));
}
