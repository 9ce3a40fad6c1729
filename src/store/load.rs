//! Loads the world from the tables. Each query returns up to a thousand rows, because a round trip to SQLite costs more
//! than a row.

use crate::base::{BranchId, GameTime, RoomId};
use crate::store::columns::{self, Stored};
use crate::store::{Store, StoreError, lease, log_damage};
use crate::world::tables::{Row as _, for_each_table};
use crate::world::{AsleepRows, Floor, Meta, Snapshot, Table, World};
use futures_util::TryStreamExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::{BTreeMap, BTreeSet};

/// Rows per query.
const CHUNK: u32 = 1_000;

impl Store {
    /// Sets whether branches without players are left in the database by [`load`](Self::load).
    pub const fn leave_asleep(&mut self, leave: bool) {
        self.leaves_asleep = leave;
    }

    /// Reads all committed rows, perhaps without those of the branches that may sleep, and validates each one.
    ///
    /// # Errors
    /// [`StoreError::BadRow`] for the first invalid row.
    pub async fn load(&mut self) -> Result<Snapshot, StoreError> {
        // Read before the first row: the next batch then detects anything that other connections write from here on.
        self.lease.version = lease::version(&mut self.connection).await?;
        match self.load_once().await {
            Err(error) if error.tells_of_damage() => {
                log_damage(&error);
                self.load_once().await
            }
            loaded => loaded,
        }
    }

    async fn load_once(&mut self) -> Result<Snapshot, StoreError> {
        let db = &mut self.connection;
        if self.leaves_asleep { load_awake(db).await } else { load(db).await }
    }
}

/// Rows of a table to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection<'a> {
    /// All rows.
    All,
    /// Rows outside of branches, and no floors. In a table that does not name the containing branch all rows.
    Outside,
    /// Rows in a branch.
    Branch(BranchId),
    /// Floors of a branch.
    FloorsOf(BranchId),
    /// Rows with these keys, as a JSON array.
    Keys(&'a str),
}

impl Selection<'_> {
    /// Returns the condition of the selection. Its parameter, if it has one, is the second of the query.
    fn condition<R: Stored>(self) -> &'static str {
        match self {
            Selection::Outside if R::COLUMNS.contains(&columns::BRANCH) => "branch is null and",
            Selection::Outside if R::TABLE == Floor::TABLE => "false and",
            Selection::All | Selection::Outside => "",
            Selection::Branch(_) => "branch = ?2 and",
            Selection::FloorsOf(_) => "id between ?2 << 32 and (?2 << 32 | 0xffffffff) and",
            Selection::Keys(_) => "id in (select value from json_each(?2)) and",
        }
    }
}

pub(super) async fn load(db: &mut SqliteConnection) -> Result<Snapshot, StoreError> {
    tables(db, Selection::All).await
}

