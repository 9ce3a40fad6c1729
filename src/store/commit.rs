//! A batch as one multi-statement query in one transaction: one hop to SQLite, whatever changed.

use crate::store::{Store, StoreError, Trouble, lease};
use crate::world::Changes;
use crate::world::record::LEDGER_STEP;
use crate::world::tables::{Row, for_each_table};
use serde::Serialize;
use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What can stand in a batch, in the order in which it is written, a table's deletions first so that names are free
/// again: the SQL, and the JSON it is fed with.
struct Clause {
    sql: fn() -> String,
    json: fn(&Changes) -> Result<Option<String>, serde_json::Error>,
}

macro_rules! parts {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {
        &[
            $(
                Clause { sql: deletion::<crate::world::$row>, json: |changes| json_of(&changes.$table.gone) },
                Clause { sql: insertion::<crate::world::$row>, json: |changes| json_of(&changes.$table.put) },
            )*
            Clause {
                sql: || {
                    "insert into meta (id, data) select 1, ? where true \
                     on conflict (id) do update set data = excluded.data;\n"
                        .to_owned()
                },
                json: |changes| changes.meta.as_ref().map(serde_json::to_string).transpose(),
            },
            Clause {
                sql: || {
                    "update meta set data = json_set(data, '$.time', max(data ->> '$.time', cast(? as integer)));\n"
                        .to_owned()
                },
                json: |changes| changes.meta.is_none().then(|| serde_json::to_string(&changes.time)).transpose(),
            },
            Clause {
                sql: || {
                    format!(
                        "delete from ledger where id in (select id from ledger order by id limit {LEDGER_STEP}) \
                         and at < cast(? as integer);\n"
                    )
                },
                json: |changes| changes.ledger_kept_from.as_ref().map(serde_json::to_string).transpose(),
            },
            Clause {
                sql: || {
                    "insert into ledger (at, what, amount, why, who) \
                     select value ->> 'at', value ->> 'what', value ->> 'amount', value ->> 'why', value ->> 'who' \
                     from json_each(?);\n"
                        .to_owned()
                },
                json: |changes| json_of(&changes.ledger),
            },
        ]
    };
}

const CLAUSES: &[Clause] = for_each_table!(parts);

fn deletion<R: Row>() -> String {
    format!("delete from {} where {} in (select value from json_each(?));\n", R::TABLE, R::KEY)
}

fn insertion<R: Row>() -> String {
    let (table, key) = (R::TABLE, R::KEY);
    format!(
        "insert into {table} ({key}, data) select value ->> '{key}', value from json_each(?) where true \
         on conflict ({key}) do update set data = excluded.data;\n"
    )
}

/// Rows as a JSON array; none if there are none.
fn json_of<T: Serialize>(rows: &[T]) -> Result<Option<String>, serde_json::Error> {
    (!rows.is_empty()).then(|| serde_json::to_string(rows)).transpose()
}

/// The SQL of batches by which parts stand in them, so that SQLite's statement cache knows them again.
#[derive(Debug, Default)]
pub(super) struct Statements(BTreeMap<u64, Arc<str>>);

impl Statements {
    fn of(&mut self, parts: u64) -> Arc<str> {
        let sql = self.0.entry(parts).or_insert_with(|| {
            let mut sql = format!("begin immediate;\n{}", lease::REQUIRE);
            for (n, part) in CLAUSES.iter().enumerate() {
                if parts & (1 << n) != 0 {
                    sql.push_str(&(part.sql)());
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
        let mut parts = 0_u64;
        let mut values = Vec::new();
        for (n, part) in CLAUSES.iter().enumerate() {
            let json = (part.json)(changes).map_err(|error| StoreError::Failed(error.to_string()))?;
            if let Some(json) = json {
                parts |= 1 << n;
                values.push(json);
            }
        }
        if parts == 0 {
            return Ok(());
        }
        self.require_room_in_log().await?;
        let sql = self.statements.of(parts);
        // The text is made of the constants above and nothing else; every value is bound.
        let lease = sqlx::query(AssertSqlSafe(sql)).bind(&self.lease.holder).bind(self.lease.version);
        let query = values.into_iter().fold(lease, sqlx::query::Query::bind);
        if let Err(error) = query.execute(&mut self.connection).await {
            self.roll_back().await;
            return Err(self.undo(error.into()).await);
        }
        self.has_deleted |= !changes.accounts.gone.is_empty();
        if self.has_deleted {
            self.forget_log().await;
        }
        Ok(())
    }

    /// Sees to it that a batch that failed so is not stored. One that was written and not synced lies whole in the log,
    /// behind what counts, and a start after a kill would count it: something else is written in its place.
    async fn undo(&mut self, error: StoreError) -> StoreError {
        match error {
            StoreError::NotNow { trouble: Trouble::Disk, reason } => match self.write_nothing().await {
                Ok(()) => StoreError::NotNow { trouble: Trouble::Disk, reason },
                Err(StoreError::Taken) => StoreError::Taken,
                Err(_) => StoreError::InDoubt { reason },
            },
            other => other,
        }
    }
}
