//! Write lease: allows a single writer. A start writes a random holder into the table `lease`. Every batch requires,
//! inside its transaction, that the holder is unchanged and that no other connection has written since the world was
//! loaded. The lock file beside the database prevents a second server; the lease also works if that file was moved
//! away.

use crate::store::{Store, StoreError};
use rand::TryRng as _;
use rand::rngs::SysRng;
use sqlx::SqliteConnection;

/// First statement of a batch; binds holder, version and the time of the world, in this order. The time is in this row
/// because a second one would be on a page of its own, which costs as much as the row of a player's deed.
pub(super) const REQUIRE: &str = "update lease set holder = iif(holder = ?, holder, null), \
    undisturbed = iif((select data_version from pragma_data_version) = ?, 1, null), time = max(time, ?);\n";
/// [`REQUIRE`] for a batch in the log of a cluster, whose sequence number and writer it binds last. Another statement,
/// because each column that is set costs time.
pub(super) const REQUIRE_AND_LOG: &str = "update lease set holder = iif(holder = ?, holder, null), \
    undisturbed = iif((select data_version from pragma_data_version) = ?, 1, null), time = max(time, ?), \
    sequence = ?, writer = ?;\n";
/// Transaction that checks the holder and writes to the log without changing data. It sets an unused number to its
/// present value, because SQLite skips an update that changes no value of a row.
const WRITE_NOTHING: &str = "begin immediate; update lease set holder = iif(holder = ?, holder, null); \
    pragma user_version = 0; commit";

/// Write lease of an open database.
#[derive(Debug)]
pub(super) struct DatabaseLease {
    /// Value of `holder` that this server wrote at its start.
    pub(super) holder: String,
    /// Value of `pragma data_version` at the last load; it increases when another connection commits.
    pub(super) version: i64,
}

impl DatabaseLease {
    /// Takes the lease from its previous holder.
    pub(super) async fn take(db: &mut SqliteConnection) -> Result<Self, StoreError> {
        let mut random = [0; 16];
        SysRng.try_fill_bytes(&mut random).map_err(|error| StoreError::Failed(error.to_string()))?;
        let holder = format!("{:032x}", u128::from_be_bytes(random));
        let sql = "insert into lease (id, holder, undisturbed) values (1, ?, 1) \
                   on conflict (id) do update set holder = excluded.holder";
        sqlx::query(sql).bind(&holder).execute(&mut *db).await?;
        let version = version(db).await?;
        Ok(Self { holder, version })
    }
}

/// Reads `pragma data_version`.
pub(super) async fn version(db: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("pragma data_version").fetch_one(db).await?)
}

impl Store {
    /// Writes to the log without changing data, if the lease is still held.
    pub(super) async fn write_nothing(&mut self) -> Result<(), StoreError> {
        let query = sqlx::query(WRITE_NOTHING).bind(&self.lease.holder);
        let done = query.execute(&mut self.connection).await;
        if done.is_err() {
            self.roll_back().await;
        }
        done.map(|_| ()).map_err(StoreError::from)
    }
}
