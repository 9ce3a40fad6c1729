//! Start of a host in its cluster: it connects to the engine, brings its copy of the world to the history of the cluster,
//! and follows the log until it leads.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use tokio_util::bytes::Bytes;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::engine::Engine as _;
use super::entry::Lead;
use super::handle::{ClusterHandle, Directory as _, SILENT_MS};
use super::member::{Keeper, Member};
use super::nats::{self, Nats};
use super::replica::Replica;
use super::snapshots::{self, Snapshots};
use super::view::{HostRecord, HostRole};
use crate::server::config::Config;
use crate::server::lifecycle::generate_number;
use crate::server::link::host::HostLinks;
use crate::server::writer::Storage;
use crate::store::{Position, Store, batch_format};

/// Key of the record of the history.
const HISTORY: &str = "history";
/// Time between two tries to reach the engine, or to find a snapshot.
const RETRY: Duration = Duration::from_secs(1);
/// Time between two records of a host.
const ANNOUNCE: Duration = Duration::from_secs(1);

/// Record of the history: which world the log belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct History {
    /// Random name.
    name: String,
    /// Host whose world it began with.
    host: String,
}

/// A host that is to join the cluster.
pub(in crate::server) struct Joining {
    config: Config,
    database: PathBuf,
    own: Lead,
    link: String,
    process: u64,
    begins_history: bool,
    handle: ClusterHandle,
}

/// Office of a host that leads.
pub(in crate::server) struct Office {
    keeper: Keeper<Nats>,
    nats: Nats,
    link: String,
    _tasks: [AbortOnDropHandle<()>; 2],
}

impl Office {
    /// Accepts gateways until the task is aborted.
    pub(in crate::server) fn serve(&self, links: Arc<HostLinks>) -> impl Future<Output = ()> + Send + use<> {
        self.nats.clone().accept(self.link.clone(), move |stream| links.accept(Box::new(stream)))
    }

    /// Returns the token that is cancelled when an operator wants another host to lead.
    pub(in crate::server) fn asked(&self) -> CancellationToken {
        self.keeper.asked.clone()
    }

    /// Lets another host lead. All changes must be in the log.
    pub(in crate::server) async fn resign(self) {
        if let Err(error) = self.keeper.release().await {
            tracing::warn!(%error, "cannot release the lease; another host leads when it ends");
        }
    }
}

