//! The task that owns the database connection. It commits batches in order, and reloads the world after a failure. The
//! driver decides how to handle a failed commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::store::{BatchLog, Store, StoreError};
use deepwell_core::world::{Changes, Snapshot};

/// Maximum number of batches in flight: one is written while the next is queued. Output to players waits for both.
pub const IN_FLIGHT_MAX: usize = 2;

/// Sequence number of a batch; assigned in commit order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ticket(pub u64);

/// Result of a commit.
#[derive(Debug)]
pub enum CommitResult {
    /// The batch is on the disk.
    Committed,
    /// The batch could not be written.
    Failed(StoreError),
    /// The batch was not tried, because an earlier one failed.
    Dropped,
}

/// Result and duration of a commit.
#[derive(Debug)]
pub struct CommitOutcome {
    /// Number of the batch.
    pub ticket: Ticket,
    /// Result of the commit.
    pub result: CommitResult,
    /// Duration of the commit.
    pub took: Duration,
    /// Part of it in which the database wrote to the disk.
    pub disk: Duration,
}

/// Content of storage that can be written again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probed {
    /// It is what the last load has read.
    Same,
    /// A batch that was in doubt has been stored since the last load.
    Changed,
}

/// Database operations of the writer; implemented by [`Store`], and by tests with faults.
pub trait WriterStorage: Send + Sized + 'static {
    /// Loads the stored world.
    fn load(&mut self) -> impl Future<Output = Result<Snapshot, StoreError>> + Send;
    /// Writes a batch in one transaction.
    fn commit(&mut self, changes: &Changes) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Checks that the database can be written.
    fn probe(&mut self) -> impl Future<Output = Result<Probed, StoreError>> + Send;
    /// Returns the size of the write-ahead log in bytes, 0 without one.
    fn log_bytes(&self) -> u64 {
        0
    }
    /// Returns the time in which the last commit wrote to the disk.
    fn disk_time(&self) -> Duration {
        Duration::ZERO
    }
    /// Returns the log of batches, if there is one.
    fn batch_log(&self) -> Option<BatchLog> {
        None
    }
    /// Checkpoints and closes.
    fn close(self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

impl WriterStorage for Store {
    async fn load(&mut self) -> Result<Snapshot, StoreError> {
        Self::load(self).await
    }
    async fn commit(&mut self, changes: &Changes) -> Result<(), StoreError> {
        Self::commit(self, changes).await
    }
    async fn probe(&mut self) -> Result<Probed, StoreError> {
        Self::probe(self).await.map(|()| Probed::Same)
    }
    fn log_bytes(&self) -> u64 {
        Self::log_bytes(self)
    }
    fn disk_time(&self) -> Duration {
        Self::disk_time(self)
    }
    fn batch_log(&self) -> Option<BatchLog> {
        Self::batch_log(self)
    }
    async fn close(self) -> Result<(), StoreError> {
        Self::close(self).await
    }
}

enum WriterJob {
    Commit(Ticket, Box<Changes>),
    Load(oneshot::Sender<Result<Snapshot, StoreError>>),
    Probe(oneshot::Sender<Result<Probed, StoreError>>),
    Close(oneshot::Sender<Result<(), StoreError>>),
}

/// Handle to the writer task. Jobs are carried out in order.
#[derive(Clone)]
pub struct StoreWriter {
    jobs: mpsc::Sender<WriterJob>,
    log_bytes: Arc<AtomicU64>,
}

impl StoreWriter {
    /// Starts the writer. It ends when it is closed or all handles are dropped.
    pub fn start(storage: impl WriterStorage) -> (Self, mpsc::UnboundedReceiver<CommitOutcome>) {
        let (jobs, waiting) = mpsc::channel(IN_FLIGHT_MAX);
        // Bounded by the batches in flight. The writer must never wait for the driver, which may be waiting for the
        // writer.
        let (outcomes, results) = mpsc::unbounded_channel();
        let log_bytes = Arc::new(AtomicU64::new(storage.log_bytes()));
        tokio::spawn(write(storage, waiting, outcomes, Arc::clone(&log_bytes)));
        (Self { jobs, log_bytes }, results)
    }

    /// Returns the size of the write-ahead log in bytes after the last job.
    pub fn log_bytes(&self) -> u64 {
        self.log_bytes.load(Ordering::Relaxed)
    }

    /// Queues a batch; its outcome is sent later. Fails only if the writer has ended.
    pub async fn commit(&self, ticket: Ticket, changes: Changes) -> anyhow::Result<()> {
        self.jobs.send(WriterJob::Commit(ticket, Box::new(changes))).await.ok().context(DEAD)
    }

    /// Loads the stored world after all earlier batches. After a failed commit, batches are dropped until this
    /// succeeds.
    pub async fn load(&self) -> anyhow::Result<Snapshot> {
        self.ask(WriterJob::Load).await?.context("cannot read the stored world")
    }

    /// Checks that storage can be written.
    pub async fn probe(&self) -> anyhow::Result<Probed> {
        self.ask(WriterJob::Probe).await?.context("storage cannot be written")
    }

    /// Starts a check without waiting, since a hanging disk may take long to answer. `None` if the queue is full.
    pub fn begin_probe(&self) -> Option<Probe> {
        let (answer, answered) = oneshot::channel();
        self.jobs.try_send(WriterJob::Probe(answer)).ok().map(|()| Probe(answered))
    }

    /// Writes the queued batches, checkpoints and closes the database.
    pub async fn close(&self) -> anyhow::Result<()> {
        self.ask(WriterJob::Close).await?.context("cannot close the database")
    }

    async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<T>) -> WriterJob) -> anyhow::Result<T> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send(job(answer)).await.ok().context(DEAD)?;
        answered.await.context(DEAD)
    }
}

