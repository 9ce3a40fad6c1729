//! What goes to storage and comes back: all changes of a batch as one value, and the whole world as one value.

use crate::base::{CharacterId, GameTime};
use crate::world::Meta;
use crate::world::tables::{Row, for_each_table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Lines of the ledger that go at once, so that no batch grows long over it.
pub const LEDGER_STEP: usize = 1_000;

/// What one kind of thing went through: rows to write, rows to delete. An id is never in both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableChanges<R: Row> {
    /// Rows to insert or replace, in the order of their ids.
    pub put: Vec<R>,
    /// Rows to delete, in the order of their ids.
    pub gone: Vec<R::Id>,
}

impl<R: Row> Default for TableChanges<R> {
    fn default() -> Self {
        Self { put: Vec::new(), gone: Vec::new() }
    }
}

impl<R: Row> TableChanges<R> {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.gone.is_empty()
    }

    /// Writes them to a table, as the database does.
    fn apply(&self, rows: &mut BTreeMap<R::Id, R>) {
        rows.extend(self.put.iter().map(|row| (row.id(), row.clone())));
        for gone in &self.gone {
            rows.remove(gone);
        }
    }
}

/// A source or a sink of money or of things. Never changed; it goes when it is old, and `meta` keeps the sums.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LedgerRecord {
    /// When.
    pub at: GameTime,
    /// `copper`, or the prototype of a thing.
    pub what: String,
    /// How much came into the world; below zero: left it.
    pub amount: i64,
    /// By which rule: `loot`, `shop`, `used`.
    pub why: String,
    /// Whose purse or pack it touched, if anybody's.
    pub who: Option<CharacterId>,
}

fn misplaced<R: Row>(rows: &BTreeMap<R::Id, R>) -> impl Iterator<Item = String> {
    let wrong = rows.iter().filter(|(id, row)| **id != row.id());
    wrong.map(|(id, row)| format!("{} {id}: says of itself that it is {}", R::TABLE, row.id()))
}

macro_rules! declare_records {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {
        /// Everything a batch changed, as one consistent cut: it is committed whole or not at all.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct Changes {
            $($(#[$doc])* pub $table: TableChanges<crate::world::$row>,)*
            /// The world's own row, if it changed.
            pub meta: Option<Meta>,
            /// The moment up to which the world has lived; written whenever anything is.
            pub time: GameTime,
            /// What came into the world and left it.
            pub ledger: Vec<LedgerRecord>,
            /// Some of the oldest lines of that go, if they were written before this moment.
            pub ledger_kept_from: Option<GameTime>,
        }

        impl Changes {
            /// Whether nothing changed but the time.
            pub fn is_empty(&self) -> bool {
                $(self.$table.is_empty() &&)*
                self.meta.is_none() && self.ledger.is_empty() && self.ledger_kept_from.is_none()
            }
        }

        /// The whole stored world.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        pub struct Snapshot {
            $($(#[$doc])* pub $table: BTreeMap<<crate::world::$row as Row>::Id, crate::world::$row>,)*
            /// The world's own row; none in a database that has never held a world.
            pub meta: Option<Meta>,
            /// What came into the world and left it, oldest first. Not loaded from a database: `meta` has the sums.
            pub ledger: Vec<LedgerRecord>,
        }

        impl Snapshot {
            /// Writes a batch's changes, as the database does.
            pub fn apply(&mut self, changes: &Changes) {
                $(changes.$table.apply(&mut self.$table);)*
                if let Some(meta) = &changes.meta {
                    self.meta = Some(meta.clone());
                } else if let Some(meta) = &mut self.meta {
                    meta.time = meta.time.max(changes.time);
                }
                if let Some(from) = changes.ledger_kept_from {
                    let old = self.ledger.iter().take(LEDGER_STEP).take_while(|line| line.at < from).count();
                    self.ledger.drain(..old);
                }
                self.ledger.extend(changes.ledger.iter().cloned());
            }

            /// Rows that stand under another number than they say of themselves, for the operator.
            pub fn misplaced(&self) -> Vec<String> {
                let mut wrong = Vec::new();
                $(wrong.extend(misplaced(&self.$table));)*
                wrong
            }
        }
    };
}
for_each_table!(declare_records);
