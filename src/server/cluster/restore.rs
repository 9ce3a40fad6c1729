//! Restore of a copy to a moment with the entries of the log that follow it, and what such a restore would do. Entries are
//! only read.

use std::collections::VecDeque;
use std::path::Path;

use anyhow::Context as _;

use super::engine::{Engine, EngineError};
use super::entry::{Assembly, ClusterLogEntry, EntryContent, LogMessagePart};
use super::nats::{self, Nats};
use super::replica::{NotFollowed, require_entry};
use super::{FollowingBatches, history};
use crate::server::config::ClusterConfig;
use crate::store::{self, Batch, LogPosition, NotReplayed, RestoreResult, batch_format};
use deepwell_core::base::GameTime;

/// Reason why the log cannot be applied to a copy.
#[derive(Debug, thiserror::Error)]
enum NotRead {
    #[error("the copy is not part of a cluster; restore it without --from-cluster")]
    NotInCluster,
    #[error(
        "the log in NATS is that of another world than the copy, or of the time after a start with --new-history; restore \
         the copy without --from-cluster"
    )]
    OtherHistory,
    #[error(
        "the log in NATS no longer has the entries that follow the copy, which ends with entry {0}: a snapshot has \
         replaced them; restore a newer copy"
    )]
    Purged(u64),
    #[error(
        "the log in NATS does not have entry {0}, with which the copy ends, or has another one in its place"
    )]
    Lost(u64),
    #[error("the log in NATS has batches of another format; restore with the program that wrote them")]
    Format,
    #[error("{0:#}")]
    Engine(anyhow::Error),
}

impl From<NotRead> for NotReplayed {
    fn from(why: NotRead) -> Self {
        Self::Log(why.to_string())
    }
}

/// Reads the log after a copy, and returns what a restore would apply.
///
/// # Errors
/// [`NotReplayed`] if NATS does not answer, or the log does not continue the copy.
pub(in crate::server) async fn look(
    config: &ClusterConfig,
    copy: &Path,
    until: GameTime,
) -> Result<FollowingBatches, NotReplayed> {
    store::require_not_after(copy, until).await?;
    let position = store::position_of(copy).await?.ok_or(NotRead::NotInCluster)?;
    let engine = open(config, &position).await?;
    let mut reader = LogReader::begin(&engine, &position).await?;
    let mut found = FollowingBatches::default();
    while let Some((_, entry)) = reader.next().await? {
        let EntryContent::Batch(batch) = entry.body else { continue };
        found.batches += 1;
        found.due += u64::from(batch.time() <= until);
        found.times = Some((found.times.map_or(batch.time(), |(first, _)| first), batch.time()));
    }
    Ok(found)
}

/// Replaces a database by a copy and the batches of the log up to a moment. If later ones are left out, the world is no
/// longer part of the cluster, so that a host does not read them at its next start.
///
/// # Errors
/// [`NotReplayed`]; the database is unchanged.
pub(in crate::server) async fn restore(
    config: &ClusterConfig,
    copy: &Path,
    database: &Path,
    until: GameTime,
) -> Result<RestoreResult, NotReplayed> {
    store::require_not_after(copy, until).await?;
    store::restore_with(copy, database, async |store| {
        let position = store.position().cloned().ok_or(NotRead::NotInCluster)?;
        let engine = open(config, &position).await?;
        let mut reader = LogReader::begin(&engine, &position).await?;
        let mut replayed = RestoreResult::default();
        while let Some((sequence, entry)) = reader.next().await? {
            let place = (sequence, entry.writer);
            match entry.body {
                EntryContent::Lead(_) => store.write(&Batch::default(), Some(place)).await?,
                EntryContent::Batch(batch) if batch.time() <= until => {
                    store.write(&batch, Some(place)).await?;
                    replayed.applied += 1;
                    replayed.until = Some(batch.time());
                }
                EntryContent::Batch(_) => {
                    store.place(None).await?;
                    replayed.leaves_out = true;
                    break;
                }
            }
        }
        Ok(replayed)
    })
    .await
}

/// Connects to the log that continues a copy.
async fn open(config: &ClusterConfig, position: &LogPosition) -> Result<Nats, NotRead> {
    let opened = async {
        let client = nats::connect(config, "restore").await?;
        let nats = Nats::find(client, config).await?;
        let (_, history) = history::read(&nats).await?.context("NATS has no records of this cluster")?;
        anyhow::Ok((nats, history.name))
    };
    let (nats, history) = opened.await.map_err(NotRead::Engine)?;
    if history == position.history { Ok(nats) } else { Err(NotRead::OtherHistory) }
}

/// Returns `true` if the log leads on from a position, so that a host with a copy of that position can follow it. An entry
/// that a snapshot has replaced counts as there.
pub(super) async fn continues(engine: &impl Engine, position: &LogPosition) -> Result<bool, EngineError> {
    let read_all = async {
        let mut reader = LogReader::begin(engine, position).await?;
        while reader.next().await?.is_some() {}
        Ok::<(), NotRead>(())
    };
    match read_all.await {
        Ok(()) | Err(NotRead::Purged(_)) => Ok(true),
        Err(NotRead::Engine(error)) => match error.downcast::<NotFollowed>() {
            Ok(NotFollowed::Engine(error)) => Err(error),
            _ => Ok(false),
        },
        Err(_) => Ok(false),
    }
}

