//! The whole world from its rows. Rows come a thousand to a result: a hop to SQLite costs more than a row.

use crate::store::{Store, StoreError};
use crate::world::Snapshot;
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::BTreeMap;

/// Rows to a result.
const CHUNK: u32 = 1_000;

impl Store {
    /// Reads everything that was ever committed, and trusts none of it.
    ///
    /// # Errors
    /// [`StoreError::BadRow`] for the first row that is not what its table holds.
    pub async fn load(&mut self) -> Result<Snapshot, StoreError> {
        load(&mut self.connection).await
    }
}

pub(super) async fn load(db: &mut SqliteConnection) -> Result<Snapshot, StoreError> {
    let meta: Option<String> = sqlx::query_scalar("select data from meta").fetch_optional(&mut *db).await?;
    Ok(Snapshot {
        accounts: table(db, "accounts", "id", |row: &crate::world::Account| (row.id, row.id.0.into()))
            .await?,
        branches: table(db, "branches", "id", |row: &crate::world::Branch| (row.id, row.id.0.into())).await?,
        floors: table(db, "floors", "id", |row: &crate::world::Floor| (row.id, row.id.0)).await?,
        rooms: table(db, "rooms", "id", |row: &crate::world::Room| (row.id, row.id.0.into())).await?,
        exits: table(db, "exits", "id", |row: &crate::world::Exit| (row.id, row.id.0)).await?,
        characters: table(db, "characters", "id", |row: &crate::world::Character| (row.id, row.id.0)).await?,
        items: table(db, "items", "id", |row: &crate::world::Item| (row.id, row.id.0)).await?,
        start_tasks: table(db, "start_tasks", "room", |row: &crate::world::StartTasks| {
            (row.room, row.room.0.into())
        })
        .await?,
        reports: table(db, "reports", "id", |row: &crate::world::Report| (row.id, row.id.0.into())).await?,
        parties: table(db, "parties", "id", |row: &crate::world::Party| (row.id, row.id.0.into())).await?,
        meta: meta.map(|data| parse("meta", &data)).transpose()?,
        audit: Vec::new(),
        ledger: Vec::new(),
    })
}

/// All rows of a table by their key; `key` tells a row's id, as itself and as SQLite's integer.
async fn table<K: Ord, V: DeserializeOwned>(
    db: &mut SqliteConnection,
    name: &'static str,
    column: &'static str,
    key: impl Fn(&V) -> (K, u64),
) -> Result<BTreeMap<K, V>, StoreError> {
    // JSON escapes line ends inside texts, so that they can part the rows.
    let sql = format!(
        "select group_concat(data, char(10)) from \
         (select data from {name} where {column} > ? order by {column} limit {CHUNK})"
    );
    let mut rows = BTreeMap::new();
    let mut last = 0_i64;
    loop {
        let query = sqlx::query_scalar(AssertSqlSafe(sql.clone())).bind(last);
        let chunk: Option<String> = query.fetch_one(&mut *db).await?;
        let Some(chunk) = chunk else { return Ok(rows) };
        for line in chunk.split('\n') {
            let row: V = parse(name, line)?;
            let (id, number) = key(&row);
            last = i64::try_from(number).unwrap_or(i64::MAX);
            rows.insert(id, row);
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