async fn tables(db: &mut SqliteConnection, selection: Selection<'_>) -> Result<Snapshot, StoreError> {
    macro_rules! read {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {
            Snapshot { $($table: table(db, selection).await?,)* ..Snapshot::default() }
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

/// Reads the rows outside of branches, and those of the branches that must be awake.
async fn load_awake(db: &mut SqliteConnection) -> Result<Snapshot, StoreError> {
    let mut stored = tables(db, Selection::Outside).await?;
    let item_count = count(db, "items").await?;
    if !stored.has_totals(item_count) {
        return load(db).await;
    }
    let (rooms, items) = stored.rows_referred_to();
    let mut reached = branches_of(db, "rooms", &rooms).await?;
    reached.extend(branches_of(db, "items", &items).await?);
    let asleep = stored.sleeping_branches(&reached);
    let awake: Vec<BranchId> = stored.branches.keys().filter(|id| !asleep.contains(id)).copied().collect();
    for branch in awake {
        let selection = Selection::Branch(branch);
        stored.rooms.extend(table(db, selection).await?);
        stored.exits.extend(table(db, selection).await?);
        stored.characters.extend(table(db, selection).await?);
        stored.items.extend(table(db, selection).await?);
        stored.floors.extend(table(db, Selection::FloorsOf(branch)).await?);
    }
    let players = stored.characters.values().filter(|body| body.is_player());
    let kept: BTreeSet<RoomId> = players.map(|body| body.room).collect();
    let missing: Vec<RoomId> = kept.into_iter().filter(|room| !stored.rooms.contains_key(room)).collect();
    stored.rooms.extend(table(db, Selection::Keys(&array_of(&missing)?)).await?);
    stored.asleep = AsleepRows {
        rooms: count(db, "rooms").await?.saturating_sub(stored.rooms.len() as u64),
        characters: count(db, "characters").await?.saturating_sub(stored.characters.len() as u64),
        items: item_count.saturating_sub(stored.items.len() as u64),
        branches: asleep,
    };
    Ok(stored)
}

/// Returns the branches that contain these rows.
async fn branches_of<I: Serialize>(
    db: &mut SqliteConnection,
    table: &str,
    ids: &[I],
) -> Result<BTreeSet<BranchId>, StoreError> {
    let sql = format!(
        "select distinct branch from {table} where branch is not null and id in (select value from json_each(?))"
    );
    let found: Vec<u32> =
        sqlx::query_scalar(AssertSqlSafe(sql)).bind(array_of(ids)?).fetch_all(&mut *db).await?;
    Ok(found.into_iter().map(BranchId).collect())
}

fn array_of<I: Serialize>(ids: &[I]) -> Result<String, StoreError> {
    serde_json::to_string(ids).map_err(|error| StoreError::Failed(error.to_string()))
}

async fn count(db: &mut SqliteConnection, table: &str) -> Result<u64, StoreError> {
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from {table}")))
        .fetch_one(&mut *db)
        .await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Reads rows of a table, by id.
pub(super) async fn table<R: Stored + DeserializeOwned>(
    db: &mut SqliteConnection,
    selection: Selection<'_>,
) -> Result<BTreeMap<R::Id, R>, StoreError> {
    let (name, key, condition) = (R::TABLE, R::KEY, selection.condition::<R>());
    // JSON escapes line feeds inside strings, so a line feed can separate the rows.
    let sql = format!(
        "select group_concat({key} || ' ' || data, char(10)) from \
         (select {key}, data from {name} where {condition} {key} > ?1 order by {key} limit {CHUNK})"
    );
    let mut rows = BTreeMap::new();
    // Progress follows the key column, not the ids inside the rows.
    let mut last = i64::MIN;
    loop {
        let query = sqlx::query_scalar(AssertSqlSafe(sql.clone())).bind(last);
        let query = match selection {
            Selection::All | Selection::Outside => query,
            Selection::Branch(branch) | Selection::FloorsOf(branch) => query.bind(branch.0),
            Selection::Keys(keys) => query.bind(keys),
        };
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

/// Returns the rows whose columns are not those that the server would write, for the operator.
pub(super) async fn mismatches(db: &mut SqliteConnection, world: &World) -> Result<Vec<String>, StoreError> {
    let mut wrong = Vec::new();
    macro_rules! compare {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {
            $(compare(db, world, &world.$table, &mut wrong).await?;)*
        };
    }
    for_each_table!(compare);
    Ok(wrong)
}

async fn compare<R: Stored>(
    db: &mut SqliteConnection,
    world: &World,
    table: &Table<R>,
    wrong: &mut Vec<String>,
) -> Result<(), StoreError> {
    if R::COLUMNS.is_empty() {
        return Ok(());
    }
    let (name, key) = (R::TABLE, R::KEY);
    let sql = format!("select json_array({}) from {name} order by {key}", R::COLUMNS.join(", "));
    let mut stored = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).fetch(db);
    for (id, row) in table.iter() {
        let mut columns = Vec::new();
        row.add_columns(row.branch_in(world), &mut columns);
        let ours = serde_json::to_string(&columns).map_err(|error| StoreError::Failed(error.to_string()))?;
        let found = stored.try_next().await?.unwrap_or_default();
        if found != ours {
            let columns = R::COLUMNS.join(", ");
            wrong.push(format!("{name} {id}: its columns {columns} are {found}, but its row says {ours}"));
        }
    }
    Ok(())
}

pub(super) fn parse<V: DeserializeOwned>(table: &'static str, data: &str) -> Result<V, StoreError> {
    serde_json::from_str(data).map_err(|error| {
        let value: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
        let id =
            value.get("id").or_else(|| value.get("room")).map_or_else(|| "?".into(), ToString::to_string);
        StoreError::BadRow { table, id, reason: error.to_string() }
    })
}
