//! Cairns: what marks where a player fell in a branch, and holds what was lost there.

use crate::arena::changes;
use crate::down::{falls, olad_is_about_to_fall};
use crate::hoard::{add_money, grant, has, purse};
use crate::personal::operator_command;
use crate::table::{CATALOG, Table};

/// Lets Olad be defeated beside Bera with two lamps and forty coppers of the run. Returns what Olad is told.
fn olad_loses_his_finds() -> (Table, String) {
    let (mut table, orc) = olad_is_about_to_fall(false);
    let lamps = grant(&mut table, "Olad", &[("clay_lamp", 1), ("clay_lamp", 1)]);
    add_money(&mut table, "Olad", 40);
    let (olad, branch) = (table.id("Olad"), table.branch_of("Olad"));
    table.edit_stored(|stored| {
        for lamp in &lamps {
            stored.items.get_mut(lamp).expect("a lamp").found_in = branch;
        }
        stored.characters.get_mut(&olad).expect("Olad").money.run = 40;
    });
    falls(&mut table, "Olad");
    changes(&mut table, orc, |orc| orc.attack = 0);
    let answer = table.types("Olad", "stop");
    table.hears("Bera");
    (table, answer)
}

/// The lost finds of a defeated player stay where it fell, for the first player who comes, and the mark stays when it is empty.
#[test]
fn lost_finds_wait_under_a_cairn() {
    let (mut table, text) = olad_loses_his_finds();
    assert!(text.contains("stayed below, under a cairn where you fell"), "{text}");
    assert_eq!(CATALOG.rules.down.lost_percent, 50, "half of two lamps and forty coppers");
    table.restart();
    table.comes_back("Bera");
    let before = purse(&table, "Bera");
    let seen = table.types("Bera", "look");
    assert!(seen.contains("cairn of Olad"), "{seen}");
    assert!(table.types("Bera", "look cairn").contains("a clay lamp"));
    assert!(table.types("Bera", "get cairn").contains("cannot be moved"));
    table.types("Bera", "get all from cairn of olad");
    assert_eq!((has(&table, "Bera", "clay_lamp"), purse(&table, "Bera") - before), (1, 20));
    assert!(table.types("Bera", "look").contains("cairn of Olad"));
}

/// The mark tells the present name of who fell, and none after the account is deleted.
#[test]
fn cairn_has_the_present_name() {
    let (mut table, _) = olad_loses_his_finds();
    operator_command(&mut table, "character rename olad Gerda").expect("renamed");
    let seen = table.types("Bera", "look");
    assert!(seen.contains("cairn of Gerda") && !seen.contains("Olad"), "{seen}");
    operator_command(&mut table, "delete olad").expect("deleted");
    let seen = table.types("Bera", "look");
    assert!(seen.contains("cairn") && !seen.contains("Gerda"), "{seen}");
}

/// A player who loses nothing leaves no mark.
#[test]
fn fall_without_a_loss_leaves_no_cairn() {
    let (mut table, orc) = olad_is_about_to_fall(false);
    falls(&mut table, "Olad");
    changes(&mut table, orc, |orc| orc.attack = 0);
    let answer = table.types("Olad", "stop");
    assert!(answer.contains("but whole") && !table.types("Bera", "look").contains("cairn"), "{answer}");
}
