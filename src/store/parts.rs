//! Reads single parts of the world while the server runs, over a connection of its own.

use crate::store::load::{Selection, parse, table};
use crate::store::{StoreError, log_damage, options};
use deepwell_core::world::{Branch, PartRows, WorldPart};
use sqlx::{ConnectOptions, SqliteConnection};
use std::path::PathBuf;

/// Reader of the rows of branches and accounts.
#[derive(Debug)]
pub struct PartReader {
    path: PathBuf,
    /// Opened with the first part, and again after an error.
    connection: Option<SqliteConnection>,
}

impl PartReader {
    /// Creates a reader of a database that exists when the first part is read.
    pub const fn new(path: PathBuf) -> Self {
        Self { path, connection: None }
    }

    /// Reads the committed rows of a part and validates them.
    ///
    /// # Errors
    /// [`StoreError`] for the first invalid row, or for rows that do not belong together.
    pub async fn read(&mut self, part: WorldPart) -> Result<PartRows, StoreError> {
        match self.read_once(part).await {
            Err(error) if error.tells_of_damage() => {
                log_damage(&error);
                self.read_once(part).await
            }
            rows => rows,
        }
    }

    async fn read_once(&mut self, part: WorldPart) -> Result<PartRows, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => options(&self.path).read_only(true).connect().await?,
        };
        // One transaction, so that all rows are of the same commit. It ends before anything else is awaited.
        sqlx::raw_sql("begin").execute(&mut connection).await?;
        let rows = rows(&mut connection, part).await;
        sqlx::raw_sql("rollback").execute(&mut connection).await?;
        self.connection = Some(connection);
        rows
    }
}

async fn rows(db: &mut SqliteConnection, part: WorldPart) -> Result<PartRows, StoreError> {
    let selection = Selection::Part(part);
    let branch = match part {
        WorldPart::Branch(branch) => branch,
        WorldPart::Account(account) => {
            let rows = PartRows {
                characters: table(db, selection).await?.into_values().collect(),
                items: table(db, selection).await?.into_values().collect(),
                variables: table(db, selection).await?.into_values().collect(),
                ..PartRows::default()
            };
            return sound(&rows.check_absent(account), rows);
        }
    };
    let row = sqlx::query_scalar("select data from branches where id = ?").bind(branch.0);
    let row: Option<String> = row.fetch_optional(&mut *db).await?;
    let row: Branch = parse("branches", &row.unwrap_or_default())?;
    let rows = PartRows {
        rooms: table(db, selection).await?.into_values().collect(),
        exits: table(db, selection).await?.into_values().collect(),
        characters: table(db, selection).await?.into_values().collect(),
        items: table(db, selection).await?.into_values().collect(),
        floors: table(db, Selection::FloorsOf(branch)).await?.into_values().collect(),
        variables: table(db, selection).await?.into_values().collect(),
    };
    sound(&rows.check(&row), rows)
}

/// Returns the rows, if nothing is wrong with them.
fn sound(violations: &[String], rows: PartRows) -> Result<PartRows, StoreError> {
    if violations.is_empty() { Ok(rows) } else { Err(StoreError::Inconsistent(violations.join("; "))) }
}