impl Joining {
    /// Creates a host; `content` is the digest of its content. With `begins_history` its world becomes that of the
    /// cluster.
    pub(in crate::server) fn new(
        config: &Config,
        content: &str,
        begins_history: bool,
    ) -> anyhow::Result<Self> {
        let host = config.cluster.host_name();
        let own = Lead {
            host: host.clone(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            format: batch_format(),
            content: content.to_owned(),
        };
        let handle = ClusterHandle::new(&host);
        Ok(Self {
            config: config.clone(),
            database: config.server.database(),
            own,
            link: format!("{:016x}", generate_number()?),
            process: generate_number()?,
            begins_history,
            handle,
        })
    }

    /// Returns the access for operators.
    pub(in crate::server) fn handle(&self) -> ClusterHandle {
        self.handle.clone()
    }

    /// Follows the log until this host leads.
    ///
    /// # Errors
    /// If the host must not join: its name is taken, or its world is another one.
    pub(in crate::server) async fn follow(mut self) -> anyhow::Result<(Replica<Store, Nats>, Office)> {
        let nats = self.connect().await?;
        if let Some((other, silent_ms)) = nats.hosts().await?.get(&self.own.host)
            && other.process != self.process
            && *silent_ms < SILENT_MS
            && self.is_announced_again(&nats, other.process).await?
        {
            bail!("cluster.host: another host named {} is running", self.own.host);
        }
        let announcing = AbortOnDropHandle::new(tokio::spawn(self.announce(nats.clone())));
        let view = Arc::clone(&self.handle.view);
        let member = Member {
            engine: nats.clone(),
            own: self.own.clone(),
            link: self.link.clone(),
            term: Duration::from_millis(self.config.cluster.lease_ms.into()),
            view: Arc::clone(&view),
            promoted: Arc::clone(&self.handle.promoted),
            #[cfg(test)]
            planted: super::planted::Planted::default(),
        };
        loop {
            let store = self.prepare(&nats).await?;
            let history = store.position().map(|position| position.history.clone()).unwrap_or_default();
            let mut replica = Replica::new(store, nats.clone(), self.own.clone(), Arc::clone(&view));
            match member.follow(&mut replica).await {
                Ok(keeper) => {
                    let snapshots = Snapshots {
                        nats: nats.clone(),
                        database: self.database.clone(),
                        format: self.own.format.clone(),
                        history,
                        every: self.config.cluster.snapshot_entries.into(),
                        view,
                    };
                    let tasks = [announcing, AbortOnDropHandle::new(tokio::spawn(snapshots.keep()))];
                    return Ok((replica, Office { keeper, nats, link: self.link, _tasks: tasks }));
                }
                Err(why) => {
                    let stored = replica.store.position().cloned();
                    Storage::close(replica).await?;
                    self.handle.view.note_role(HostRole::Joining);
                    self.handle.view.note_problem(Some(why.to_string()));
                    self.start_from_snapshot(&nats, stored).await?;
                }
            }
        }
    }

    async fn connect(&self) -> anyhow::Result<Nats> {
        loop {
            let opened = async {
                let client = nats::connect(&self.config.cluster, &format!("host {}", self.own.host)).await?;
                Nats::open(client, &self.config.cluster).await
            };
            match opened.await {
                Ok(nats) => {
                    self.handle.view.note_problem(None);
                    self.handle.directory.get_or_init(|| Box::new(nats.clone()));
                    return Ok(nats);
                }
                Err(error) => self.handle.view.note_problem(Some(format!("{error:#}"))),
            }
            sleep(RETRY).await;
        }
    }

    /// Returns `true` if the other host of this name writes its record while this one waits.
    async fn is_announced_again(&self, nats: &Nats, other: u64) -> anyhow::Result<bool> {
        let before = nats.record(&format!("hosts.{}", self.own.host)).await?.map(|(revision, _)| revision);
        sleep(ANNOUNCE * 2).await;
        let after = nats.record(&format!("hosts.{}", self.own.host)).await?;
        tracing::debug!(other, "another host had this name a moment ago");
        Ok(before != after.map(|(revision, _)| revision))
    }

    fn announce(&self, nats: Nats) -> impl Future<Output = ()> + use<> {
        let (process, program) = (self.process, self.own.program.clone());
        let (view, host) = (Arc::clone(&self.handle.view), self.own.host.clone());
        async move {
            loop {
                let record = HostRecord { process, program: program.clone(), status: view.status() };
                if let Err(error) = nats.announce(&host, &record).await {
                    tracing::debug!(%error, "cannot tell the other hosts about this one");
                }
                sleep(ANNOUNCE).await;
            }
        }
    }

    /// Opens the database at its place in the history of the cluster.
    async fn prepare(&mut self, nats: &Nats) -> anyhow::Result<Store> {
        loop {
            let record = nats.record(HISTORY).await?;
            let revision = record.as_ref().map_or(0, |(revision, _)| *revision);
            let history: Option<History> = record.and_then(|(_, value)| serde_json::from_slice(&value).ok());
            if self.begins_history || history.is_none() {
                if self.begin_history(nats, revision).await? {
                    // Not once more, should this copy need a snapshot later.
                    self.begins_history = false;
                    return self.open().await;
                }
                continue;
            }
            let history = history.unwrap_or_default();
            if !self.database.exists() {
                if history.host == self.own.host && snapshots::last(nats).await?.is_none() {
                    return self.open_at(Position { history: history.name, sequence: 0, writer: 0 }).await;
                }
                self.start_from_snapshot(nats, None).await?;
            }
            let store = self.open().await?;
            match store.position() {
                Some(position) if position.history == history.name => return Ok(store),
                None if history.host == self.own.host && snapshots::last(nats).await?.is_none() => {
                    store.close().await?;
                    return self.open_at(Position { history: history.name, sequence: 0, writer: 0 }).await;
                }
                _ => {
                    store.close().await?;
                    bail!(
                        "{} has another world than the cluster: move it away to follow the cluster, or stop all hosts \
                         and start this one with --new-history to make it the world of the cluster",
                        self.database.display()
                    );
                }
            }
        }
    }

    /// Begins a history with the world of this host. Returns `false` if another host has just begun one.
    async fn begin_history(&self, nats: &Nats, revision: u64) -> anyhow::Result<bool> {
        let is_new_log = nats.read(0).await.is_ok_and(|found| found.end == 0);
        let store = self.open().await?;
        if !self.begins_history && (store.position().is_some() || !is_new_log) {
            bail!(
                "NATS has lost the records of this cluster: stop all hosts, and start the one with the newest copy of \
                 the world with --new-history"
            );
        }
        store.close().await?;
        let history = History { name: format!("{:016x}", generate_number()?), host: self.own.host.clone() };
        let value = Bytes::from(serde_json::to_vec(&history)?);
        if nats.put_record(HISTORY, revision, value).await?.is_none() {
            return Ok(false);
        }
        let sequence = nats.clear().await?;
        tracing::warn!(history = %history.name, "the world of this host is now that of the cluster");
        self.open_at(Position { history: history.name, sequence, writer: 0 }).await?.close().await?;
        Ok(true)
    }

    async fn open(&self) -> anyhow::Result<Store> {
        crate::server::open_store(&self.config).await
    }

    async fn open_at(&self, position: Position) -> anyhow::Result<Store> {
        let mut store = self.open().await?;
        store.place(Some(position)).await?;
        Ok(store)
    }

    /// Waits for a snapshot that is newer than the copy and has the format of this program, and starts from it.
    async fn start_from_snapshot(&self, nats: &Nats, stored: Option<Position>) -> anyhow::Result<()> {
        loop {
            let installed = async {
                let snapshot =
                    snapshots::last(nats).await?.context("the leader has not stored a snapshot yet")?;
                if snapshot.format != self.own.format {
                    bail!(
                        "the last snapshot was written by another program; run the same program on all hosts"
                    );
                }
                if stored.as_ref().is_some_and(|stored| stored.sequence >= snapshot.position.sequence) {
                    bail!("the last snapshot is not newer than the copy of this host");
                }
                snapshots::install(nats, &snapshot, &self.database).await
            };
            match installed.await {
                Ok(()) => return Ok(()),
                Err(error) => self.handle.view.note_problem(Some(format!("{error:#}"))),
            }
            sleep(RETRY).await;
        }
    }
}
