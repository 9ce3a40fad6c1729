//! The role of a host: owns the game and the database, and serves the sessions of its gateways. It can start again
//! while the gateways keep their clients connected. In a cluster, it is a standby first.

mod standby;

use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::SocketAddr as UnixAddress;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use serde::Serialize;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::bridges::Bridges;
use super::cli::start::HostArguments;
use super::cluster::{ClusterHandle, JoiningHost, LeaderOffice};
use super::config::Config;
use super::{close, finish, load_game, open_alone, run_to_end, take_folder};
use crate::net::{Reserved, reserve};
use crate::server::config::in_force::{ConfigOrigins, RunningSettings};
use crate::server::config::mistake::mistake;
use crate::server::content;
use crate::server::control::ControlledRole;
use crate::server::files::socket_file::SocketFile;
use crate::server::game_loop::driver::GameDriver;
use crate::server::game_loop::writer::WriterStorage;
use crate::server::link::hand_over::HostLinks;
use crate::server::start::certificate::Certificate;
use crate::server::start::lifecycle::{LAST_WORDS, ReadyFile, Restarter, Shutdown};
use crate::server::start::listeners::{Doors, spawn, spawn_vital};
use crate::server::start::next_start::NextStart;
use crate::server::start::{clock, service_manager};
use crate::session::SessionConfig;
use deepwell_core::catalog::Catalog;

/// Line of the log when a host has led, and does so no more.
const REPLACED: &str = "another host leads the world; this one starts again as a standby";

/// Contents of a host's `ready.json`.
#[derive(Debug, Serialize)]
struct HostReady {
    /// Process id.
    pid: u32,
    /// Socket on which the host accepts gateways; a standby has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<PathBuf>,
    /// Address of the operators' endpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    ops: Option<std::net::SocketAddr>,
}

/// Resources of a running host, released on drop.
struct HostResources {
    links: Arc<HostLinks>,
    /// Cancelled when a task that accepts connections has panicked.
    broken: CancellationToken,
    _files: (ReadyFile, [SocketFile; 2]),
    _helpers: Vec<AbortOnDropHandle<()>>,
}

/// Place of a host in its cluster.
#[derive(Default)]
struct ClusterPlace {
    cluster: Option<ClusterHandle>,
    office: Option<LeaderOffice>,
}

/// Builds the runtime, installs the signal handlers and runs a host. Returns `true` if it is to be started again.
pub(super) fn serve_host(
    config: Config,
    origins: ConfigOrigins,
    start: HostArguments,
) -> anyhow::Result<bool> {
    run_to_end(|shutdown| run(config, origins, start, shutdown))
}

/// Runs a host until `shutdown`.
async fn run(
    config: Config,
    origins: ConfigOrigins,
    start: HostArguments,
    shutdown: Shutdown,
) -> anyhow::Result<bool> {
    // Before the world is loaded: the signal ends a process that does not catch it.
    let mut requested = signal(SignalKind::user_defined2()).context("cannot catch SIGUSR2")?;
    let held = config.server.lock().exists().then(|| take_folder(&config.server)).transpose()?;
    let catalog = Arc::new(content::load(&config.server).map_err(mistake)?);
    let bridges = Arc::new(Bridges::of(&config).map_err(mistake)?);
    for path in [config.server.control_socket(), config.link_socket()] {
        // Only the path is checked here; the socket is created later.
        UnixAddress::from_pathname(&path)
            .with_context(|| format!("{} is too long for a socket path", path.display()))
            .map_err(mistake)?;
        if path.symlink_metadata().is_ok_and(|there| !there.file_type().is_socket()) {
            return Err(mistake(anyhow!(
                "{} exists and is not a socket; choose another path",
                path.display()
            )));
        }
    }
    let ops = reserve_ops(&config)?;
    let _lock = held.map_or_else(|| take_folder(&config.server), Ok)?;
    let loading = (config.clone(), origins, catalog, bridges);
    if !config.cluster.is_on() {
        let store = open_alone(&config).await.map_err(mistake)?;
        return Box::pin(play(loading, store, ClusterPlace::default(), ops, requested, shutdown)).await;
    }
    if start.alone {
        let store = open_alone(&config).await.map_err(mistake)?;
        let host = config.cluster.host_name();
        tracing::warn!(%host, "this host runs alone: what happens now is not in the log of the cluster");
        let place = ClusterPlace { cluster: Some(ClusterHandle::alone(&host)), office: None };
        return Box::pin(play(loading, store, place, ops, requested, shutdown)).await;
    }
    let content = format!("{:016x}", loading.2.digest().0);
    let joining = JoiningHost::new(&config, &content, start.new_history)?;
    let cluster = joining.handle();
    // The host keeps its port when it leads: the tasks of the standby end a little later than it.
    let kept =
        ops.as_ref().map(Reserved::try_clone).transpose().context("ops.listen: cannot keep the port")?;
    let next = NextStart::new(loading.1.clone())?;
    let standby = standby::open(&config, &loading.1, &cluster, ops, (&shutdown, &next))?;
    let joined = tokio::select! {
        joined = Box::pin(joining.follow()) => joined?,
        () = shutdown.stop.cancelled() => {
            tracing::info!("stopped");
            return Ok(false);
        }
        () = standby.restart.cancelled() => return Ok(true),
        () = restart_signal(&mut requested, &next) => return Ok(true),
    };
    drop(standby);
    let (replica, office) = joined;
    let place = ClusterPlace { cluster: Some(cluster), office: Some(office) };
    Box::pin(play(loading, replica, place, kept, requested, shutdown)).await
}

