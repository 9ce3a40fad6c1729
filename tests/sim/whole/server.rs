//! The shipped server from the link of a client to the writer, without sockets and database: one life, from a start to
//! a kill or a stop. `apart.rs` runs its two halves as gateway and host.

use super::client::Client;
use super::disk::Disk;
use super::fuse::Fuse;
use super::wall;
use deepwell::base::{SessionId, Span};
use deepwell::catalog::Catalog;
use deepwell::game::{Game, GameConfig, Input};
use deepwell::net::connection::{Admitted, serve};
use deepwell::net::{Admission, ClientEvent, Clock, ConnectionShared, Patience};
use deepwell::server::access::password_hashing::{AuthSettings, Authenticator};
use deepwell::server::bridges::Bridges;
use deepwell::server::config::ServerConfig;
use deepwell::server::content::reload::Reloader;
use deepwell::server::files::builder_files::BuilderFiles;
use deepwell::server::game_loop::driver::{Channels, GameDriver};
use deepwell::server::game_loop::part_reads::PartReads;
use deepwell::server::game_loop::pipeline::{Commits, PipelineParts};
use deepwell::server::game_loop::question::GameQuestion;
use deepwell::server::game_loop::recorder::Recorder;
use deepwell::server::game_loop::writer::StoreWriter;
use deepwell::server::metrics::Metrics;
use deepwell::server::start::lifecycle::Stopper;
use deepwell::session::{ConnectionInfo, SessionConfig};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinHandle};
use tokio_util::sync::CancellationToken;

static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| Arc::new(Catalog::builtin()));

/// Capacity of a link in each direction, in bytes.
pub(super) const LINK_BYTES: usize = 8_192;

/// Opens client connections.
#[derive(Clone)]
pub(super) struct Door {
    admission: Arc<Admission>,
    sessions: Arc<AtomicU64>,
    /// State that the connections share, and their tasks.
    behind: Arc<Mutex<(ConnectionShared, Vec<AbortHandle>)>>,
    fuse: Fuse,
    link_bytes: usize,
    /// Serialises logins: passwords are hashed on threads, which finish in any order.
    pub(super) gate: Arc<tokio::sync::Mutex<()>>,
}

/// Game loop, authentication and writer, without connections.
pub(super) struct Host {
    pub(super) requests: mpsc::Sender<ClientEvent>,
    pub(super) questions: mpsc::Sender<GameQuestion>,
    pub(super) stop: CancellationToken,
    pub(super) driver: GameDriver,
    pub(super) writer: StoreWriter,
    clock: Clock,
    metrics: Arc<Metrics>,
}

/// Running server.
pub(super) struct Server {
    pub(super) door: Door,
    stop: CancellationToken,
    hurry: CancellationToken,
    played: JoinHandle<anyhow::Result<()>>,
    writer: StoreWriter,
}

impl Door {
    /// Opens the door to what the connections share, with links of this capacity.
    pub(super) fn new(config: &GameConfig, fuse: Fuse, shared: ConnectionShared, link_bytes: usize) -> Self {
        Self {
            admission: Admission::new(&config.limits, Patience::PLAYERS),
            sessions: Arc::new(AtomicU64::new(1)),
            behind: Arc::new(Mutex::new((shared, Vec::new()))),
            fuse,
            link_bytes,
            gate: Arc::default(),
        }
    }

    /// Connects a client on a new link.
    pub(super) fn open(&self) -> Client {
        let (ours, theirs) = tokio::io::duplex(self.link_bytes);
        let session = SessionId(self.sessions.fetch_add(1, Ordering::Relaxed));
        let address = IpAddr::from(Ipv4Addr::LOCALHOST);
        let pass = self.admission.admit(address).expect("there is a place for all");
        let (shared, tasks) = &mut *self.behind.lock().unwrap();
        let admitted = Admitted { session, address, pass, shared: shared.clone() };
        tasks.push(tokio::spawn(serve(theirs, admitted, ConnectionInfo::default())).abort_handle());
        Client::new(ours, self.fuse.clone())
    }

