//! Loads the world from the tables. Each query returns up to a thousand rows, because a round trip to SQLite costs more
//! than a row.

use crate::base::GameTime;
use crate::store::{Store, StoreError, lease, log_damage};
use crate::world::tables::{Row, for_each_table};
use crate::world::{Meta, Snapshot};
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::BTreeMap;

/// Rows per query.
const CHUNK: u32 = 1_000;

impl Store {
    /// Reads all committed rows and validates each one.
    ///
    /// # Errors
    /// [`StoreError::BadRow`] for the first invalid row.
    pub async fn load(&mut self) -> Result<Snapshot, StoreError> {
        // Read before the first row: the next batch then detects anything that other connections write from here on.
        self.lease.version = lease::version(&mut self.connection).await?;
        match load(&mut self.connection).await {
            Err(error) if error.tells_of_damage() => {
                log_damage(&error);
                load(&mut self.connection).await
            }
            loaded => loaded,
        }
    }
}

pub(super) async fn load(db: &mut SqliteConnection) -> Result<Snapshot, StoreError> {
    macro_rules! read {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {
            Snapshot { $($table: table(db).await?,)* ..Snapshot::default() }
        };
    }
    let meta: Option<String> = sqlx::query_scalar("select data from meta").fetch_optional(&mut *db).await?;
    let mut meta: Option<Meta> = meta.map(|data| parse("meta", &data)).transpose()?;
    if let Some(meta) = &mut meta {
        // Batches that do not write this row write the time nevertheless.
        let time: i64 = sqlx::query_scalar("select time from lease").fetch_one(&mut *db).await?;
        meta.time = meta.time.max(GameTime(time));
    }
    Ok(Snapshot { meta, ..for_each_table!(read) })
}

/// Reads all rows of a table, by id.
async fn table<R: Row + DeserializeOwned>(
    db: &mut SqliteConnection,
) -> Result<BTreeMap<R::Id, R>, StoreError> {
    let (name, key) = (R::TABLE, R::KEY);
    // JSON escapes line feeds inside strings, so a line feed can separate the rows.
    let sql = format!(
        "select group_concat({key} || ' ' || data, char(10)) from \
         (select {key}, data from {name} where {key} > ? order by {key} limit {CHUNK})"
    );
    let mut rows = BTreeMap::new();
    // Progress follows the key column, not the ids inside the rows.
    let mut last = i64::MIN;
    loop {
        let query = sqlx::query_scalar(AssertSqlSafe(sql.clone())).bind(last);
        let chunk: Option<String> = query.fetch_one(&mut *db).await?;
        let Some(chunk) = chunk else { return Ok(rows) };
        for line in chunk.split('\n') {
            let (number, data) = line.split_once(' ').unwrap_or((line, ""));
            let bad =
                |reason: &str| StoreError::BadRow { table: name, id: number.into(), reason: reason.into() };
            last = number.parse().map_err(|_| bad("its key is not a number"))?;
            let row: R = parse(name, data)?;
            let id: u64 = row.id().into();
            match i64::try_from(id) {
                Ok(id @ 1..) if id == last => {}
                Ok(1..) => return Err(bad(&format!("its data has the id {id}"))),
                _ => return Err(bad("its id is below 1 or too large")),
            }
            rows.insert(row.id(), row);
        }
    }
}

fn parse<V: DeserializeOwned>(table: &'static str, data: &str) -> Result<V, StoreError> {
    serde_json::from_str(data).map_err(|error| {
        let value: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
        let id =
            value.get("id").or_else(|| value.get("room")).map_or_else(|| "?".into(), ToString::to_string);
        StoreError::BadRow { table, id, reason: error.to_string() }
    })
}
