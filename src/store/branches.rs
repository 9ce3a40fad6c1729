//! Reads single branches while the server runs, over a connection of its own.

use crate::base::BranchId;
use crate::store::load::{Selection, parse, table};
use crate::store::{StoreError, log_damage, options};
use crate::world::{Branch, BranchRows};
use sqlx::{ConnectOptions, SqliteConnection};
use std::path::PathBuf;

/// Reader of the rows of branches.
#[derive(Debug)]
pub struct BranchReader {
    path: PathBuf,
    /// Opened with the first branch, and again after an error.
    connection: Option<SqliteConnection>,
}

impl BranchReader {
    /// Creates a reader of a database that exists when the first branch is read.
    pub const fn new(path: PathBuf) -> Self {
        Self { path, connection: None }
    }

    /// Reads the committed rows of a branch and validates them.
    ///
    /// # Errors
    /// [`StoreError`] for the first invalid row, or for rows that do not belong together.
    pub async fn read(&mut self, branch: BranchId) -> Result<BranchRows, StoreError> {
        match self.read_once(branch).await {
            Err(error) if error.tells_of_damage() => {
                log_damage(&error);
                self.read_once(branch).await
            }
            rows => rows,
        }
    }

    async fn read_once(&mut self, branch: BranchId) -> Result<BranchRows, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => options(&self.path).read_only(true).connect().await?,
        };
        // One transaction, so that all rows are of the same commit. It ends before anything else is awaited.
        sqlx::raw_sql("begin").execute(&mut connection).await?;
        let rows = rows(&mut connection, branch).await;
        sqlx::raw_sql("rollback").execute(&mut connection).await?;
        self.connection = Some(connection);
        rows
    }
}

async fn rows(db: &mut SqliteConnection, branch: BranchId) -> Result<BranchRows, StoreError> {
    let row = sqlx::query_scalar("select data from branches where id = ?").bind(branch.0);
    let row: Option<String> = row.fetch_optional(&mut *db).await?;
    let row: Branch = parse("branches", &row.unwrap_or_default())?;
    let selection = Selection::Branch(branch);
    let rows = BranchRows {
        rooms: table(db, selection).await?.into_values().collect(),
        exits: table(db, selection).await?.into_values().collect(),
        characters: table(db, selection).await?.into_values().collect(),
        items: table(db, selection).await?.into_values().collect(),
        floors: table(db, Selection::FloorsOf(branch)).await?.into_values().collect(),
    };
    let wrong = rows.check(&row);
    if wrong.is_empty() { Ok(rows) } else { Err(StoreError::Inconsistent(wrong.join("; "))) }
}
