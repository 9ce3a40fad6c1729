//! Reads ledger entries of characters from the database; the game keeps no ledger in memory.

use super::{StoreError, backup};
use deepwell_core::base::{CharacterId, GameTime};
use deepwell_core::world::LedgerRecord;
use sqlx::Connection as _;
use std::path::Path;

/// A ledger row: time, item, amount, reason and character.
type LedgerRow = (i64, String, i64, String, Option<i64>);

/// Returns all ledger entries of the given characters, oldest first, over a separate connection.
///
/// # Errors
/// [`StoreError`] if the database cannot be read.
pub(crate) async fn ledger_of(path: &Path, bodies: &[CharacterId]) -> Result<Vec<LedgerRecord>, StoreError> {
    let bodies = serde_json::to_string(bodies).map_err(|error| StoreError::Failed(error.to_string()))?;
    let mut db = backup::open_to_read(path).await?;
    let query = sqlx::query_as(
        "select at, what, amount, why, who from ledger where who in (select value from json_each(?)) order by id",
    );
    let lines: Vec<LedgerRow> = query.bind(bodies).fetch_all(&mut db).await?;
    db.close().await?;
    let record = |(at, what, amount, why, who): LedgerRow| {
        let who = who.and_then(|who| u64::try_from(who).ok()).map(CharacterId);
        LedgerRecord { at: GameTime(at), what, amount, why, who }
    };
    Ok(lines.into_iter().map(record).collect())
}
