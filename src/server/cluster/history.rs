//! History of a cluster: which world the log belongs to. It changes only by order of an operator. Entries by which a host
//! begins to lead name it, so a copy of another history never continues the log.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};
use tokio_util::bytes::Bytes;

use super::engine::{AppendError, Engine, EngineError};
use super::entry::{ClusterLogEntry, EntryContent, Lead};
use super::lease::{self, ClusterLease, Watch};
use crate::server::start::lifecycle::generate_number;
use crate::store::{LogPosition, batch_format};

/// Key of the record.
const KEY: &str = "history";
/// Number of looks at the lease in a term.
const LOOKS: u32 = 4;
/// Number of times that a host tries to append its first entry while another one still writes.
const TRIES: usize = 20;

/// Record of the history.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct ClusterHistory {
    /// Random name.
    pub(super) name: String,
    /// Host whose world it began with.
    pub(super) host: String,
}

/// Reason why no history was begun.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum NotBegun {
    /// Another host renews its lease.
    #[error("{0} leads the world")]
    Led(String),
    /// Another host has just taken the lease, or begun a history.
    #[error("another host was faster")]
    Late,
    /// The engine does not answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Returns the history with the revision of its record; `None` if no host has begun one.
pub(super) async fn read(engine: &impl Engine) -> Result<Option<(u64, ClusterHistory)>, EngineError> {
    let record = engine.record(KEY).await?;
    Ok(record.and_then(|(revision, value)| Some((revision, serde_json::from_slice(&value).ok()?))))
}

/// Begins a history, with the world of a host, at the end of the log. Returns the position of that world. It first takes
/// the lease, which must not have changed for `term`, so that no other host leads.
pub(super) async fn begin(engine: &impl Engine, own: &Lead, term: Duration) -> Result<LogPosition, NotBegun> {
    let revision = engine.record(KEY).await?.map_or(0, |(revision, _)| revision);
    take_lease(engine, own, term).await?;
    let random = || generate_number().map_err(|error| EngineError::Unreachable(error.to_string()));
    let history = ClusterHistory { name: format!("{:016x}", random()?), host: own.host.clone() };
    let unwritable = |error: serde_json::Error| EngineError::Unreachable(error.to_string());
    let value = Bytes::from(serde_json::to_vec(&history).map_err(unwritable)?);
    engine.put_record(KEY, revision, value).await?.ok_or(NotBegun::Late)?;
    let lead = Lead { history: history.name.clone(), ..own.clone() };
    let writer = random()?;
    let entry = ClusterLogEntry { writer, format: batch_format(), body: EntryContent::Lead(lead) };
    let parts = entry.split(engine.part_bytes()).map_err(unwritable)?;
    // An earlier leader that still runs finds its place in the log taken.
    let sequence = append(engine, parts).await?;
    if let Err(error) = engine.purge_before(sequence).await {
        tracing::warn!(%error, "cannot remove the entries of the earlier history");
    }
    Ok(LogPosition { history: history.name, sequence, writer })
}

/// Takes the lease once no other host has renewed it for a term.
async fn take_lease(engine: &impl Engine, own: &Lead, term: Duration) -> Result<(), NotBegun> {
    let mut watch = Watch::new(term);
    let mut first = None;
    loop {
        let found = lease::read(engine).await?;
        if let Some(revision) = watch.observe(Instant::now(), found.as_ref(), &own.host) {
            // Without a link, gateways see that no host leads.
            let mine = ClusterLease { host: own.host.clone(), ..ClusterLease::default() };
            return lease::write(engine, revision, &mine).await?.map(|_| ()).ok_or(NotBegun::Late);
        }
        let Some((revision, lease)) = found else { continue };
        if *first.get_or_insert(revision) != revision {
            return Err(NotBegun::Led(lease.host));
        }
        sleep(term / LOOKS).await;
    }
}

/// Appends the parts of an entry at the end of the log. Returns the number of the last one.
async fn append(engine: &impl Engine, parts: Vec<Bytes>) -> Result<u64, NotBegun> {
    'tries: for _ in 0..TRIES {
        let mut end = engine.read(u64::MAX).await?.end;
        for part in &parts {
            end = match engine.append(end, part.clone()).await {
                Ok(end) => end,
                Err(AppendError::Elsewhere) => continue 'tries,
                Err(AppendError::Engine(error)) => return Err(error.into()),
            };
        }
        return Ok(end);
    }
    Err(NotBegun::Late)
}