/// Pending check that storage can be written.
#[derive(Debug)]
pub struct Probe(oneshot::Receiver<Result<Probed, StoreError>>);

impl Probe {
    /// Waits for the result. Cancel-safe.
    pub async fn result(&mut self) -> Result<Probed, StoreError> {
        (&mut self.0).await.unwrap_or_else(|_| Err(StoreError::Failed(DEAD.to_owned())))
    }
}

const DEAD: &str = "the task that writes the database has ended";

async fn write<S: WriterStorage>(
    mut storage: S,
    mut jobs: mpsc::Receiver<WriterJob>,
    outcomes: mpsc::UnboundedSender<CommitOutcome>,
    log_bytes: Arc<AtomicU64>,
) {
    let mut failed = false;
    // Send errors are ignored: a receiver that was dropped is not a failure of the writer.
    while let Some(job) = jobs.recv().await {
        match job {
            WriterJob::Commit(ticket, _) if failed => {
                let (took, disk) = (Duration::ZERO, Duration::ZERO);
                let _ = outcomes.send(CommitOutcome { ticket, result: CommitResult::Dropped, took, disk });
            }
            WriterJob::Commit(ticket, changes) => {
                let started = Instant::now();
                let result = match storage.commit(&changes).await {
                    Ok(()) => CommitResult::Committed,
                    Err(error) => {
                        failed = true;
                        CommitResult::Failed(error)
                    }
                };
                let (took, disk) = (started.elapsed(), storage.disk_time());
                let _ = outcomes.send(CommitOutcome { ticket, result, took, disk });
            }
            WriterJob::Load(answer) => {
                let loaded = storage.load().await;
                failed &= loaded.is_err();
                let _ = answer.send(loaded);
            }
            WriterJob::Probe(answer) => _ = answer.send(storage.probe().await),
            WriterJob::Close(answer) => {
                let _ = answer.send(storage.close().await);
                return;
            }
        }
        log_bytes.store(storage.log_bytes(), Ordering::Relaxed);
    }
    if let Err(error) = storage.close().await {
        tracing::error!(%error, "cannot close the database");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Trouble;

    /// Storage that fails the commits with the given indices and counts all commits.
    #[derive(Default)]
    struct Fake {
        fail: Vec<u32>,
        tried: u32,
    }

    impl WriterStorage for Fake {
        async fn load(&mut self) -> Result<Snapshot, StoreError> {
            Ok(Snapshot::default())
        }
        async fn commit(&mut self, _: &Changes) -> Result<(), StoreError> {
            self.tried += 1;
            if self.fail.contains(&(self.tried - 1)) { Err(broken()) } else { Ok(()) }
        }
        async fn probe(&mut self) -> Result<Probed, StoreError> {
            Err(broken())
        }
        async fn close(self) -> Result<(), StoreError> {
            Ok(())
        }
    }

    fn broken() -> StoreError {
        StoreError::NotNow { trouble: Trouble::Full, reason: "no room".to_owned() }
    }

    async fn results(
        outcomes: &mut mpsc::UnboundedReceiver<CommitOutcome>,
        count: usize,
    ) -> Vec<(u64, bool)> {
        let mut results = Vec::new();
        for _ in 0..count {
            let outcome = outcomes.recv().await.unwrap();
            results.push((outcome.ticket.0, matches!(outcome.result, CommitResult::Committed)));
        }
        results
    }

    #[tokio::test]
    async fn d1_batches_are_committed_in_order() {
        let (writer, mut outcomes) = StoreWriter::start(Fake::default());
        for n in 0..10 {
            writer.commit(Ticket(n), Changes::default()).await.unwrap();
        }
        let expected: Vec<_> = (0..10).map(|n| (n, true)).collect();
        assert_eq!(results(&mut outcomes, 10).await, expected);
    }

    #[tokio::test]
    async fn d5_failed_commit_blocks_writes_until_reload() {
        let (writer, mut outcomes) = StoreWriter::start(Fake { fail: vec![1], tried: 0 });
        for n in 0..4 {
            writer.commit(Ticket(n), Changes::default()).await.unwrap();
        }
        assert_eq!(results(&mut outcomes, 4).await, [(0, true), (1, false), (2, false), (3, false)]);
        assert!(writer.probe().await.is_err());
        writer.load().await.unwrap();
        writer.commit(Ticket(4), Changes::default()).await.unwrap();
        assert_eq!(results(&mut outcomes, 1).await, [(4, true)]);
    }

    #[tokio::test]
    async fn closed_writer_rejects_commits() {
        let (writer, _outcomes) = StoreWriter::start(Fake::default());
        writer.close().await.unwrap();
        assert!(writer.commit(Ticket(0), Changes::default()).await.is_err());
    }
}
