//! Columns that the database has in addition to the key and the JSON of a row: unique names, unique places, and the
//! containing branch, by which the rows of one branch are found.

use crate::base::BranchId;
use crate::store::StoreError;
use crate::world::tables::{Row, for_each_table};
use crate::world::{
    Account, AuditRecord, Ban, Branch, Character, Definition, Exit, Floor, Item, JournalEntry, Party, Report,
    Room, StartTasks, Table, World,
};
use futures_util::TryStreamExt as _;
use serde::Serialize;
use sqlx::{AssertSqlSafe, SqliteConnection};

/// Value of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Column<'a> {
    /// A number, or null.
    Number(Option<i64>),
    /// A text, or null.
    Text(Option<&'a str>),
}

/// Row of a table with such columns.
pub(super) trait Stored: Row + Serialize {
    /// Names of the columns. [`mismatches`] compares them with the rows.
    const COLUMNS: &'static [&'static str] = &[];

    /// Adds their values to a list, in this order, given the containing branch.
    fn add_columns<'a>(&'a self, _: Option<BranchId>, _: &mut Vec<Column<'a>>) {}

    /// Returns the containing branch of the row.
    fn branch_in(&self, _: &World) -> Option<BranchId> {
        None
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

macro_rules! no_columns {
    ($($row:ty)*) => {$(impl Stored for $row {})*};
}
no_columns! { Branch Floor StartTasks Party Report Ban AuditRecord JournalEntry Definition }

impl Stored for Account {
    const COLUMNS: &'static [&'static str] = &["name", "skeleton"];

    fn add_columns<'a>(&'a self, _: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        columns.extend([Column::Text(Some(&self.key)), Column::Text(Some(&self.skeleton))]);
    }
}

impl Stored for Room {
    const COLUMNS: &'static [&'static str] = &["branch", "floor", "x", "y"];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        let place = [i64::from(self.floor), self.at.x.into(), self.at.y.into()];
        columns.push(branch_column(branch));
        columns.extend(place.map(|number| Column::Number(branch.map(|_| number))));
    }

    fn branch_in(&self, _: &World) -> Option<BranchId> {
        self.branch
    }
}

impl Stored for Exit {
    const COLUMNS: &'static [&'static str] = &["branch"];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        columns.push(branch_column(branch));
    }

    fn branch_in(&self, world: &World) -> Option<BranchId> {
        world.branch_around_room(self.room)
    }
}

impl Stored for Character {
    const COLUMNS: &'static [&'static str] = &["branch", "name", "skeleton"];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        let names = [self.key.as_deref(), self.skeleton.as_deref()];
        columns.push(branch_column(branch));
        columns.extend(names.map(Column::Text));
    }

    fn branch_in(&self, world: &World) -> Option<BranchId> {
        world.branch_around_character(self.id)
    }
}

impl Stored for Item {
    const COLUMNS: &'static [&'static str] = &["branch"];

    fn add_columns<'a>(&'a self, branch: Option<BranchId>, columns: &mut Vec<Column<'a>>) {
        columns.push(branch_column(branch));
    }

    fn branch_in(&self, world: &World) -> Option<BranchId> {
        world.branch_around_item(self.id)
    }
}

fn branch_column(branch: Option<BranchId>) -> Column<'static> {
    Column::Number(branch.map(|branch| branch.0.into()))
}
