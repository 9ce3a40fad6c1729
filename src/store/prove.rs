//! Check of a copy while the server runs: row by row, without a world in memory. The rows that a chunk of rows refers to
//! are looked up in the copy, so that the memory does not grow with the world.

use crate::store::StoreError;
use crate::store::columns::StoredRow;
use crate::store::load::{Selection, StoredRows, meta, missing_ids};
use deepwell_core::world::ledger::Stocktaking;
use deepwell_core::world::references::{RowReferences, sentence};
use deepwell_core::world::tables::for_each_table;
use serde::de::DeserializeOwned;
use sqlx::SqliteConnection;
use std::collections::BTreeMap;

/// Number of mistakes after which the check ends.
const MISTAKES_MOST: usize = 20;

/// References of a chunk of rows to the rows of one table: the ids of these, each with the row that refers to it and words
/// for the reference.
type ToTable = BTreeMap<u64, Vec<(u64, &'static str)>>;

/// Reads all rows, without keeping them. Returns dangling references, and differences between the amounts of items and
/// money and their totals.
///
/// # Errors
/// [`StoreError::BadRow`] for the first invalid row.
pub(super) async fn prove_rows(db: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let Some(meta) = meta(db).await? else { return Ok(Vec::new()) };
    let (mut stock, mut violations) = (Stocktaking::of(&meta), Vec::new());
    macro_rules! prove {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
            $(prove_table::<deepwell_core::world::$row>(db, &mut stock, &mut violations).await?;)*
        };
    }
    for_each_table!(prove);
    violations.extend(stock.differences());
    Ok(violations)
}

async fn prove_table<R: StoredRow + DeserializeOwned>(
    db: &mut SqliteConnection,
    stock: &mut Stocktaking,
    violations: &mut Vec<String>,
) -> Result<(), StoreError> {
    let mut rows = StoredRows::<R>::new(Selection::All);
    let mut found = RowReferences::new();
    while let Some(chunk) = rows.next(db).await? {
        let mut references = BTreeMap::<&'static str, ToTable>::new();
        for row in chunk {
            row.note_in(stock);
            row.add_references(&mut found);
            for (target, what) in found.drain(..) {
                let to = references.entry(target.table()).or_default();
                to.entry(target.id()).or_default().push((row.id().into(), what));
            }
        }
        for (table, to) in references {
            let ids: Vec<u64> = to.keys().copied().collect();
            let missing = missing_ids(db, table, &ids).await?;
            let loose = to.iter().filter(|(id, _)| missing.contains(id)).flat_map(|(_, from)| from);
            violations.extend(loose.map(|(id, what)| sentence(R::TABLE, *id, what)));
        }
        if violations.len() >= MISTAKES_MOST {
            break;
        }
    }
    Ok(())
}
