//! Loads the world from the tables. Each query returns up to a thousand rows, because a round trip to SQLite costs more
//! than a row.

use crate::store::batches::BatchPlace;
use crate::store::columns::StoredRow;
use crate::store::files::blame_disk;
use crate::store::{Store, StoreError, lease, log_damage};
use deepwell_core::base::{AccountId, BranchId, CharacterId, GameTime, RoomId};
use deepwell_core::world::tables::{Row as _, for_each_table};
use deepwell_core::world::{
    AbsentCharacter, AsleepRows, Floor, Item, Meta, Room, Snapshot, Table, World, WorldPart,
};
use futures_util::TryStreamExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

/// Rows per query.
const CHUNK: u32 = 1_000;

/// Query for the account of each player's character, and the fields of those that may be absent. Its parameter is the id
/// after which it begins.
pub(super) const PLAYERS: &str = "select group_concat(id || ' ' || -part || ' ' || coalesce(absent, ''), char(10)) from \
     (select id, part, absent from characters where part < 0 and id > ? order by id limit 1000)";

impl Store {
    /// Sets whether [`load`](Self::load) leaves branches without players, and accounts that are away, in the database.
    pub const fn leave_asleep(&mut self, branches: bool, accounts: bool) {
        self.leaves = (branches, accounts);
    }

    /// Reads all committed rows, perhaps without those of the parts that may sleep, and validates each one.
    ///
    /// # Errors
    /// [`StoreError::BadRow`] for the first invalid row.
    pub async fn load(&mut self) -> Result<Snapshot, StoreError> {
        self.load_or_retry().await.map_err(|error| blame_disk(&self.path, error))
    }

    async fn load_or_retry(&mut self) -> Result<Snapshot, StoreError> {
        // Read before the first row: the next batch then detects anything that other connections write from here on.
        self.lease.version = lease::version(&mut self.connection).await?;
        if let Some(numbered) = &mut self.numbered {
            // A batch in doubt may be stored.
            numbered.place = BatchPlace::read(&mut self.connection).await?;
        }
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
        if self.leaves == (false, false) { load(db).await } else { load_awake(db, self.leaves).await }
    }
}

/// Rows of a table to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection<'a> {
    /// All rows.
    All,
    /// Rows outside of parts, and no floors. In a table that does not name the containing part all rows.
    Outside,
    /// Rows in a part.
    Part(WorldPart),
    /// Rows in parts, whose numbers are a JSON array.
    Parts(&'a str),
    /// Floors of a branch.
    FloorsOf(BranchId),
    /// Rows with these keys, as a JSON array.
    Keys(&'a str),
}

impl Selection<'_> {
    /// Returns the condition of the selection. Its parameter, if it has one, is the second of the query.
    fn condition<R: StoredRow>(self) -> String {
        let part = R::part_column().unwrap_or("null");
        match self {
            Selection::Outside if R::part_column().is_some() => format!("{part} is null and"),
            Selection::Outside if R::TABLE == Floor::TABLE => "false and".to_owned(),
            Selection::All | Selection::Outside => String::new(),
            Selection::Part(_) => format!("{part} = ?2 and"),
            Selection::Parts(_) => format!("{part} in (select value from json_each(?2)) and"),
            Selection::FloorsOf(_) => "id between ?2 << 32 and (?2 << 32 | 0xffffffff) and".to_owned(),
            Selection::Keys(_) => "id in (select value from json_each(?2)) and".to_owned(),
        }
    }
}

pub(super) async fn load(db: &mut SqliteConnection) -> Result<Snapshot, StoreError> {
    tables(db, Selection::All).await
}

async fn tables(db: &mut SqliteConnection, selection: Selection<'_>) -> Result<Snapshot, StoreError> {
    macro_rules! read {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
            Snapshot { $($table: table(db, selection).await?,)* ..Snapshot::default() }
        };
    }
    let mut meta = meta(db).await?;
    if let Some(meta) = &mut meta {
        // Batches that do not write this row write the time nevertheless.
        let time: i64 = sqlx::query_scalar("select time from lease").fetch_one(&mut *db).await?;
        meta.time = meta.time.max(GameTime(time));
    }
    Ok(Snapshot { meta, ..for_each_table!(read) })
}

pub(super) async fn meta(db: &mut SqliteConnection) -> Result<Option<Meta>, StoreError> {
    let meta: Option<String> = sqlx::query_scalar("select data from meta").fetch_optional(db).await?;
    meta.map(|data| parse("meta", &data)).transpose()
}

