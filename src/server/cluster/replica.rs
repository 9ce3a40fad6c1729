//! A copy of the world that follows the log, or writes it. A leader appends each batch to the log, then stores it, and
//! only then counts it as committed: no copy is ever ahead of the log, and a copy that is behind reads what it lacks.
//!
//! A batch in doubt, because the engine did not answer, is found in the log or not when the engine is back. Then an
//! entry is appended in its place: a late one would no longer fit.

use std::sync::Arc;
use std::time::Duration;

use super::engine::{AppendError, Engine, EngineError};
use super::entry::{Assembly, ClusterLogEntry, EntryContent, Foreign, Lead, writer_of};
use super::view::View;
use crate::server::game_loop::writer::{Probed, WriterStorage};
use crate::store::{Batch, LogPosition, Store, StoreError, batch_format};
use deepwell_core::world::{Changes, Snapshot};

/// Number of times that a host tries to append its first entry while another one still writes.
const TRIES: usize = 20;

/// Storage of one host.
pub(in crate::server) trait LocalStore: WriterStorage {
    /// Returns the position in the log; `None` if the world is not part of a cluster.
    fn position(&self) -> Option<&LogPosition>;
    /// Writes a batch with the sequence number and the writer of its entry, in one transaction.
    fn write(
        &mut self,
        batch: &Batch,
        entry: (u64, u64),
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}

impl LocalStore for Store {
    fn position(&self) -> Option<&LogPosition> {
        Self::position(self)
    }
    async fn write(&mut self, batch: &Batch, entry: (u64, u64)) -> Result<(), StoreError> {
        Self::write(self, batch, Some(entry)).await
    }
}

/// Reason why a copy does not follow the log.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotFollowed {
    /// The engine does not answer, or the log begins too late.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The log has lost entries, or a server of the engine answers that has yet to receive them.
    #[error(
        "the log lacks entry {0}, which is stored here. If this lasts, NATS has lost it: start the host with the newest copy \
         with --new-history"
    )]
    Lost(u64),
    /// An operator has begun another history.
    #[error("the log in NATS is now that of another world")]
    OtherHistory,
    /// The log is not one of this program.
    #[error(transparent)]
    Foreign(#[from] Foreign),
    /// The batches of the log have another format.
    #[error(
        "the log has rows in another format than this program stores: run the same program on all hosts of the cluster, \
         or wait until the host that leads with this program has stored a snapshot"
    )]
    Format,
    /// Another host leads, while this one did.
    #[error("another host leads")]
    Deposed,
    /// A batch cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<NotFollowed> for StoreError {
    fn from(why: NotFollowed) -> Self {
        match why {
            NotFollowed::Deposed => Self::Deposed,
            NotFollowed::Store(error) => error,
            other => Self::NoLog(other.to_string()),
        }
    }
}

/// A copy of the world.
pub(in crate::server) struct Replica<S, E> {
    pub(super) store: S,
    engine: E,
    /// Description of this host as leader.
    own: Lead,
    /// Format of the batches that this program stores.
    pub(super) format: String,
    /// Number of the present leadership; `None` for a follower.
    writer: Option<u64>,
    /// Sequence number of the last part read or appended; `None` after a failure, when it must be read anew.
    end: Option<u64>,
    assembly: Assembly,
    /// Set if an entry has been stored that the game does not know.
    is_ahead: bool,
    view: Arc<View>,
    #[cfg(test)]
    pub(super) planted: super::planted::Planted,
}

impl<S: LocalStore, E: Engine> Replica<S, E> {
    /// Creates a follower.
    pub(super) fn new(store: S, engine: E, own: Lead, view: Arc<View>) -> Self {
        let history = store.position().map(|position| position.history.clone()).unwrap_or_default();
        view.note_history(&history);
        let own = Lead { history, ..own };
        Self {
            store,
            engine,
            own,
            format: batch_format(),
            writer: None,
            end: None,
            assembly: Assembly::default(),
            is_ahead: false,
            view,
            #[cfg(test)]
            planted: super::planted::Planted::default(),
        }
    }

