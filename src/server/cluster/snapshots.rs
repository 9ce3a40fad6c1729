//! Snapshots of the world in the engine, from which a new host starts. The leader stores one when there is none that its
//! followers could use, and after a number of entries of the log; older entries are then removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use tokio_util::bytes::Bytes;

use super::engine::Engine as _;
use super::nats::Nats;
use super::view::View;
use crate::server::files::atomic_file::remove_if_there;
use crate::store::{self, LogPosition};

/// Key of the record of the last snapshot.
const KEY: &str = "snapshot";
/// Extension of a copy that is being sent or received.
const COPY: &str = "snapshot";
/// Time between two checks whether a snapshot is due.
const CHECK: Duration = Duration::from_secs(5);

/// Record of a snapshot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SnapshotRecord {
    /// Name of the object.
    name: String,
    /// Its place in the log.
    #[serde(flatten)]
    pub(super) position: LogPosition,
    /// Format of its rows.
    pub(super) format: String,
}

/// Returns the record of the last snapshot; `None` if there is none.
pub(super) async fn last(nats: &Nats) -> anyhow::Result<Option<SnapshotRecord>> {
    let record = nats.record(KEY).await?;
    Ok(record.and_then(|(_, value)| serde_json::from_slice(&value).ok()))
}

/// Replaces the database with a snapshot. A database that exists is moved aside.
pub(super) async fn install(nats: &Nats, snapshot: &SnapshotRecord, database: &Path) -> anyhow::Result<()> {
    let copy = database.with_added_extension(COPY);
    remove_if_there(&copy)?;
    if let Some(folder) = database.parent() {
        fs::create_dir_all(folder)?;
    }
    nats.download(&snapshot.name, &copy).await?;
    let aside = store::restore(&copy, database).await?;
    remove_if_there(&copy)?;
    let aside = aside.map(|path| path.display().to_string());
    tracing::info!(sequence = snapshot.position.sequence, aside, "started from a snapshot");
    Ok(())
}

/// Keeps a snapshot of a leader's world in the engine.
pub(super) struct Snapshots {
    pub(super) nats: Nats,
    pub(super) database: PathBuf,
    pub(super) format: String,
    pub(super) history: String,
    /// Number of entries after which a snapshot is due.
    pub(super) every: u64,
    pub(super) view: Arc<View>,
}

impl Snapshots {
    /// Runs until the task is aborted.
    pub(super) async fn keep(self) {
        loop {
            if let Err(error) = self.check().await {
                tracing::warn!(error = format!("{error:#}"), "no snapshot was stored; trying again");
            }
            sleep(CHECK).await;
        }
    }

    /// Stores a snapshot if one is due.
    async fn check(&self) -> anyhow::Result<()> {
        let last = last(&self.nats).await?;
        let stored = self.view.status().stored;
        if let Some(last) = &last
            && (&last.format, &last.position.history) == (&self.format, &self.history)
        {
            self.view.note_snapshot(last.position.sequence);
            if stored.saturating_sub(last.position.sequence) < self.every {
                return Ok(());
            }
        }
        let copy = self.database.with_added_extension(COPY);
        remove_if_there(&copy)?;
        store::copy_committed(&self.database, &copy).await?;
        let done = self.store(&copy, last).await;
        remove_if_there(&copy)?;
        done
    }

    async fn store(&self, copy: &Path, last: Option<SnapshotRecord>) -> anyhow::Result<()> {
        let position = store::position_of(copy).await?.context("the copy is not part of the cluster")?;
        let name = format!("{}-{}", position.history, position.sequence);
        self.nats.upload(&name, copy).await?;
        let snapshot = SnapshotRecord { name, position, format: self.format.clone() };
        let value = Bytes::from(serde_json::to_vec(&snapshot)?);
        let revision = self.nats.record(KEY).await?.map_or(0, |(revision, _)| revision);
        self.nats.put_record(KEY, revision, value).await?;
        let sequence = snapshot.position.sequence;
        tracing::info!(sequence, "stored a snapshot");
        self.view.note_snapshot(sequence);
        // Hosts that are only a little behind go on from the log.
        let same = last.filter(|last| last.position.history == self.history);
        self.nats.forget(&snapshot.name, same.map_or(0, |last| last.position.sequence)).await
    }
}