    /// Ends all connections, as a kill of their process does. Later ones share something else.
    pub(super) fn replace(&self, shared: ConnectionShared) {
        let mut behind = self.behind.lock().unwrap();
        behind.0 = shared;
        for task in behind.1.drain(..) {
            task.abort();
        }
    }
}

/// Returns what connections share.
pub(super) fn shared(
    config: &GameConfig,
    requests: mpsc::Sender<ClientEvent>,
    clock: Clock,
    hurry: &CancellationToken,
    metrics: &Metrics,
) -> ConnectionShared {
    let session = SessionConfig { limits: config.limits.clone(), ..SessionConfig::default() };
    let (session, hurry) = (Arc::new(session), hurry.clone());
    ConnectionShared { requests, clock, session, hurry, counters: metrics.counters.clone() }
}

/// Loads the stored world, as a start does; it must be consistent.
pub(super) fn load(disk: &Disk, config: &GameConfig) -> Game {
    let stored = disk.durable().awake_part(true, true);
    Game::load(Arc::clone(&CATALOG), config.clone(), stored).expect("what is stored is a world")
}

impl Host {
    /// Starts on the disk's state.
    pub(super) async fn start(disk: &Disk, config: &GameConfig) -> anyhow::Result<Self> {
        let game = load(disk, config);
        let clock = Clock::start_by(wall::now, game.time(), Span::mins(100 * 365 * 24 * 60));
        disk.begin(clock.now());
        let (writer, outcomes) = StoreWriter::start(disk.clone());
        let (requests, waiting) = mpsc::channel(1_024);
        let (questions, asked) = mpsc::channel(16);
        let stop = CancellationToken::new();
        let auth = AuthSettings {
            memory_kib: 64,
            passes: 1,
            accounts_per_hour: 1_000,
            guesses_per_minute: 1_000,
            ..AuthSettings::default()
        };
        let metrics = Arc::new(Metrics::default());
        let parts = PipelineParts {
            catalog: Arc::clone(&CATALOG),
            config: config.clone(),
            game,
            clock,
            commits: Commits::new(writer.clone(), outcomes, Duration::from_secs(2), clock.now()),
            auth: Arc::new(Authenticator::new(auth, clock)?),
            metrics: Arc::clone(&metrics),
            stopper: Stopper::new(stop.clone(), questions.clone()),
            recorder: Recorder::new(Path::new("nowhere")),
            reloader: Reloader::new(ServerConfig::default()),
            files: BuilderFiles::new(Path::new("nowhere"), &config.limits),
            reads: PartReads::start(disk.clone()),
            bridges: Arc::new(Bridges::off()),
        };
        let (logins, web_logins) = (requests.clone(), questions.clone());
        let channels = Channels { requests: waiting, logins, questions: asked, web_logins };
        let mut driver = GameDriver::new(parts, channels);
        driver.begin(vec![Input::Wake.into()]).await?;
        Ok(Self { requests, questions, stop, driver, writer, clock, metrics })
    }
}

impl Server {
    /// Starts the server on the disk's state, with links of this capacity.
    pub(super) async fn start(disk: &Disk, config: &GameConfig, link_bytes: usize) -> anyhow::Result<Self> {
        let Host { requests, stop, mut driver, writer, clock, metrics, .. } =
            Box::pin(Host::start(disk, config)).await?;
        let hurry = CancellationToken::new();
        let door =
            Door::new(config, disk.fuse(), shared(config, requests, clock, &hurry, &metrics), link_bytes);
        let (stopped, hurried) = (stop.clone(), hurry.clone());
        let played = tokio::spawn(async move {
            driver.run(&stopped).await?;
            driver.end(&hurried).await
        });
        Ok(Self { door, stop, hurry, played, writer })
    }

    /// Stops the server cleanly.
    pub(super) async fn stop(self) -> anyhow::Result<()> {
        self.stop.cancel();
        self.played.await??;
        self.hurry.cancel();
        self.writer.close().await
    }
}
