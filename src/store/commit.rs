//! A batch as one multi-statement query in one transaction: one hop to SQLite, whatever changed.

use crate::store::{Store, StoreError};
use crate::world::Changes;
use serde::Serialize;
use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What can stand in a batch, in the order in which it is written, deletions first so that names are free again: the SQL, and the JSON it is fed with.
struct Part {
    sql: &'static str,
    json: fn(&Changes) -> Result<Option<String>, serde_json::Error>,
}

macro_rules! tables {
    ($($table:ident by $key:literal),* $(,)?) => {
        &[$(
            Part {
                sql: concat!(
                    "delete from ", stringify!($table), " where ", $key, " in (select value from json_each(?));\n",
                ),
                json: |changes| json_of(&changes.$table.gone),
            },
            Part {
                sql: concat!(
                    "insert into ", stringify!($table), " (", $key, ", data) ",
                    "select value ->> '", $key, "', value from json_each(?) where true ",
                    "on conflict (", $key, ") do update set data = excluded.data;\n",
                ),
                json: |changes| json_of(&changes.$table.put),
            },
        )*
            Part {
                sql: "insert into meta (id, data) select 1, ? where true \
                      on conflict (id) do update set data = excluded.data;\n",
                json: |changes| changes.meta.as_ref().map(serde_json::to_string).transpose(),
            },
            Part {
                sql: "insert into audit (at, account, action) \
                      select value ->> 'at', value ->> 'account', value ->> 'action' from json_each(?);\n",
                json: |changes| json_of(&changes.audit),
            },
            Part {
                sql: "insert into ledger (at, what, amount, why, who) \
                      select value ->> 'at', value ->> 'what', value ->> 'amount', value ->> 'why', value ->> 'who' \
                      from json_each(?);\n",
                json: |changes| json_of(&changes.ledger),
            },
        ]
    };
}

const PARTS: &[Part] = tables![
    accounts by "id",
    branches by "id",
    floors by "id",
    rooms by "id",
    exits by "id",
    characters by "id",
    items by "id",
    start_tasks by "room",
    parties by "id",
    reports by "id",
];

/// Rows as a JSON array; none if there are none.
fn json_of<T: Serialize>(rows: &[T]) -> Result<Option<String>, serde_json::Error> {
    (!rows.is_empty()).then(|| serde_json::to_string(rows)).transpose()
}

/// The SQL of batches by which parts stand in them, so that SQLite's statement cache knows them again.
#[derive(Debug, Default)]
pub(super) struct Statements(BTreeMap<u32, Arc<str>>);

impl Statements {
    fn of(&mut self, parts: u32) -> Arc<str> {
        let sql = self.0.entry(parts).or_insert_with(|| {
            let mut sql = String::from("begin immediate;\n");
            for (n, part) in PARTS.iter().enumerate() {
                if parts & (1 << n) != 0 {
                    sql.push_str(part.sql);
                }
            }
            sql.push_str("commit");
            sql.into()
        });
        Arc::clone(sql)
    }
}

impl Store {
    /// Writes a batch, whole or not at all. The future must be run to its end: dropped half-way, nobody knows
    /// whether the batch is stored.
    ///
    /// # Errors
    /// [`StoreError`]; nothing of the batch is stored, and memory is ahead of the disk.
    pub async fn commit(&mut self, changes: &Changes) -> Result<(), StoreError> {
        let mut parts = 0_u32;
        let mut values = Vec::new();
        for (n, part) in PARTS.iter().enumerate() {
            let json = (part.json)(changes).map_err(|error| StoreError::Failed(error.to_string()))?;
            if let Some(json) = json {
                parts |= 1 << n;
                values.push(json);
            }
        }
        if parts == 0 {
            return Ok(());
        }
        let sql = self.statements.of(parts);
        // The text is made of the constants above and nothing else; every value is bound.
        let query = values.into_iter().fold(sqlx::query(AssertSqlSafe(sql)), sqlx::query::Query::bind);
        if let Err(error) = query.execute(&mut self.connection).await {
            self.roll_back().await;
            return Err(error.into());
        }
        Ok(())
    }
}