/// Waits for SIGUSR2 at a time when the host could start again.
async fn restart_signal(requested: &mut Signal, next: &NextStart) {
    while requested.recv().await.is_some() {
        match next.check().await {
            Ok(()) => return,
            Err(why) => tracing::warn!(%why, "not restarted"),
        }
    }
    std::future::pending::<()>().await;
}

fn reserve_ops(config: &Config) -> anyhow::Result<Option<Reserved>> {
    let reserved = config
        .ops
        .listen
        .map(|address| reserve(address).with_context(|| format!("ops.listen: cannot listen on {address}")));
    reserved.transpose()
}

/// Plays until `shutdown`. Returns `true` if the host is to be started again.
async fn play(
    (config, origins, catalog, bridges): (Config, ConfigOrigins, Arc<Catalog>, Arc<Bridges>),
    storage: impl WriterStorage,
    place: ClusterPlace,
    ops: Option<Reserved>,
    requested: Signal,
    shutdown: Shutdown,
) -> anyhow::Result<bool> {
    let stop = (shutdown.stop.clone(), Arc::clone(&bridges));
    let next = NextStart::new(origins.clone())?;
    // A standby gives signs of life already, and the world may be large.
    let life = spawn(service_manager::report_life(|| std::future::ready(true)));
    let loading = load_game(&config, config.clone(), origins, catalog, stop, storage);
    let (driver, mut doors, writer) = match Box::pin(loading).await {
        Ok(loaded) => loaded,
        Err(error) if place.is_deposed() => {
            tracing::warn!(%error, "{REPLACED}");
            Box::pin(place.resign()).await;
            return Ok(true);
        }
        Err(error) => return Err(error),
    };
    let restarter = Restarter::new(shutdown.clone(), doors.questions.clone(), next);
    doors.role = ControlledRole::Host(restarter.clone());
    doors.cluster.clone_from(&place.cluster);
    restarter.restart_at(requested);
    let open = match open(&doors, ops, &config, &shutdown, place.office.as_ref()) {
        Ok(open) => open,
        Err(error) => {
            close(&writer).await?;
            return Err(error);
        }
    };
    drop(life);
    let _watching = place.watch(&shutdown);
    let is_in_cluster = place.office.is_some();
    let played = run_game(driver, Arc::clone(&open.links), shutdown.clone(), is_in_cluster);
    let played = tokio::spawn(played);
    let ended = finish(played, shutdown.clone()).await;
    let broken = open.broken.is_cancelled();
    drop(open);
    bridges.keep_undelivered().await;
    let closed = close(&writer).await;
    let is_stopped = shutdown.signalled.is_cancelled();
    let is_replaced =
        place.is_deposed() || place.office.as_ref().is_some_and(|office| office.asked().is_cancelled());
    Box::pin(place.resign()).await;
    if is_replaced && !is_stopped {
        tracing::warn!("{REPLACED}");
        return Ok(true);
    }
    ended.and(closed)?;
    if broken {
        bail!("a listener task panicked; all acknowledged changes are stored");
    }
    tracing::info!("stopped");
    Ok(shutdown.restart.is_cancelled() && !is_stopped)
}