/// Reads the rows outside of parts, and those of the parts that must be awake. `leaves` tells whether branches and accounts
/// may be asleep.
async fn load_awake(db: &mut SqliteConnection, leaves: (bool, bool)) -> Result<Snapshot, StoreError> {
    let mut stored = tables(db, Selection::Outside).await?;
    let item_count = count(db, "items").await?;
    if !stored.has_totals(item_count) {
        return load(db).await;
    }
    let absent = load_accounts(db, &mut stored, leaves.1).await?;
    let asleep = load_branches(db, &mut stored, leaves.0).await?;
    let players = stored.characters.values().filter(|body| body.is_player()).map(|body| body.room);
    let kept: BTreeSet<RoomId> = players.chain(absent.values().map(|absent| absent.room)).collect();
    let missing: Vec<RoomId> = kept.into_iter().filter(|room| !stored.rooms.contains_key(room)).collect();
    stored.rooms.extend(table(db, Selection::Keys(&array_of(&missing)?)).await?);
    stored.asleep = AsleepRows {
        rooms: count(db, "rooms").await?.saturating_sub(stored.rooms.len() as u64),
        characters: count(db, "characters").await?.saturating_sub(stored.characters.len() as u64),
        items: item_count.saturating_sub(stored.items.len() as u64),
        branches: asleep,
        absent,
    };
    Ok(stored)
}

/// Reads the rows of the accounts that must be awake. Returns the characters of the others.
async fn load_accounts(
    db: &mut SqliteConnection,
    stored: &mut Snapshot,
    leave: bool,
) -> Result<BTreeMap<CharacterId, AbsentCharacter>, StoreError> {
    let players = players(db).await?;
    let all = players.iter().map(|(who, account, absent)| (*who, *account, absent.as_ref()));
    let asleep = if leave { stored.absent_accounts(all) } else { BTreeSet::new() };
    let awake: BTreeSet<AccountId> =
        players.iter().map(|(_, account, _)| *account).filter(|account| !asleep.contains(account)).collect();
    for accounts in awake.into_iter().collect::<Vec<_>>().chunks(CHUNK as usize) {
        let numbers: Vec<i64> =
            accounts.iter().map(|account| WorldPart::Account(*account).number()).collect();
        let numbers = array_of(&numbers)?;
        stored.characters.extend(table(db, Selection::Parts(&numbers)).await?);
        stored.items.extend(table(db, Selection::Parts(&numbers)).await?);
        stored.variables.extend(table(db, Selection::Parts(&numbers)).await?);
    }
    let absent = players.into_iter().filter(|(_, account, _)| asleep.contains(account));
    Ok(absent.filter_map(|(who, _, absent)| Some((who, absent?))).collect())
}

/// Reads the account of each player's character, and the fields of those that may be absent, without their rows.
async fn players(
    db: &mut SqliteConnection,
) -> Result<Vec<(CharacterId, AccountId, Option<AbsentCharacter>)>, StoreError> {
    let (mut players, mut last) = (Vec::new(), i64::MIN);
    loop {
        let chunk: Option<String> = sqlx::query_scalar(PLAYERS).bind(last).fetch_one(&mut *db).await?;
        let Some(chunk) = chunk else { return Ok(players) };
        for line in chunk.split('\n') {
            let mut fields = line.splitn(3, ' ');
            let (id, account) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
            let bad = |reason: &str| StoreError::BadRow {
                table: "characters",
                id: id.into(),
                reason: reason.into(),
            };
            last = id.parse().map_err(|_| bad("its key is not a number"))?;
            let account = account.parse().map_err(|_| bad("its account is not a number"))?;
            let absent = fields.next().filter(|text| !text.is_empty());
            let absent: Option<AbsentCharacter> = absent
                .map(|text| serde_json::from_str(text).map_err(|error| bad(&error.to_string())))
                .transpose()?;
            if absent.as_ref().is_some_and(|absent| absent.account.0 != account) {
                return Err(bad("its account is not that of its columns"));
            }
            let who = u64::try_from(last).map_err(|_| bad("its id is below 1"))?;
            players.push((CharacterId(who), AccountId(account), absent));
        }
    }
}

/// Reads the rows of the branches that must be awake. Returns the others.
async fn load_branches(
    db: &mut SqliteConnection,
    stored: &mut Snapshot,
    leave: bool,
) -> Result<BTreeSet<BranchId>, StoreError> {
    let (rooms, items) = stored.rows_referred_to();
    let mut reached = branches_of::<Room, _>(db, &rooms).await?;
    reached.extend(branches_of::<Item, _>(db, &items).await?);
    let asleep = if leave { stored.sleeping_branches(&reached) } else { BTreeSet::new() };
    let awake: Vec<BranchId> = stored.branches.keys().filter(|id| !asleep.contains(id)).copied().collect();
    for branch in awake {
        let selection = Selection::Part(WorldPart::Branch(branch));
        stored.rooms.extend(table(db, selection).await?);
        stored.exits.extend(table(db, selection).await?);
        stored.characters.extend(table(db, selection).await?);
        stored.items.extend(table(db, selection).await?);
        stored.variables.extend(table(db, selection).await?);
        stored.floors.extend(table(db, Selection::FloorsOf(branch)).await?);
    }
    Ok(asleep)
}

/// Returns the branches that contain these rows.
async fn branches_of<R: StoredRow, I: Serialize>(
    db: &mut SqliteConnection,
    ids: &[I],
) -> Result<BTreeSet<BranchId>, StoreError> {
    let (table, part) = (R::TABLE, R::part_column().unwrap_or("null"));
    let sql = format!(
        "select distinct {part} from {table} where {part} > 0 and id in (select value from json_each(?))"
    );
    let found: Vec<u32> =
        sqlx::query_scalar(AssertSqlSafe(sql)).bind(array_of(ids)?).fetch_all(&mut *db).await?;
    Ok(found.into_iter().map(BranchId).collect())
}

