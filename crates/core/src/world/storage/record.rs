//! Values exchanged with storage: the changes of a batch, and a snapshot of the whole world.

use crate::base::{CharacterId, GameTime};
use crate::world::table::TableChanges;
use crate::world::tables::{Row, for_each_table};
use crate::world::{AsleepRows, Meta};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of ledger records deleted per batch, to keep batches short.
pub const LEDGER_STEP: usize = 1_000;

/// Source or sink of money or items. Immutable; deleted by age, while `meta` keeps the totals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LedgerRecord {
    /// Time of the event.
    pub at: GameTime,
    /// `copper`, or the prototype of an item.
    pub what: String,
    /// Amount that entered the world; negative if it left.
    pub amount: i64,
    /// Reason: `loot`, `shop`, `used`.
    pub why: String,
    /// Character whose purse or inventory was affected, if any.
    pub who: Option<CharacterId>,
}

fn misplaced<R: Row>(rows: &BTreeMap<R::Id, R>) -> impl Iterator<Item = String> {
    let strays = rows.iter().filter(|(id, row)| **id != row.id());
    strays.map(|(id, row)| format!("{} {id}: says of itself that it is {}", R::TABLE, row.id()))
}

macro_rules! declare_records {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
        /// All changes of a batch as one consistent cut, committed atomically.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct Changes {
            $($(#[$doc])* pub $table: TableChanges<crate::world::$row>,)*
            /// Metadata row, if it changed.
            pub meta: Option<Meta>,
            /// World time of the cut; written with every commit.
            pub time: GameTime,
            /// New ledger records.
            pub ledger: Vec<LedgerRecord>,
            /// Some of the oldest ledger records before this moment are deleted.
            pub ledger_kept_from: Option<GameTime>,
        }

        impl Changes {
            /// Returns changes of the time alone.
            pub fn at(time: GameTime) -> Self {
                Self { time, ..Self::default() }
            }

            /// Returns the number of rows to write and to delete.
            pub fn rows(&self) -> usize {
                let tables = 0 $(+ self.$table.put.len() + self.$table.gone.len())*;
                tables + usize::from(self.meta.is_some()) + self.ledger.len()
            }

            /// Returns `true` if nothing but the time has changed.
            pub fn is_empty(&self) -> bool {
                $(self.$table.is_empty() &&)*
                self.meta.is_none() && self.ledger.is_empty() && self.ledger_kept_from.is_none()
            }
        }

        /// Stored world: all rows, or those of the parts that are awake.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Snapshot {
            $($(#[$doc])* pub $table: BTreeMap<<crate::world::$row as Row>::Id, crate::world::$row>,)*
            /// Metadata row; `None` in a database that has never held a world.
            pub meta: Option<Meta>,
            /// Ledger records, oldest first. Not loaded from a database, as `meta` holds the totals.
            pub ledger: Vec<LedgerRecord>,
            /// Parts of which no rows were loaded.
            #[serde(default)]
            pub asleep: AsleepRows,
        }

        impl Snapshot {
            /// Applies the changes of a batch, as the database does.
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

            /// Returns the rows stored under an id other than their own, for the operator.
            pub fn misplaced(&self) -> Vec<String> {
                let mut strays = Vec::new();
                $(strays.extend(misplaced(&self.$table));)*
                strays
            }
        }
    };
}
for_each_table!(declare_records);
