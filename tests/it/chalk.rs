//! Phrases in chalk: written from a list, read by those who come later, and gone with the branch.

use crate::hoard::grant;
use crate::personal::delete_account;
use crate::table::{Table, seeded};
use deepwell::base::RuleLimit;
use deepwell::game::GameConfig;

/// Olad and Bera in a room of a branch, Olad with chalk.
fn below(change: impl FnOnce(&mut GameConfig)) -> Table {
    let mut config = seeded(11);
    change(&mut config);
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.types_all(name, &["down", "east"]);
    }
    grant(&mut table, "Olad", &[("chalk", 6)]);
    table
}

/// Returns the pieces of chalk that a player carries.
fn pieces(table: &Table, name: &str) -> u32 {
    let carried = table.world().carried(table.id(name)).iter().map(|item| &table.world().items[*item]);
    carried.filter(|item| item.prototype == "chalk").map(|item| item.count).sum()
}

#[test]
fn phrase_is_chosen_written_and_read_by_others() {
    let mut table = below(|_| {});
    let list = table.types("Olad", "chalk");
    assert!(list.contains("\n1: I was here.") && list.contains("\n7: Danger EXIT."), "{list}");
    table.hears("Bera");
    assert_eq!(table.types("Olad", "chalk 1"), "You chalk on the wall: I was here.");
    assert_eq!(table.hears("Bera"), "Olad chalks on the wall: I was here.");
    assert_eq!(pieces(&table, "Olad"), 5);
    let line = "Olad has chalked on the wall: I was here.";
    assert!(table.types("Bera", "look").contains(line));
    assert_eq!(table.types("Bera", "look chalk"), line);
    table.restart();
    assert!(table.types("Bera", "look").contains(line));
    assert_eq!(table.types("Olad", "chalk 7 west"), "You chalk on the wall: Danger west.");
    let read = table.types("Bera", "look");
    assert!(read.contains("Olad has chalked on the wall: Danger west.") && !read.contains(line), "{read}");
    table.types("Bera", "ignore olad");
    assert!(!table.types("Bera", "look").contains("chalked"));
}

#[test]
fn phrase_that_cannot_be_written_costs_no_chalk() {
    let mut table = below(|_| {});
    for (line, message) in [
        ("chalk 99", "There is no phrase 99."),
        ("chalk 0", "not an amount"),
        ("chalk 7", "Which exit do you mean?"),
        ("chalk 7 up", "go that way"),
        ("chalk x", "number"),
    ] {
        let answer = table.types("Olad", line);
        assert!(answer.contains(message), "{line}: {answer}");
    }
    assert!(table.types("Bera", "chalk 1").contains("You have no chalk."));
    table.types("Olad", "west");
    assert!(table.types("Olad", "chalk 1").contains("Walls are for writing on below"));
    assert_eq!(pieces(&table, "Olad"), 6);
}

#[test]
fn a8_phrases_of_a_room_are_limited() {
    let mut table = below(|config| config.limits.phrases_per_room = 1);
    grant(&mut table, "Bera", &[("chalk", 1)]);
    table.types("Olad", "chalk 1");
    assert_eq!(table.limits_reached(), []);
    table.types("Bera", "chalk 2");
    assert_eq!(table.limits_reached(), [RuleLimit::PhrasesPerRoom]);
    let read = table.types("Olad", "look");
    assert!(read.contains("Bera has chalked") && !read.contains("Olad has chalked"), "{read}");
    let mut table = below(|config| config.limits.phrases_per_room = 0);
    assert!(table.types("Olad", "chalk 1").contains("Chalk does not hold on these walls."));
    assert_eq!(table.limits_reached(), [RuleLimit::PhrasesPerRoom]);
    assert_eq!(pieces(&table, "Olad"), 6);
}

#[test]
fn phrase_stays_without_a_name_when_the_account_is_deleted() {
    let mut table = below(|_| {});
    table.types("Olad", "chalk 1");
    delete_account(&mut table, "Olad");
    let line = "In chalk on the wall: I was here.";
    assert!(table.types("Bera", "look").contains(line));
    table.restart();
    let read = table.types("Bera", "look");
    assert!(read.contains(line) && !read.contains("Olad"), "{read}");
    assert_eq!(table.game.check(), [""; 0]);
}

#[test]
fn muted_players_write_on_no_wall() {
    let mut table = below(|_| {});
    table.sit("Cato");
    table.make_owner("Cato");
    table.types("Cato", "mute olad for 1h foul");
    assert!(table.types("Olad", "chalk 1").contains("You are muted"));
    assert_eq!(pieces(&table, "Olad"), 6);
}