/// Returns those of some ids that a table does not have.
pub(super) async fn missing_ids(
    db: &mut SqliteConnection,
    table: &'static str,
    ids: &[u64],
) -> Result<BTreeSet<u64>, StoreError> {
    // The place in the array, because SQLite has no integer for a damaged id that is too large.
    let sql =
        format!("select key from json_each(?) where not exists (select 1 from {table} where id = value)");
    let places: Vec<i64> = sqlx::query_scalar(AssertSqlSafe(sql)).bind(array_of(ids)?).fetch_all(db).await?;
    Ok(places.into_iter().filter_map(|at| ids.get(usize::try_from(at).ok()?)).copied().collect())
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
pub(super) async fn table<R: StoredRow + DeserializeOwned>(
    db: &mut SqliteConnection,
    selection: Selection<'_>,
) -> Result<BTreeMap<R::Id, R>, StoreError> {
    let (mut chunks, mut rows) = (StoredRows::<R>::new(selection), BTreeMap::new());
    while let Some(chunk) = chunks.next(db).await? {
        rows.extend(chunk.into_iter().map(|row| (row.id(), row)));
    }
    Ok(rows)
}

/// Rows of a table that are read by id, in chunks.
pub(super) struct StoredRows<'a, R> {
    selection: Selection<'a>,
    sql: String,
    /// Key of the last row read. Progress follows the key column, not the ids inside the rows.
    last: i64,
    row: PhantomData<R>,
}

impl<'a, R: StoredRow + DeserializeOwned> StoredRows<'a, R> {
    pub(super) fn new(selection: Selection<'a>) -> Self {
        let (name, key, condition) = (R::TABLE, R::KEY, selection.condition::<R>());
        // JSON escapes line feeds inside strings, so a line feed can separate the rows.
        let sql = format!(
            "select group_concat({key} || ' ' || data, char(10)) from \
             (select {key}, data from {name} where {condition} {key} > ?1 order by {key} limit {CHUNK})"
        );
        Self { selection, sql, last: i64::MIN, row: PhantomData }
    }

    /// Reads the next rows; `None` after the last one.
    pub(super) async fn next(&mut self, db: &mut SqliteConnection) -> Result<Option<Vec<R>>, StoreError> {
        let query = sqlx::query_scalar(AssertSqlSafe(self.sql.clone())).bind(self.last);
        let query = match self.selection {
            Selection::All | Selection::Outside => query,
            Selection::Part(part) => query.bind(part.number()),
            Selection::FloorsOf(branch) => query.bind(branch.0),
            Selection::Parts(keys) | Selection::Keys(keys) => query.bind(keys),
        };
        let chunk: Option<String> = query.fetch_one(db).await?;
        chunk.map(|chunk| chunk.split('\n').map(|line| self.row(line)).collect()).transpose()
    }

    /// Parses a row, with its key before it.
    fn row(&mut self, line: &str) -> Result<R, StoreError> {
        let (number, data) = line.split_once(' ').unwrap_or((line, ""));
        let bad =
            |reason: &str| StoreError::BadRow { table: R::TABLE, id: number.into(), reason: reason.into() };
        self.last = number.parse().map_err(|_| bad("its key is not a number"))?;
        let row: R = parse(R::TABLE, data)?;
        let id: u64 = row.id().into();
        match i64::try_from(id) {
            Ok(id @ 1..) if id == self.last => Ok(row),
            Ok(1..) => Err(bad(&format!("its data has the id {id}"))),
            _ => Err(bad("its id is below 1 or too large")),
        }
    }
}

/// Returns the rows whose columns are not those that the server would write, for the operator.
pub(super) async fn mismatches(db: &mut SqliteConnection, world: &World) -> Result<Vec<String>, StoreError> {
    let mut violations = Vec::new();
    macro_rules! compare {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
            $(compare(db, world, &world.$table, &mut violations).await?;)*
        };
    }
    for_each_table!(compare);
    Ok(violations)
}

async fn compare<R: StoredRow>(
    db: &mut SqliteConnection,
    world: &World,
    table: &Table<R>,
    violations: &mut Vec<String>,
) -> Result<(), StoreError> {
    if R::COLUMNS.is_empty() {
        return Ok(());
    }
    let (name, key) = (R::TABLE, R::KEY);
    let sql = format!("select json_array({}) from {name} order by {key}", R::COLUMNS.join(", "));
    let mut stored = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).fetch(db);
    for (id, row) in table.iter() {
        let mut columns = Vec::new();
        row.add_columns(row.part_in(world), &mut columns);
        let ours = serde_json::to_string(&columns).map_err(|error| StoreError::Failed(error.to_string()))?;
        let found = stored.try_next().await?.unwrap_or_default();
        if found != ours {
            let columns = R::COLUMNS.join(", ");
            violations
                .push(format!("{name} {id}: its columns {columns} are {found}, but its row says {ours}"));
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
