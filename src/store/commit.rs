//! Writes a batch as one multi-statement query in one transaction: one round trip to SQLite for any set of changes.

use crate::store::columns::StoredRow;
use crate::store::{Store, StoreError, Trouble, lease, schema};
use deepwell_core::base::{Digest, GameTime};
use deepwell_core::world::Changes;
use deepwell_core::world::storage::record::LEDGER_STEP;
use deepwell_core::world::table::TableChanges;
use deepwell_core::world::tables::{Row, for_each_table};
use futures_util::{Stream, TryStreamExt as _};
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Deserialize, Serialize, Serializer};
use sqlx::{AssertSqlSafe, Executor as _};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A statement that a batch can contain: its SQL and its JSON parameter. The list is in execution order. A table's
/// deletions come first, so that their names are free for the insertions.
struct Clause {
    sql: fn() -> String,
    json: fn(&Changes) -> Result<Option<String>, serde_json::Error>,
}

macro_rules! parts {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
        &[
            $(
                Clause { sql: deletion::<deepwell_core::world::$row>, json: |changes| json_of(&changes.$table.gone) },
                Clause {
                    sql: || insertion::<deepwell_core::world::$row>(&[]),
                    json: |changes| rows_of(&changes.$table, true),
                },
                Clause {
                    sql: || insertion::<deepwell_core::world::$row>(deepwell_core::world::$row::COLUMNS),
                    json: |changes| rows_of(&changes.$table, false),
                },
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

/// Inserts rows, and replaces the JSON and the given columns of existing ones. SQLite rewrites the indices of every
/// column that is set, also to its present value.
fn insertion<R: StoredRow>(replaced: &[&str]) -> String {
    let (table, key) = (R::TABLE, R::KEY);
    let names: Vec<&str> = [key].into_iter().chain(R::COLUMNS.iter().copied()).chain(["data"]).collect();
    let values: Vec<String> = (0..names.len()).map(|n| format!("value ->> {n}")).collect();
    let set: Vec<String> =
        replaced.iter().chain(&["data"]).map(|name| format!("{name} = excluded.{name}")).collect();
    format!(
        "insert into {table} ({}) select {} from json_each(?) where true on conflict ({key}) do update set {};\n",
        names.join(", "),
        values.join(", "),
        set.join(", ")
    )
}

/// Column values of a row, serialized as an array. The JSON of the row is a string, which SQLite stores as it is.
struct Values<'a, R: Row> {
    row: &'a R,
    changes: &'a TableChanges<R>,
}

impl<R: StoredRow> Serialize for Values<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (id, mut columns) = (self.row.id(), Vec::new());
        self.row.add_columns(self.changes.parts.get(&id).copied(), &mut columns);
        let mut values = serializer.serialize_seq(Some(columns.len() + 2))?;
        values.serialize_element(&id.into())?;
        columns.iter().try_for_each(|column| values.serialize_element(column))?;
        values.serialize_element(&serde_json::to_string(self.row).map_err(S::Error::custom)?)?;
        values.end()
    }
}

/// Serializes the rows that are edited only, or the others; `None` if there are none. In a table without other columns,
/// no row is edited only.
fn rows_of<R: StoredRow>(
    changes: &TableChanges<R>,
    edited: bool,
) -> Result<Option<String>, serde_json::Error> {
    let is_edited = |row: &R| !R::COLUMNS.is_empty() && changes.edited.contains(&row.id());
    let rows = changes.put.iter().filter(|row| is_edited(row) == edited);
    json_of(&rows.map(|row| Values { row, changes }).collect::<Vec<_>>())
}

/// Serializes rows as a JSON array; `None` if the slice is empty.
fn json_of<T: Serialize>(rows: &[T]) -> Result<Option<String>, serde_json::Error> {
    (!rows.is_empty()).then(|| serde_json::to_string(rows)).transpose()
}

/// The changes of a batch as SQLite receives them. Hosts of a cluster exchange batches in this form, so every host
/// stores the same bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Batch {
    /// World time.
    time: GameTime,
    /// Set of clauses: bit n is set for clause n.
    clauses: u64,
    /// JSON parameter of each clause, in order.
    values: Vec<String>,
    /// Set if the batch deletes accounts.
    deletes_accounts: bool,
}

