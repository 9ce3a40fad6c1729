//! In read-only mode no typed line changes a row.

use crate::Input;
use crate::table::{Table, seeded};
use deepwell_core::base::Span;
use deepwell_core::world::{Meta, Snapshot};

/// Arguments tried after each command: nothing, items, players, directions, numbers, settings.
const BEHIND: &[&str] = &[
    "",
    "salt",
    "lamp",
    "all",
    "5",
    "1 copper",
    "me",
    "bera",
    "bera hello",
    "bera for 1h noise",
    "192.0.2.0/24 for 1h noise",
    "world",
    "world off",
    "off",
    "close 1 done",
    "logins off",
    "bera lamp",
    "lamp from pack",
    "north",
    "east",
    "down",
    "here",
    "on",
    "list",
    "list = look",
    "here = something else",
    "east window = 600",
    "new Cato",
    "invite bera",
    "test myhero seed=7",
    "settle 1",
    "Cellar = hatch, out",
];

fn rows(table: &Table) -> Snapshot {
    let snapshot = table.game.world().snapshot();
    let time = Meta { time: deepwell_core::base::GameTime(0), ..snapshot.meta.clone().unwrap() };
    Snapshot { meta: Some(time), ..snapshot }
}

/// Returns the number of entries in the audit log and the ledger.
fn log_rows(table: &Table) -> (usize, usize) {
    (table.stored().audit.len(), table.stored().ledger.len())
}

/// Types every command with every argument, and compares all rows after each command.
fn type_everything(table: &mut Table, name: &str) {
    let (before, lines) = (rows(table), log_rows(table));
    for command in super::names() {
        for behind in BEHIND {
            table.types(name, &format!("{command} {behind}"));
        }
        assert!(rows(table) == before, "{command} has changed a row");
        assert_eq!(log_rows(table), lines, "{command} is in the logs");
        if table.closed().iter().any(|(closed, _)| closed == name) {
            assert!(["quit", "logout"].contains(&command), "{command}");
            table.comes_back(name);
        }
    }
}

/// In town, in a fight and incapacitated, with all rights.
#[test]
fn o3_typed_lines_write_no_row_in_read_only_mode() {
    let mut table = Table::new(seeded(11));
    table.checks_every(100);
    for name in ["Olad", "Bera", "Cara", "Dora"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types_all("Bera", &["down", "east"]);
    table.types_all("Cara", &["down", "east", "kill rat"]);
    table.types("Dora", "down");
    table.waits(Span::secs(2));
    table.step(Input::StorageReadOnly(true));
    for name in ["Olad", "Bera", "Cara", "Dora"] {
        type_everything(&mut table, name);
    }
    table.break_link("Dora");
    assert!(table.body("Dora").link_dead_until.is_some(), "who loses the link waits");
    table.types("Olad", "look");
    assert!(table.body("Dora").link_dead_until.is_some());
    table.step(Input::StorageReadOnly(false));
    table.types("Olad", "name here = The Square");
    assert!(!table.last_changes().is_empty(), "and afterwards it does");
}

/// Changes without a command, such as a new password, a recovery code or a stronger hash, are neither stored nor
/// confirmed.
#[test]
fn o3_other_inputs_are_rolled_back_in_read_only_mode() {
    let mut table = Table::new(seeded(11));
    table.sit("Olad");
    let (account, session) = (table.account("Olad"), table.session("Olad"));
    table.step(Input::StorageReadOnly(true));
    table.hears("Olad");
    let (before, stored) = (rows(&table), table.stored().clone());
    let credential = || "$new$".to_owned();
    for input in [
        Input::Credential { account, credential: credential() },
        Input::Recovery { session, account, credential: credential() },
        Input::NewPassword { session, account, credential: credential() },
    ] {
        let what = format!("{input:?}");
        table.step(input);
        assert!(rows(&table) == before && *table.stored() == stored, "{what} has changed a row");
        let heard = table.hears("Olad");
        assert!(heard.is_empty() || heard.contains("cannot write"), "{what}: {heard}");
    }
}
