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

use super::engine::{Engine as _, EngineError};
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

/// Returns the name of the history that the log has; `None` if no host has begun one.
pub(super) async fn history_of(nats: &Nats) -> anyhow::Result<Option<String>> {
    let record = nats.record(HISTORY).await?;
    let history = record.and_then(|(_, value)| serde_json::from_slice::<History>(&value).ok());
    Ok(history.map(|history| history.name))
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
    host: String,
    tasks: [AbortOnDropHandle<()>; 2],
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
        drop(self.tasks);
        if let Err(error) = self.keeper.release().await {
            tracing::warn!(%error, "cannot release the lease; another host leads when it ends");
        }
        // Without its record, the next process of this host need not find out whether this one has ended.
        if let Err(error) = self.nats.remove(&self.host).await {
            tracing::debug!(%error, "cannot remove the record of this host");
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
        loop {
            match self.is_name_in_use(&nats).await {
                Ok(false) => break,
                Ok(true) => bail!("cluster.host: another host named {} is running", self.own.host),
                Err(error) => self.wait_for_engine(&error).await,
            }
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
            let store = match self.prepare(&nats).await {
                Ok(store) => store,
                Err(error) if error.is::<EngineError>() => {
                    self.wait_for_engine(&error).await;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let history = store.position().context("the world has no place in the log")?.history.clone();
            let mut replica = Replica::new(store, nats.clone(), self.own.clone(), Arc::clone(&view));
            match member.follow(&mut replica).await {
                Ok(keeper) => {
                    let snapshots = Snapshots {
                        nats: nats.clone(),
                        database: self.database.clone(),
                        format: replica.format.clone(),
                        history,
                        every: self.config.cluster.snapshot_entries.into(),
                        view,
                    };
                    let tasks = [announcing, AbortOnDropHandle::new(tokio::spawn(snapshots.keep()))];
                    return Ok((
                        replica,
                        Office { keeper, nats, link: self.link, host: self.own.host, tasks },
                    ));
                }
                Err(why) => {
                    let stored = replica.stored_to();
                    Storage::close(replica).await?;
                    self.handle.view.note_role(HostRole::Joining);
                    self.handle.view.note_problem(Some(why.to_string()));
                    self.start_from_snapshot(&nats, &history, stored).await?;
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

    /// Waits before the next request to an engine that has not answered.
    async fn wait_for_engine(&self, error: &anyhow::Error) {
        self.handle.view.note_problem(Some(format!("{error:#}")));
        sleep(RETRY).await;
    }

    /// Returns `true` if another process writes the record of a host of this name. Waits if there was one a moment ago.
    async fn is_name_in_use(&self, nats: &Nats) -> anyhow::Result<bool> {
        let hosts = nats.hosts().await?;
        let Some((_, silent_ms)) = hosts.get(&self.own.host) else { return Ok(false) };
        if *silent_ms >= SILENT_MS {
            return Ok(false);
        }
        let before = nats.revision_of_host(&self.own.host).await?;
        sleep(ANNOUNCE * 2).await;
        Ok(nats.revision_of_host(&self.own.host).await? != before)
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
            let known: Option<History> = record.and_then(|(_, value)| serde_json::from_slice(&value).ok());
            let Some(history) = known.filter(|_| !self.begins_history) else {
                if let Some(store) = self.begin_history(nats, revision).await? {
                    // Not once more, should this copy need a snapshot later.
                    self.begins_history = false;
                    return Ok(store);
                }
                continue;
            };
            // A host that began the history may have been killed before it could note that in its database.
            let is_first = history.host == self.own.host && snapshots::last(nats).await?.is_none();
            if !self.database.exists() && !is_first {
                self.start_from_snapshot(nats, &history.name, 0).await?;
            }
            let mut store = self.open().await?;
            match store.position() {
                Some(position) if position.history == history.name => return Ok(store),
                None if is_first => {
                    store.place(Some(Position { history: history.name, sequence: 0, writer: 0 })).await?;
                    return Ok(store);
                }
                _ => {}
            }
            store.close().await?;
            bail!(
                "{} has another world than the cluster: move it away to follow the cluster, or stop all hosts and start \
                 this one with --new-history to make it the world of the cluster",
                self.database.display()
            );
        }
    }

    /// Begins a history with the world of this host. Returns `None` if another host has just begun one.
    async fn begin_history(&self, nats: &Nats, revision: u64) -> anyhow::Result<Option<Store>> {
        let is_new_log = nats.read(0).await.is_ok_and(|found| found.end == 0);
        let mut store = self.open().await?;
        if !self.begins_history && (store.position().is_some() || !is_new_log) {
            store.close().await?;
            bail!(
                "NATS has lost the records of this cluster: stop all hosts, and start the one with the newest copy of \
                 the world with --new-history"
            );
        }
        let history = History { name: format!("{:016x}", generate_number()?), host: self.own.host.clone() };
        let value = Bytes::from(serde_json::to_vec(&history)?);
        match nats.put_record(HISTORY, revision, value).await {
            Ok(Some(_)) => {}
            not_written => {
                store.close().await?;
                not_written?;
                return Ok(None);
            }
        }
        let sequence = match nats.clear().await {
            Ok(sequence) => sequence,
            Err(error) => {
                store.close().await?;
                return Err(EngineError::Unreachable(format!("cannot clear the log: {error:#}")).into());
            }
        };
        tracing::warn!(history = %history.name, "the world of this host is now that of the cluster");
        store.place(Some(Position { history: history.name, sequence, writer: 0 })).await?;
        Ok(Some(store))
    }

    async fn open(&self) -> anyhow::Result<Store> {
        crate::server::open_store(&self.config).await
    }

    /// Waits for a snapshot of this history that has the format of this program and is newer than the entry `stored`, and
    /// starts from it.
    async fn start_from_snapshot(&self, nats: &Nats, history: &str, stored: u64) -> anyhow::Result<()> {
        loop {
            let installed = async {
                let last = snapshots::last(nats).await?;
                let of_history = last.filter(|snapshot| snapshot.position.history == history);
                let snapshot = of_history.context("the leader has not stored a snapshot yet")?;
                if snapshot.format != batch_format() {
                    bail!(
                        "the last snapshot was written by another program; run the same program on all hosts"
                    );
                }
                if stored > 0 && stored >= snapshot.position.sequence {
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