impl Batch {
    /// Serializes changes.
    ///
    /// # Errors
    /// [`StoreError::Failed`] for a row that is not JSON.
    pub fn of(changes: &Changes) -> Result<Self, StoreError> {
        let mut batch = Self {
            time: changes.time,
            deletes_accounts: !changes.accounts.gone.is_empty(),
            ..Self::default()
        };
        for (n, clause) in CLAUSES.iter().enumerate() {
            let json = (clause.json)(changes).map_err(|error| StoreError::Failed(error.to_string()))?;
            if let Some(json) = json {
                batch.clauses |= 1 << n;
                batch.values.push(json);
            }
        }
        Ok(batch)
    }

    /// Returns the world time.
    pub(crate) const fn time(&self) -> GameTime {
        self.time
    }

    /// Returns the approximate length in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.values.iter().map(|value| value.len() as u64).sum()
    }
}

/// Returns the digest of the format of batches, in hexadecimal digits: schema and SQL. Hosts with different formats
/// cannot store each other's batches.
pub fn batch_format() -> String {
    let mut digest = Digest::default();
    digest.take(&schema::known_schema());
    for clause in CLAUSES {
        digest.take(&(clause.sql)());
    }
    format!("{:016x}", digest.0)
}

/// SQL of batches, by the set of clauses in them and whether they are logged, so that SQLite's statement cache
/// recognises the text.
#[derive(Debug, Default)]
pub(super) struct Statements(BTreeMap<(u64, bool), Arc<str>>);

impl Statements {
    fn of(&mut self, clauses: u64, is_logged: bool) -> Arc<str> {
        let sql = self.0.entry((clauses, is_logged)).or_insert_with(|| {
            let require = if is_logged { lease::REQUIRE_AND_LOG } else { lease::REQUIRE };
            let mut sql = format!("begin immediate;\n{require}");
            for (n, clause) in CLAUSES.iter().enumerate() {
                if clauses & (1 << n) != 0 {
                    sql.push_str(&(clause.sql)());
                }
            }
            sql.push_str("commit");
            sql.into()
        });
        Arc::clone(sql)
    }
}

/// Waits for all statements of a query. Returns the time between the results of the last two. The thread of SQLite sends
/// each result when it has it, so that the time needs no further round trip.
async fn time_last_statement<R>(
    mut results: impl Stream<Item = Result<R, sqlx::Error>> + Unpin,
) -> Result<Duration, sqlx::Error> {
    let (mut before, mut last) = (Instant::now(), Instant::now());
    while results.try_next().await?.is_some() {
        (before, last) = (last, Instant::now());
    }
    Ok(last - before)
}

impl Store {
    /// Writes changes atomically. Not cancel-safe: if the future is dropped early, they may or may not be stored.
    ///
    /// # Errors
    /// [`StoreError`]; memory is then ahead of the disk. No part of the changes is stored, except perhaps after
    /// [`StoreError::InDoubt`].
    pub async fn commit(&mut self, changes: &Changes) -> Result<(), StoreError> {
        let batch = Batch::of(changes)?;
        let Some(numbered) = &self.numbered else { return self.write(&batch, None).await };
        let next = numbered.next();
        self.write(&batch, Some((next.sequence, next.writer))).await?;
        if let Some(numbered) = &mut self.numbered {
            numbered.append(batch);
        }
        Ok(())
    }

    /// Writes a batch atomically; with the sequence number and the writer of its entry in the log of the cluster, or in the
    /// log of batches, if there is one. Not cancel-safe.
    ///
    /// # Errors
    /// Those of [`commit`](Self::commit).
    pub async fn write(&mut self, batch: &Batch, entry: Option<(u64, u64)>) -> Result<(), StoreError> {
        self.require_log_space().await?;
        let sql = self.statements.of(batch.clauses, entry.is_some());
        // The SQL consists of the constants above alone; every value is bound.
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(&self.lease.holder)
            .bind(self.lease.version)
            .bind(batch.time.0);
        if let Some((sequence, writer)) = entry {
            query = query.bind(sequence.cast_signed()).bind(writer.cast_signed());
        }
        let query = batch.values.iter().fold(query, sqlx::query::Query::bind);
        match time_last_statement(self.connection.execute_many(query)).await {
            Ok(took) => self.disk_time = took,
            Err(error) => {
                self.roll_back().await;
                return Err(self.undo(error.into()).await);
            }
        }
        if let (Some(position), Some(entry)) = (&mut self.position, entry) {
            (position.sequence, position.writer) = entry;
        }
        self.has_deleted |= batch.deletes_accounts;
        if self.has_deleted {
            self.empty_log().await;
        }
        Ok(())
    }

    /// Returns the duration of the last COMMIT statement of a batch: SQLite writes the pages of the transaction to the
    /// write-ahead log and syncs it, and checkpoints the log if that is due.
    pub const fn disk_time(&self) -> Duration {
        self.disk_time
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
