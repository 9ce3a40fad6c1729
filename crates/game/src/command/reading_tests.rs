//! Commands that only read write no row, so that their answers do not wait for the disk.

use super::spec::Needs;
use super::table as commands;
use crate::table::{Table, seeded};
use deepwell_core::world::Changes;
use deepwell_core::world::table::TableChanges;

/// Arguments with which a reading command does not write.
const READS: &[&str] = &[
    "", "salt", "lamp", "all", "2", "me", "bera", "bera hello", "north", "east", "down", "here", "list",
    "tell", "exits", "first", "rat", "lamp in pack", "town",
];

/// Commands that read when typed alone and change a setting when typed with one of these arguments.
const READ_ALONE: &[&str] = &["prompt", "config", "companion", "lock", "alias", "highlight", "party"];

/// Commands that always change state: two toggled settings, and the server shutdown.
const NO_READS: &[&str] = &["brief", "screenreader", "shutdown"];

/// Removes the audit log entries that staff commands are required to write.
fn without_audit(mut changes: Changes) -> Changes {
    if !changes.audit.is_empty() {
        changes.audit = TableChanges::default();
        changes.meta = None;
    }
    changes
}

/// Types every reading command of the table with every argument, and asserts that no row is to be written.
fn type_every_read(table: &mut Table, name: &str) {
    let reads: Vec<_> = commands().filter(|spec| spec.needs() == Needs::Nothing).collect();
    assert!(reads.len() > 50, "the table has lost its reading commands");
    for spec in reads.into_iter().filter(|spec| !NO_READS.contains(&spec.name)) {
        let arguments = if READ_ALONE.contains(&spec.name) { &READS[..1] } else { READS };
        for argument in arguments {
            let line = format!("{} {argument}", spec.name);
            table.types(name, line.trim());
            let mut changes = table.game.cut();
            if spec.right.is_some() {
                changes = without_audit(changes);
            }
            assert!(changes.is_empty(), "{name} types {line}: {changes:?}");
        }
    }
}

/// In town with all rights, with other players, and in a branch.
#[test]
fn reading_commands_write_no_row() {
    let mut table = Table::new(seeded(11));
    for name in ["Olad", "Bera", "Cara"] {
        table.sit(name);
        table.types(name, "news");
    }
    table.make_owner("Olad");
    table.types_all("Bera", &["down", "east"]);
    table.commit();
    table.commits = false;
    for name in ["Olad", "Bera", "Cara"] {
        type_every_read(&mut table, name);
    }
}