/// Runs the game loop until it is to end. Clients are handed over to the next start, or told that the server stops.
async fn run_game(
    mut driver: GameDriver,
    links: Arc<HostLinks>,
    shutdown: Shutdown,
    is_in_cluster: bool,
) -> anyhow::Result<()> {
    driver.run(&shutdown.stop).await?;
    // In a cluster, the clients stay for the host that leads next.
    if shutdown.restart.is_cancelled() || is_in_cluster {
        tracing::info!(gateways = links.len(), "handing over");
        driver.hand_over().await?;
        links.hand_over().await;
        return Ok(());
    }
    tracing::info!("stopping");
    driver.announce(LAST_WORDS);
    driver.end(&shutdown.hurry).await
}

impl ClusterPlace {
    /// Returns `true` if another host has taken the lead.
    fn is_deposed(&self) -> bool {
        self.cluster.as_ref().is_some_and(ClusterHandle::is_deposed)
    }

    /// Lets another host lead. All changes must be in the log.
    async fn resign(self) {
        if let Some(office) = self.office {
            Box::pin(office.resign()).await;
        }
    }

    /// Ends the game when another host leads, or is to lead. That needs no healthy storage: what has been acknowledged is
    /// in the log.
    fn watch(&self, shutdown: &Shutdown) -> Option<AbortOnDropHandle<()>> {
        let (cluster, asked) = (self.cluster.clone()?, self.office.as_ref()?.asked());
        let shutdown = shutdown.clone();
        Some(spawn(async move {
            tokio::select! {
                () = cluster.deposed() => {}
                () = asked.cancelled() => {}
            }
            shutdown.restart.cancel();
            shutdown.stop.cancel();
        }))
    }
}

/// Opens the sockets, and accepts gateways once all are open.
fn open(
    doors: &Doors,
    ops: Option<Reserved>,
    config: &Config,
    shutdown: &Shutdown,
    office: Option<&LeaderOffice>,
) -> anyhow::Result<HostResources> {
    let open_socket =
        |path: &PathBuf| SocketFile::open(path).with_context(|| format!("cannot open {}", path.display()));
    let (control_socket, control) = open_socket(&config.server.control_socket())?;
    let (link_socket, gateways) = open_socket(&config.link_socket())?;
    let ops = ops.map(Reserved::listen).transpose().context("another program has just taken a port")?;
    let output_bytes = usize::try_from(config.game.limits.output_bytes).unwrap_or(usize::MAX);
    let links = HostLinks::new(doors.requests.clone(), doors.questions.clone(), output_bytes);
    let address = ops.as_ref().map(tokio::net::TcpListener::local_addr).transpose()?;
    let certificate = Certificate::load(None)?;
    // A host has no sessions of its own.
    let sessions = SessionConfig::default();
    let settings = RunningSettings::new(doors.origins.clone(), doors.read.clone(), config.clone(), sessions);
    let settings = Arc::new(settings);
    let broken = CancellationToken::new();
    let vital = |task| spawn_vital(task, broken.clone(), shutdown.stop.clone());
    let mut helpers = vec![
        spawn(clock::watch(doors.clock)),
        spawn(doors.backups.clone().run(shutdown.stop.clone())),
        spawn(Arc::clone(&doors.bridges).run(doors.bridged_game())),
        // A hang-up signal would end the process otherwise.
        spawn(certificate.clone().watch()),
        vital(Box::pin(doors.control(config, &certificate, settings).serve(control))),
        vital(Box::pin(Arc::clone(&links).serve(gateways))),
        doors.spawn_signs_of_life(),
    ];
    helpers.extend(office.map(|office| vital(Box::pin(office.serve(Arc::clone(&links))))));
    helpers.extend(ops.map(|listener| doors.spawn_ops(listener, &certificate, shutdown)));
    let ready = HostReady { pid: std::process::id(), link: Some(config.link_socket()), ops: address };
    let file = config.server.ready_file();
    let ready =
        ReadyFile::write(&file, &ready).with_context(|| format!("cannot write {}", file.display()))?;
    let ops = address.map_or_else(|| "off".to_owned(), |it| it.to_string());
    tracing::info!(link = %config.link_socket().display(), ops, "ready");
    service_manager::ready();
    Ok(HostResources { links, broken, _files: (ready, [control_socket, link_socket]), _helpers: helpers })
}