/// Entries of the log after a position.
struct LogReader<'a, E> {
    engine: &'a E,
    assembly: Assembly,
    /// Parts that were read and not returned yet.
    parts: VecDeque<(u64, LogMessagePart)>,
    /// Number of the last part read.
    end: u64,
}

impl<'a, E: Engine> LogReader<'a, E> {
    async fn begin(engine: &'a E, position: &LogPosition) -> Result<Self, NotRead> {
        let sequence = position.sequence;
        require_entry(engine, position).await.map_err(|why| unread(why, sequence))?;
        Ok(Self { engine, assembly: Assembly::default(), parts: VecDeque::new(), end: sequence })
    }

    /// Returns the next entry with its number; `None` at the end of the log.
    async fn next(&mut self) -> Result<Option<(u64, ClusterLogEntry)>, NotRead> {
        loop {
            while let Some((sequence, part)) = self.parts.pop_front() {
                self.end = sequence;
                let taken = self.assembly.take(&part).map_err(NotFollowed::from);
                let Some(entry) = taken.map_err(|why| unread(why, sequence))? else { continue };
                if entry.format != batch_format() {
                    return Err(NotRead::Format);
                }
                return Ok(Some((sequence, entry)));
            }
            let found = self.engine.read(self.end).await.map_err(NotFollowed::from);
            let found = found.map_err(|why| unread(why, self.end))?;
            if found.end < self.end {
                return Err(NotRead::Lost(self.end));
            }
            if found.parts.is_empty() {
                return Ok(None);
            }
            self.parts = found.parts.into();
        }
    }
}

/// Says what an error means for a copy that ends with an entry.
fn unread(why: NotFollowed, entry: u64) -> NotRead {
    match why {
        NotFollowed::Engine(EngineError::Purged(_)) => NotRead::Purged(entry),
        NotFollowed::Lost(entry) => NotRead::Lost(entry),
        other => NotRead::Engine(other.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio_util::bytes::Bytes;

    use super::super::engine::{AppendError, LogParts};
    use super::super::entry::Lead;
    use super::*;

    /// A log in memory that begins after its first entries.
    #[derive(Clone, Default)]
    struct Kept {
        parts: Vec<(u64, LogMessagePart)>,
        purged: u64,
    }

    impl Kept {
        fn add(&mut self, writer: u64, format: &str, body: EntryContent) {
            for part in (ClusterLogEntry { writer, format: format.to_owned(), body }).split(60).unwrap() {
                self.parts.push((self.parts.len() as u64 + 1, LogMessagePart::marked(part)));
            }
        }

        fn end(&self) -> u64 {
            self.parts.len() as u64
        }
    }

    impl Engine for Kept {
        async fn append(&self, _: u64, _: Bytes) -> Result<u64, AppendError> {
            Err(AppendError::Elsewhere)
        }
        async fn read(&self, after: u64) -> Result<LogParts, EngineError> {
            if after < self.purged {
                return Err(EngineError::Purged(after));
            }
            let parts = self.parts.iter().filter(|(sequence, _)| *sequence > after);
            Ok(LogParts { parts: parts.take(3).cloned().collect(), end: self.end() })
        }
        async fn grown(&self) {}
        async fn purge_before(&self, _: u64) -> Result<(), EngineError> {
            Ok(())
        }
        async fn record(&self, _: &str) -> Result<Option<(u64, Bytes)>, EngineError> {
            Ok(None)
        }
        async fn put_record(&self, _: &str, _: u64, _: Bytes) -> Result<Option<u64>, EngineError> {
            Ok(None)
        }
        fn part_bytes(&self) -> usize {
            60
        }
    }

    async fn read(log: &Kept, sequence: u64, writer: u64) -> Result<Vec<u64>, NotRead> {
        let position = LogPosition { history: "a".to_owned(), sequence, writer };
        let mut reader = LogReader::begin(log, &position).await?;
        let mut found = Vec::new();
        while let Some((sequence, _)) = reader.next().await? {
            found.push(sequence);
        }
        Ok(found)
    }

    /// O5: the entries after a copy are read in order. A log that does not continue the copy is an error that says why.
    #[tokio::test]
    async fn o5_log_is_read_from_the_copy_or_says_why_not() {
        let (mut log, format) = (Kept::default(), batch_format());
        log.add(7, &format, EntryContent::Lead(Lead::default()));
        let first = log.end();
        log.add(7, &format, EntryContent::Batch(Arc::default()));
        let second = log.end();
        log.add(9, &format, EntryContent::Lead(Lead::default()));
        assert_eq!(read(&log, first, 7).await.unwrap(), [second, log.end()]);
        assert_eq!(read(&log, 0, 0).await.unwrap(), [first, second, log.end()]);
        assert_eq!(read(&log, log.end(), 9).await.unwrap(), [0; 0]);
        assert!(matches!(read(&log, first, 8).await, Err(NotRead::Lost(entry)) if entry == first));
        assert!(matches!(read(&log, log.end() + 5, 9).await, Err(NotRead::Lost(_))));
        let later = Kept { purged: second, ..log.clone() };
        assert!(matches!(read(&later, first, 7).await, Err(NotRead::Purged(entry)) if entry == first));
        assert_eq!(read(&later, second, 7).await.unwrap(), [log.end()]);
        log.add(9, "another", EntryContent::Batch(Arc::default()));
        assert!(matches!(read(&log, second, 7).await, Err(NotRead::Format)));
    }
}
