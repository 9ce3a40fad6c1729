//! Puzzles behind hand-built exits: built when a player takes the exit, shared by the players inside, and removed after them.

use crate::table::Table;
use crate::workshop::Workshop;
use deepwell::base::Span;

/// Olad (owner) in a yard with an exit north to a hall, with a puzzle behind it; Bera is beside.
fn yard(puzzle: &str) -> Workshop {
    let mut shop = Workshop::open();
    shop.types_all(
        "Olad",
        &[
            "zone new yard",
            "dig Yard = gate, lodge",
            "gate",
            "zone set yard",
            "describe here = Stone.",
            "dig Hall = north, south",
            &format!("set north puzzle = {puzzle}"),
        ],
    );
    shop.table.becomes("Olad", 9_999, 999);
    shop.table.sit("Bera");
    shop.table.types("Bera", "north");
    shop.table.types("Bera", "gate");
    shop
}

/// Types the solution of the puzzle that a player is in.
fn solves(table: &mut Table, who: &str) -> String {
    let solution = table.types(who, "puzzle solve");
    let mut text = String::new();
    for line in solution.lines().skip(1) {
        let line = line.rsplit_once(", in ").map_or(line, |(line, _)| line);
        text.push_str(&table.types(who, line));
        while line.starts_with("kill ") && table.body(who).target.is_some() {
            table.waits(Span::secs(3));
        }
    }
    text.push_str(&table.hears(who));
    text
}

/// The solution of each shipped puzzle that needs no settings leads to the room beyond the exit.
#[test]
fn solution_of_each_puzzle_leads_through_the_exit() {
    let names: Vec<String> = {
        let mut shop = Workshop::open();
        let list = shop.table.types("Olad", "puzzle list");
        list.lines().skip(1).filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
    };
    let mut tried = 0;
    for name in names {
        let mut shop = yard("none");
        let answer = shop.types("Olad", &format!("set north puzzle = {name}"));
        if answer.contains("does not do without settings") {
            continue;
        }
        tried += 1;
        let table = &mut shop.table;
        let yard = table.room("Olad").id;
        let answer = table.types("Olad", "north");
        assert!(table.room("Olad").branch.is_some(), "{name}: {answer}");
        table.types("Olad", "out");
        assert_eq!(table.room("Olad").id, yard, "{name}");
        assert!(
            table.world().branches.iter_active().next().is_none(),
            "{name}: all have left, and it is gone"
        );
        table.types("Olad", "north");
        let answer = solves(table, "Olad");
        assert!(
            answer.contains("The puzzle is solved. A wall swings open, and you step through."),
            "{name}: {answer}"
        );
        assert_eq!(table.room("Olad").sheet.name, "Hall", "{name}: {answer}");
        assert!(table.world().branches.iter_active().next().is_none(), "{name}");
        table.types("Olad", "south");
        assert_eq!(table.room("Olad").id, yard, "{name}: the way back is free");
        assert_eq!(table.game().check(), [""; 0], "{name}");
    }
    assert!(tried >= 3, "{tried}");
}

/// Players who take the exit while another is inside come into the same puzzle, and its solution leads all players on. A
/// restart changes nothing.
#[test]
fn puzzle_is_shared_by_those_inside() {
    let mut shop = yard("plates");
    let table = &mut shop.table;
    table.types("Olad", "party invite bera");
    table.types("Bera", "party accept");
    table.types("Bera", "follow olad");
    table.types("Olad", "north");
    assert_eq!(table.room("Bera").id, table.room("Olad").id);
    table.types("Bera", "follow nobody");
    table.types("Bera", "out");
    assert!(table.room("Bera").branch.is_none());
    table.types("Bera", "north");
    assert_eq!(table.room("Bera").branch, table.room("Olad").branch);
    table.restart();
    assert_eq!(table.room("Bera").branch, table.room("Olad").branch);
    let answer = solves(table, "Olad");
    assert_eq!(
        (&*table.room("Olad").sheet.name, &*table.room("Bera").sheet.name),
        ("Hall", "Hall"),
        "{answer}"
    );
    assert!(table.hears("Bera").contains("The puzzle is solved."));
    assert_eq!(table.game().check(), [""; 0]);
}

/// The setting is in the file of the zone, in its import, in undo and redo, and in the lists of settings.
#[test]
fn puzzle_of_an_exit_is_exported_imported_and_undone() {
    let mut shop = yard("plates");
    assert!(shop.types("Olad", "set north").contains("puzzle: plates"));
    let with = shop.exported("yard");
    assert!(with.contains("puzzle = \"plates\""), "{with}");
    let answer = shop.types("Olad", "undo");
    assert!(answer.contains("puzzle"), "{answer}");
    let without = shop.exported("yard");
    assert!(!without.contains("puzzle"), "{without}");
    shop.types("Olad", "redo");
    assert_eq!(shop.exported("yard"), with);
    shop.types("Olad", "set north puzzle = none");
    assert_eq!(shop.exported("yard"), without);
    shop.files.insert("yard".to_owned(), with.clone());
    let answer = shop.types("Olad", "zone import yard");
    assert!(answer.contains("is as its file says"), "{answer}");
    assert_eq!(shop.exported("yard"), with);
    for (from, expected) in
        [("\"plates\"", "unknown puzzle `platos`"), ("name = \"north\"", "a branch exit has no puzzle")]
    {
        let to = if from.contains("plates") { "\"platos\"" } else { "name = \"north\"\nkind = \"branch\"" };
        shop.files.insert("yard".to_owned(), with.replace(from, to));
        let answer = shop.types("Olad", "zone import yard");
        assert!(answer.contains(expected), "{answer}");
    }
}

/// An unknown puzzle, and an exit that leads to no hand-built room, are refused.
#[test]
fn unusable_puzzles_and_exits_are_refused() {
    let mut shop = yard("plates");
    let answer = shop.types("Olad", "set north puzzle = platos");
    assert!(answer.contains("There is no puzzle \"platos\""), "{answer}");
    shop.types_all("Olad", &["tunnel down = Pit:start", "down", "open north:branch"]);
    let answer = shop.types("Olad", "set north puzzle = plates");
    assert!(
        answer.contains("A puzzle stands behind an exit that leads to a room built by hand."),
        "{answer}"
    );
}