    /// Stores the entries that this copy lacks.
    pub(super) async fn catch_up(&mut self) -> Result<(), NotFollowed> {
        let done = self.read_all().await;
        if done.is_err() {
            self.end = None;
        }
        done
    }

    /// Returns the name of the history of the copy.
    pub(super) fn history(&self) -> &str {
        &self.own.history
    }

    /// Returns the number of the last entry stored.
    pub(super) fn stored_to(&self) -> u64 {
        self.store.position().map_or(0, |position| position.sequence)
    }

    async fn read_all(&mut self) -> Result<(), NotFollowed> {
        let mut end = match self.end {
            Some(end) => end,
            None => self.begin_to_read().await?,
        };
        loop {
            let found = self.engine.read(end).await?;
            if found.end < end {
                return Err(NotFollowed::Lost(end));
            }
            for (sequence, part) in found.parts {
                end = sequence;
                if let Some(entry) = self.assembly.take(&part)? {
                    self.apply(sequence, entry).await?;
                }
            }
            self.end = Some(end);
            self.view.note_log(self.stored_to(), found.end);
            if end >= found.end {
                return Ok(());
            }
        }
    }

    /// Checks that the last entry stored is in the log, and returns its number.
    async fn begin_to_read(&mut self) -> Result<u64, NotFollowed> {
        self.assembly.clear();
        let Some(position) = self.store.position().cloned() else { return Ok(0) };
        require_entry(&self.engine, &position).await?;
        Ok(position.sequence)
    }

    async fn apply(&mut self, sequence: u64, entry: ClusterLogEntry) -> Result<(), NotFollowed> {
        if self.writer.is_some_and(|writer| writer != entry.writer) {
            self.view.deposed.cancel();
            return Err(NotFollowed::Deposed);
        }
        if entry.format != self.format {
            return Err(NotFollowed::Format);
        }
        match entry.body {
            // Programs before version 0.3 do not name it.
            EntryContent::Lead(lead) if !lead.history.is_empty() && lead.history != self.own.history => {
                return Err(NotFollowed::OtherHistory);
            }
            EntryContent::Lead(lead) => {
                self.view.note_leader(&lead, &self.own);
                self.store.write(&Batch::default(), (sequence, entry.writer)).await?;
            }
            EntryContent::Batch(batch) => {
                self.store.write(&batch, (sequence, entry.writer)).await?;
                self.is_ahead = true;
            }
        }
        Ok(())
    }

    /// Makes this copy the one that writes the log. It then has all entries of earlier leaders, and they can append no
    /// more.
    pub(super) async fn lead(&mut self, writer: u64) -> Result<(), NotFollowed> {
        self.writer = None;
        for _ in 0..TRIES {
            self.catch_up().await?;
            match self.append(writer, EntryContent::Lead(self.own.clone())).await {
                Ok(sequence) => {
                    self.store.write(&Batch::default(), (sequence, writer)).await?;
                    self.writer = Some(writer);
                    self.is_ahead = false;
                    self.view.note_leader(&self.own, &self.own);
                    self.view.note_log(sequence, sequence);
                    return Ok(());
                }
                Err(AppendError::Elsewhere) => {}
                Err(AppendError::Engine(error)) => return Err(error.into()),
            }
        }
        Err(NotFollowed::Deposed)
    }

    /// Appends an entry after the last one read.
    async fn append(&mut self, writer: u64, body: EntryContent) -> Result<u64, AppendError> {
        let unwritable = |error: serde_json::Error| EngineError::Unreachable(error.to_string());
        let parts = ClusterLogEntry { writer, format: self.format.clone(), body }
            .split(self.engine.part_bytes())
            .map_err(unwritable)?;
        // Without a known end the next part has no place.
        let mut end = self.end.take().ok_or(AppendError::Elsewhere)?;
        for part in parts {
            #[cfg(test)]
            if self.planted == super::planted::Planted::NoFence {
                end = self.engine.read(u64::MAX).await?.end;
            }
            end = self.engine.append(end, part).await?;
        }
        self.end = Some(end);
        Ok(end)
    }

