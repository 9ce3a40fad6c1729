//! Access to the cluster for operators: `control cluster`, health checks and metrics.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, bail};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::view::{ClusterStatus, HostRecord, HostRole, View};

/// Milliseconds of silence after which a host has ended.
pub(super) const SILENT_MS: i64 = 3_000;

/// The list of hosts, kept in the engine.
pub(super) trait Directory: Send + Sync {
    /// Returns the records of all hosts by name, and how many milliseconds before the newest one each was written.
    fn hosts(&self) -> BoxFuture<'_, anyhow::Result<BTreeMap<String, (HostRecord, i64)>>>;
    /// Returns the name of the history that the log has; empty if no host has begun one.
    fn history(&self) -> BoxFuture<'_, anyhow::Result<String>>;
    /// Asks the leader to make way for a host.
    fn promote(&self, host: &str) -> BoxFuture<'_, anyhow::Result<()>>;
    /// Removes the record of a host.
    fn remove(&self, host: &str) -> BoxFuture<'_, anyhow::Result<()>>;
}

/// A host of the cluster, for operators.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::server) struct HostLine {
    /// Version of its program.
    pub(in crate::server) program: String,
    /// Entries of the log that it has not stored.
    pub(in crate::server) lag: u64,
    /// Set if its world is another one than that of the cluster, so that the lag has no meaning.
    #[serde(default)]
    pub(in crate::server) is_of_other_history: bool,
    /// Milliseconds since its last record, by the engine's clock.
    pub(in crate::server) silent_ms: i64,
    /// Its state.
    #[serde(flatten)]
    pub(in crate::server) status: ClusterStatus,
}

impl HostLine {
    /// Creates the line of a host from its record; `history` is that of the log.
    fn of(record: HostRecord, silent_ms: i64, history: &str) -> Self {
        let known = [history, &record.status.history].iter().all(|name| !name.is_empty());
        Self {
            program: record.program,
            lag: record.status.lag(),
            is_of_other_history: known && record.status.history != history,
            silent_ms,
            status: record.status,
        }
    }
}

impl fmt::Display for HostLine {
    /// Writes `host-1: leader, 120 entries stored, 0 missing, program 0.2.0`, and what is wrong.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClusterStatus { host, role, stored, problem, remark, .. } = &self.status;
        write!(f, "{host}: {role}, {stored} entries stored, ")?;
        if self.is_of_other_history {
            write!(f, "of another world than the cluster's, program {}", self.program)?;
        } else {
            write!(f, "{} missing, program {}", self.lag, self.program)?;
        }
        if self.silent_ms >= SILENT_MS {
            write!(f, ", silent for {} s", self.silent_ms / 1_000)?;
        }
        for note in [problem, remark].into_iter().filter(|note| !note.is_empty()) {
            write!(f, "; {note}")?;
        }
        Ok(())
    }
}

/// Access to the cluster.
#[derive(Clone)]
pub struct ClusterHandle {
    pub(super) view: Arc<View>,
    pub(super) directory: Arc<OnceLock<Box<dyn Directory>>>,
}

impl fmt::Debug for ClusterHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterHandle").field("view", &self.view).finish_non_exhaustive()
    }
}

impl ClusterHandle {
    pub(super) fn new(host: &str) -> Self {
        Self { view: Arc::new(View::new(host)), directory: Arc::default() }
    }

    /// Returns the access of a host that runs without the others.
    pub(in crate::server) fn alone(host: &str) -> Self {
        let handle = Self::new(host);
        handle.view.note_role(HostRole::Alone);
        handle
    }

    /// Returns the state of this host.
    pub(in crate::server) fn status(&self) -> ClusterStatus {
        self.view.status()
    }

    /// Returns all hosts.
    pub(in crate::server) async fn hosts(&self) -> anyhow::Result<Vec<HostLine>> {
        let directory = self.directory()?;
        let (hosts, history) = tokio::try_join!(directory.hosts(), directory.history())?;
        let lines = hosts.into_values().map(|(record, silent_ms)| HostLine::of(record, silent_ms, &history));
        Ok(lines.collect())
    }

    /// Asks the leader to make way for this host.
    ///
    /// # Errors
    /// If this host cannot lead, or the request cannot be stored.
    pub(in crate::server) async fn promote(&self) -> anyhow::Result<()> {
        let ClusterStatus { host, role, .. } = self.status();
        match role {
            HostRole::Standby => self.directory()?.promote(&host).await,
            HostRole::Leader => bail!("this host leads already"),
            HostRole::Joining => bail!("this host does not follow the log yet"),
            HostRole::Alone => bail!("this host runs alone"),
        }
    }

    /// Forgets a host that has ended.
    pub(in crate::server) async fn remove(&self, host: &str) -> anyhow::Result<()> {
        let directory = self.directory()?;
        let hosts = directory.hosts().await?;
        let (_, silent_ms) = hosts.get(host).with_context(|| format!("no host is called {host}"))?;
        if *silent_ms < SILENT_MS {
            bail!("{host} is running; stop it first");
        }
        directory.remove(host).await
    }

    /// Returns `true` once another host leads although this one did.
    pub(in crate::server) fn is_deposed(&self) -> bool {
        self.view.deposed.is_cancelled()
    }

    /// Waits until another host leads although this one did.
    pub(in crate::server) async fn deposed(&self) {
        self.view.deposed.cancelled().await;
    }

    fn directory(&self) -> anyhow::Result<&dyn Directory> {
        Ok(self.directory.get().context("NATS has not answered yet")?.as_ref())
    }
}
