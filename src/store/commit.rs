//! Writes a batch as one multi-statement query in one transaction: one round trip to SQLite for any set of changes.

use crate::store::{Store, StoreError, Trouble, lease};
use crate::world::Changes;
use crate::world::record::LEDGER_STEP;
use crate::world::tables::{Row, for_each_table};
use serde::Serialize;
use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A statement that a batch can contain: its SQL and its JSON parameter. The list is in execution order. A table's
/// deletions come first, so that their names are free for the insertions.
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

/// Serializes rows as a JSON array; `None` if the slice is empty.
fn json_of<T: Serialize>(rows: &[T]) -> Result<Option<String>, serde_json::Error> {
    (!rows.is_empty()).then(|| serde_json::to_string(rows)).transpose()
}

/// SQL of batches, by the set of clauses in them, so that SQLite's statement cache recognises the text.
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
    /// Writes a batch atomically. Not cancel-safe: if the future is dropped early, the batch may or may not be stored.
    ///
    /// # Errors
    /// [`StoreError`]; memory is then ahead of the disk. No part of the batch is stored, except perhaps after
    /// [`StoreError::InDoubt`].
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
        self.require_log_space().await?;
        let sql = self.statements.of(parts);
        // The SQL consists of the constants above alone; every value is bound.
        let lease = sqlx::query(AssertSqlSafe(sql)).bind(&self.lease.holder).bind(self.lease.version);
        let query = values.into_iter().fold(lease, sqlx::query::Query::bind);
        if let Err(error) = query.execute(&mut self.connection).await {
            self.roll_back().await;
            return Err(self.undo(error.into()).await);
        }
        self.has_deleted |= !changes.accounts.gone.is_empty();
        if self.has_deleted {
            self.empty_log().await;
        }
        Ok(())
    }

    /// Ensures that a failed batch is not stored. A batch that was written but not synced is complete in the log, after
    /// the last commit, and a restart could recover it: another transaction is written in its place.
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
