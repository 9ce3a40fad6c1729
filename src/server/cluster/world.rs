//! Start of a host in its cluster: it connects to the engine, brings its copy of the world to the history of the cluster,
//! and follows the log until it leads.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::engine::{Engine as _, EngineError, LOST_ALL};
use super::entry::Lead;
use super::handle::{ClusterHandle, Directory as _, SILENT_MS};
use super::history::{self, ClusterHistory, NotBegun};
use super::member::{ClusterMember, Keeper};
use super::nats::{self, Nats};
use super::replica::Replica;
use super::restore::continues;
use super::snapshots::{self, Snapshots};
use super::view::{HostRecord, HostRole};
use crate::server::config::Config;
use crate::server::config::mistake::mistake;
use crate::server::game_loop::writer::WriterStorage;
use crate::server::link::hand_over::HostLinks;
use crate::server::start::lifecycle::generate_number;
use crate::store::{LogPosition, Store, batch_format};

/// Time between two tries to reach the engine, or to find a snapshot.
const RETRY: Duration = Duration::from_secs(1);
/// Number of looks for an entry that the log lacks.
const LOOKS: usize = 5;
/// Time between two records of a host.
const ANNOUNCE: Duration = Duration::from_secs(1);

/// A host that is to join the cluster.
pub(in crate::server) struct JoiningHost {
    config: Config,
    database: PathBuf,
    own: Lead,
    link: String,
    process: u64,
    begins_history: bool,
    handle: ClusterHandle,
}

/// Office of a host that leads.
pub(in crate::server) struct LeaderOffice {
    keeper: Keeper<Nats>,
    nats: Nats,
    link: String,
    host: String,
    tasks: [AbortOnDropHandle<()>; 2],
}

impl LeaderOffice {
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

impl JoiningHost {
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
            history: String::new(),
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
    pub(in crate::server) async fn follow(mut self) -> anyhow::Result<(Replica<Store, Nats>, LeaderOffice)> {
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
        let member = ClusterMember {
            engine: nats.clone(),
            own: self.own.clone(),
            link: self.link.clone(),
            term: self.term(),
            view: Arc::clone(&view),
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
                        LeaderOffice { keeper, nats, link: self.link, host: self.own.host, tasks },
                    ));
                }
                Err(why) => {
                    let stored = replica.stored_to();
                    WriterStorage::close(replica).await?;
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
            let known = history::read(nats).await?.map(|(_, history)| history);
            if self.begins_history || known.is_none() {
                if let Some(store) = self.begin_history(nats, known).await? {
                    return Ok(store);
                }
                continue;
            }
            let history = known.unwrap_or_default();
            // A host that began the history may have been killed before it could note that in its database.
            let is_first = history.host == self.own.host && snapshots::last(nats).await?.is_none();
            if !self.database.exists() && !is_first {
                self.start_from_snapshot(nats, &history.name, 0).await?;
            }
            let mut store = self.open().await?;
            match store.position() {
                Some(position) if position.history == history.name => return Ok(store),
                None if is_first => {
                    store.place(Some(LogPosition { history: history.name, sequence: 0, writer: 0 })).await?;
                    return Ok(store);
                }
                _ => {}
            }
            store.close().await?;
            return Err(mistake(anyhow!(
                "{} has another world than the cluster, which goes on with the world of the host {}. To follow the cluster, \
                 move this database to a safe place, and this host starts from a snapshot. If the world here is the right \
                 one, keep it, stop all hosts and start this one with --new-history",
                self.database.display(),
                history.host
            )));
        }
    }

    /// Begins a history with the world of this host. Returns `None` if there is one to join instead.
    async fn begin_history(
        &mut self,
        nats: &Nats,
        known: Option<ClusterHistory>,
    ) -> anyhow::Result<Option<Store>> {
        let mut store = self.open().await?;
        let begun = self.try_to_begin_history(nats, known, &store).await;
        let Ok(Some(position)) = begun else {
            store.close().await?;
            return begun.map(|_| None);
        };
        tracing::warn!(history = %position.history, "the world of this host is now that of the cluster");
        store.place(Some(position)).await?;
        // Not once more, should this copy need a snapshot later.
        self.begins_history = false;
        Ok(Some(store))
    }

    /// Begins a history unless this copy belongs to that of the log. Returns the position of this copy.
    async fn try_to_begin_history(
        &mut self,
        nats: &Nats,
        known: Option<ClusterHistory>,
        store: &Store,
    ) -> anyhow::Result<Option<LogPosition>> {
        let position = store.position();
        if !self.begins_history && (position.is_some() || nats.read(0).await?.end > 0) {
            return Err(mistake(anyhow!(LOST_ALL)));
        }
        let name = known.map(|history| history.name);
        if let Some(position) = position.filter(|position| Some(&position.history) == name.as_ref())
            && self.is_continued(nats, position).await?
        {
            tracing::warn!(
                "--new-history is ignored, because the world of this host belongs to that of the cluster, whose log leads \
                 on from it"
            );
            self.begins_history = false;
            return Ok(None);
        }
        match history::begin(nats, &self.own, self.term()).await {
            Ok(position) => Ok(Some(position)),
            Err(NotBegun::Led(host)) if self.begins_history => Err(mistake(anyhow!(
                "{host} leads the world, and --new-history would discard what its players do: stop all other hosts first, \
                 or start this one without --new-history"
            ))),
            Err(NotBegun::Led(_) | NotBegun::Late) => Ok(None),
            Err(NotBegun::Engine(error)) => Err(error.into()),
        }
    }

    /// Returns `true` if the log leads on from a position. An entry that is missing must be missing for some time: a server
    /// of the engine may have yet to receive it.
    async fn is_continued(&self, nats: &Nats, position: &LogPosition) -> anyhow::Result<bool> {
        for _ in 0..LOOKS {
            if continues(nats, position).await? {
                return Ok(true);
            }
            sleep(RETRY).await;
        }
        Ok(false)
    }

    fn term(&self) -> Duration {
        Duration::from_millis(self.config.cluster.lease_ms.into())
    }

    async fn open(&self) -> anyhow::Result<Store> {
        crate::server::open_store(&self.config).await
    }

    /// Waits for a snapshot of this history that has the format of this program and is newer than the entry `stored`, and
    /// starts from it.
    async fn start_from_snapshot(&self, nats: &Nats, history: &str, stored: u64) -> anyhow::Result<()> {
        loop {
            // The host then finds out that it has the world of another one.
            if history::read(nats).await.is_ok_and(|found| found.is_some_and(|(_, it)| it.name != history)) {
                return Ok(());
            }
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