    /// Appends a batch and stores it.
    pub(super) async fn write(&mut self, batch: Batch) -> Result<(), StoreError> {
        let Some(writer) = self.writer else { return Err(StoreError::Deposed) };
        let batch = Arc::new(batch);
        #[cfg(test)]
        if self.planted == super::planted::Planted::AcknowledgeBeforePublish {
            let _ = self.append(writer, EntryContent::Batch(batch)).await;
            return Ok(());
        }
        let sequence = self.append_batch(writer, &batch).await?;
        let stored = self.store.write(&batch, (sequence, writer)).await;
        self.view.note_log(self.stored_to(), sequence);
        // The log has the batch, so it will be stored.
        stored
            .inspect_err(|_| self.end = None)
            .map_err(|error| StoreError::InDoubt { reason: error.to_string() })
    }

    /// Appends a batch. A message of another program that has taken its place is skipped.
    async fn append_batch(&mut self, writer: u64, batch: &Arc<Batch>) -> Result<u64, StoreError> {
        for _ in 0..TRIES {
            let has_place = self.end.is_some();
            match self.append(writer, EntryContent::Batch(Arc::clone(batch))).await {
                Ok(sequence) => return Ok(sequence),
                Err(AppendError::Engine(error)) => return Err(StoreError::NoLog(error.to_string())),
                Err(AppendError::Elsewhere) => {
                    let stored = self.stored_to();
                    self.catch_up().await?;
                    if !has_place || self.stored_to() != stored {
                        return Err(StoreError::NoLog(
                            "an earlier batch has arrived in its place".to_owned(),
                        ));
                    }
                }
            }
        }
        Err(StoreError::NoLog("another program writes to the log".to_owned()))
    }
}

/// Requires that the last entry of a copy is in the log, unless a snapshot has made it unnecessary.
pub(super) async fn require_entry<E: Engine>(engine: &E, position: &LogPosition) -> Result<(), NotFollowed> {
    let LogPosition { sequence, writer, .. } = *position;
    if writer == 0 {
        return Ok(());
    }
    let found = match engine.read(sequence - 1).await {
        Ok(found) => found,
        Err(EngineError::Purged(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let entry = found.parts.first().filter(|(found, _)| *found == sequence);
    match entry {
        Some((_, part)) if writer_of(&part.bytes) == Some(writer) => Ok(()),
        _ => Err(NotFollowed::Lost(sequence)),
    }
}

impl<S: LocalStore, E: Engine> WriterStorage for Replica<S, E> {
    async fn load(&mut self) -> Result<Snapshot, StoreError> {
        match self.catch_up().await {
            Ok(()) => self.is_ahead = false,
            Err(NotFollowed::Deposed) => return Err(StoreError::Deposed),
            // Until the log can be read, the world is read-only, and what is missing is found by `probe`.
            Err(error) => tracing::warn!(%error, "cannot read the log of the cluster"),
        }
        self.store.load().await
    }

    async fn commit(&mut self, changes: &Changes) -> Result<(), StoreError> {
        let written = self.write(Batch::of(changes)?).await;
        self.view.note_problem(written.as_ref().err().map(ToString::to_string));
        written
    }

    async fn probe(&mut self) -> Result<Probed, StoreError> {
        self.store.probe().await?;
        self.catch_up().await?;
        let writer = self.writer.ok_or(StoreError::Deposed)?;
        let sequence = match self.append(writer, EntryContent::Lead(self.own.clone())).await {
            Ok(sequence) => sequence,
            Err(AppendError::Elsewhere) => {
                self.catch_up().await?;
                return Err(StoreError::NoLog("an earlier batch has just arrived".to_owned()));
            }
            Err(AppendError::Engine(error)) => return Err(StoreError::NoLog(error.to_string())),
        };
        self.store.write(&Batch::default(), (sequence, writer)).await?;
        self.view.note_problem(None);
        Ok(if std::mem::take(&mut self.is_ahead) { Probed::Changed } else { Probed::Same })
    }

    fn log_bytes(&self) -> u64 {
        self.store.log_bytes()
    }

    fn disk_time(&self) -> Duration {
        self.store.disk_time()
    }

    async fn close(self) -> Result<(), StoreError> {
        self.store.close().await
    }
}
