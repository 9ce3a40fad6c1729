//! Requirements of a cluster on its engine: a log in which each message names its place, and a place for a lease and other
//! small records that change only from a known revision. [`nats`](super::nats) is the engine; tests have one in memory.

use tokio_util::bytes::Bytes;

use super::entry::LogMessagePart;

/// Reason why the engine did not answer a request.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::server) enum EngineError {
    /// It cannot be reached, or did not answer in time. A write may or may not have happened.
    #[error("{0}")]
    Unreachable(String),
    /// It answers, but has no log of this world.
    #[error("{LOST_ALL}")]
    Empty,
    /// The log begins after the wanted entry; a snapshot contains it.
    #[error("the log no longer contains the entries after {0}")]
    Purged(u64),
}

/// Reason why a part was not appended.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::server) enum AppendError {
    /// The place is taken by another part.
    #[error("another part has that place in the log")]
    Elsewhere,
    /// The engine did not answer. The part may or may not be in the log, now or later.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Sentence for an engine that no longer has the log and the records of a world.
pub(super) const LOST_ALL: &str = "NATS has lost the log or the records of this cluster: stop all hosts, and start the one \
     with the newest copy of the world with --new-history (deepwell check prints the last entry of each copy)";

/// Parts read from the log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::server) struct LogParts {
    /// Parts with their sequence numbers, in order.
    pub(super) parts: Vec<(u64, LogMessagePart)>,
    /// Sequence number of the last part in the log.
    pub(super) end: u64,
}

/// The log of a cluster, and its records.
pub(in crate::server) trait Engine: Clone + Send + Sync + 'static {
    /// Appends a part right after the one with the number `end`; returns its number.
    fn append(&self, end: u64, part: Bytes) -> impl Future<Output = Result<u64, AppendError>> + Send;

    /// Reads parts after a number, the first ones if there are many.
    fn read(&self, after: u64) -> impl Future<Output = Result<LogParts, EngineError>> + Send;

    /// Waits until the log may have grown, but not for long. Cancel-safe.
    fn grown(&self) -> impl Future<Output = ()> + Send;

    /// Removes the entries before the one with the number `sequence`.
    fn purge_before(&self, sequence: u64) -> impl Future<Output = Result<(), EngineError>> + Send;

    /// Returns a record with its revision.
    fn record(&self, key: &str) -> impl Future<Output = Result<Option<(u64, Bytes)>, EngineError>> + Send;

    /// Writes a record if its revision is still `revision`, 0 for a record that does not exist. Returns the new
    /// revision, or `None` if it is another one.
    fn put_record(
        &self,
        key: &str,
        revision: u64,
        value: Bytes,
    ) -> impl Future<Output = Result<Option<u64>, EngineError>> + Send;

    /// Returns the maximum length of a part.
    fn part_bytes(&self) -> usize;
}
