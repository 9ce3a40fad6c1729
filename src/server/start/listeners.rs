//! Listeners: all ports and their handlers, opened together or not at all. Problems with addresses and files are
//! detected before the world is loaded.

use std::net::SocketAddr;
use std::os::unix::net::SocketAddr as UnixAddress;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::net::connection::ConnectionShared;
use crate::net::{
    Admission, ClientEvent, ClientListener, Clock, ListenerContext, ListenerOptions, Patience, Reserved,
};
use crate::server::access::password_hashing::Authenticator;
use crate::server::backups::Backups;
use crate::server::bridges::{BridgedGame, Bridges};
use crate::server::cluster::ClusterHandle;
use crate::server::config::in_force::{ConfigOrigins, RunningSettings};
use crate::server::config::mistake::mistake;
use crate::server::config::{Config, ProxySwitch, TelnetConfig};
use crate::server::control::{Control, ControlledRole, gateway_status};
use crate::server::files::socket_file::SocketFile;
use crate::server::game_loop::question::{GameQuestion, ask};
use crate::server::http::web_builder::WebBuilderState;
use crate::server::http::{self, CachedFigures, Http, StatusConstants, WebFiles};
use crate::server::metrics::Metrics;
use crate::server::metrics::gateway::GatewayMetrics;
use crate::server::ops::{GatewayOps, Ops};
use crate::server::start::certificate::Certificate;
use crate::server::start::lifecycle::{Ready, ReadyFile, Shutdown, Stopper};
use crate::server::start::sockets::Sockets;
use crate::server::start::{clock, service_manager};
use crate::session::{MudletPackage, Ports, SessionConfig};
use crate::store::StoreError;
use deepwell_core::text::Markup;

/// Handles to the game and server that the listeners need.
pub(in crate::server) struct Doors {
    pub(in crate::server) clock: Clock,
    pub(in crate::server) backups: Backups,
    pub(in crate::server) bridges: Arc<Bridges>,
    pub(in crate::server) requests: mpsc::Sender<ClientEvent>,
    pub(in crate::server) questions: mpsc::Sender<GameQuestion>,
    pub(in crate::server) stopper: Stopper,
    pub(in crate::server) metrics: Arc<Metrics>,
    pub(in crate::server) auth: Arc<Authenticator>,
    pub(in crate::server) origins: ConfigOrigins,
    /// Settings as they were read, before limits were lowered to fit the process.
    pub(in crate::server) read: Config,
    pub(in crate::server) role: ControlledRole,
    /// The cluster, if the host is part of one.
    pub(in crate::server) cluster: Option<ClusterHandle>,
    /// Number of the first session.
    pub(in crate::server) first_session: u64,
}

/// Maximum time for the game loop to answer before the service manager gets a sign of life. Its own limit is shorter.
const LIFE: Duration = Duration::from_mins(10);

/// Resources acquired before the world is loaded.
pub(in crate::server) struct Prepared {
    sockets: Sockets<Reserved>,
    files: WebFiles,
}

impl Prepared {
    /// Reserves all addresses and reads the files of the web client, without changing anything on the disk.
    pub(in crate::server) fn of(config: &Config, certificate: &Certificate) -> anyhow::Result<Self> {
        let files = page_of(config).map_err(mistake)?;
        Ok(Self { sockets: Sockets::reserve(config, certificate)?, files })
    }
}

/// Listeners and tasks of the running server.
pub(in crate::server) struct OpenListeners {
    pub(in crate::server) ready: ReadyFile,
    pub(in crate::server) socket: SocketFile,
    pub(in crate::server) tasks: TaskTracker,
    /// Cancelled when a task that accepts connections has panicked.
    pub(in crate::server) broken: CancellationToken,
    _helpers: Vec<AbortOnDropHandle<()>>,
}

impl Doors {
    /// Opens all ports, and accepts connections once all are open.
    pub(in crate::server) fn open(
        &self,
        prepared: Prepared,
        config: &Config,
        certificate: &Certificate,
        shutdown: &Shutdown,
    ) -> anyhow::Result<OpenListeners> {
        let Prepared { sockets, files } = prepared;
        let ports = sockets.listen().context("another program has just taken a port")?;
        let server = &config.server;
        let (path, file) = match self.role {
            ControlledRole::Gateway(_) => (server.gateway_control_socket(), server.gateway_ready_file()),
            _ => (server.control_socket(), server.ready_file()),
        };
        let (socket, listener) =
            SocketFile::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
        let addresses = ports.addresses()?;
        let tasks = TaskTracker::new();
        let settings = Arc::new(self.settings(config, &addresses));
        let context = self.context(config, &settings, shutdown, &tasks);
        let broken = CancellationToken::new();
        let vital = |task| spawn_vital(task, broken.clone(), shutdown.stop.clone());
        let mut helpers = vec![
            spawn(clock::watch(self.clock)),
            spawn(self.backups.clone().run(shutdown.stop.clone())),
            spawn(Arc::clone(&self.bridges).run(self.bridged_game())),
            spawn(certificate.clone().watch()),
            vital(Box::pin(self.control(config, certificate, settings).serve(listener))),
            self.spawn_signs_of_life(),
        ];
        helpers.extend(ports.ops.map(|listener| self.spawn_ops(listener, certificate, shutdown)));
        helpers.extend(ports.http.map(|(listener, tls)| {
            let http = self.http(config, &addresses, files, &context);
            let terms = http::Terms::new(&config.game.limits, Arc::clone(&http.proxies), tls);
            vital(Box::pin(http::serve(listener, http::routes(http), terms)))
        }));
        let telnet = |listener, tls| {
            let options = listener_options(&config.telnet, config.game.limits.compressed_connections, tls);
            ClientListener { listener, options, context: context.clone() }
        };
        let encrypted = ports.telnet_tls.map(|(listener, tls)| telnet(listener, Some(tls)));
        for listener in [Some(telnet(ports.telnet, None)), encrypted].into_iter().flatten() {
            helpers.push(vital(Box::pin(listener.run(shutdown.stop.clone()))));
        }
        let ready =
            ReadyFile::write(&file, &addresses).map_err(|source| StoreError::File { path: file, source })?;
        let or_off =
            |address: Option<SocketAddr>| address.map_or_else(|| "off".to_owned(), |it| it.to_string());
        let [tls, http, ops] = [addresses.telnet_tls, addresses.http, addresses.ops].map(or_off);
        tracing::info!(telnet = %addresses.telnet, telnet_tls = tls, http, ops, "ready");
        service_manager::ready();
        Ok(OpenListeners { ready, socket, tasks, broken, _helpers: helpers })
    }

    pub(in crate::server) fn control(
        &self,
        config: &Config,
        certificate: &Certificate,
        settings: Arc<RunningSettings>,
    ) -> Control {
        Control {
            settings,
            auth: Arc::clone(&self.auth),
            clock: self.clock,
            certificate: certificate.clone(),
            questions: self.questions.clone(),
            database: config.server.database(),
            stopper: self.stopper.clone(),
            role: self.role.clone(),
            cluster: self.cluster.clone(),
            backups: self.backups.clone(),
        }
    }

    /// Reports signs of life to the service manager as long as the task answers that the role consists of.
    pub(in crate::server) fn spawn_signs_of_life(&self) -> AbortOnDropHandle<()> {
        let (role, questions) = (self.role.clone(), self.questions.clone());
        spawn(service_manager::report_life(move || {
            let (role, questions) = (role.clone(), questions.clone());
            async move {
                match &role {
                    ControlledRole::Gateway(status) => gateway_status(status).await.is_some(),
                    _ => ask(&questions, GameQuestion::Figures, LIFE).await.is_ok(),
                }
            }
        }))
    }

    /// Serves the operators' endpoints of the role.
    pub(in crate::server) fn spawn_ops(
        &self,
        listener: TcpListener,
        certificate: &Certificate,
        shutdown: &Shutdown,
    ) -> AbortOnDropHandle<()> {
        let (stop, certificate) = (shutdown.stop.clone(), certificate.clone());
        if let ControlledRole::Gateway(status) = &self.role {
            let metrics = Arc::new(GatewayMetrics::new(&self.metrics.counters));
            return spawn(GatewayOps { status: status.clone(), metrics, stop, certificate }.serve(listener));
        }
        let (questions, metrics) = (self.questions.clone(), Arc::clone(&self.metrics));
        let (cluster, backups) = (self.cluster.clone(), self.backups.clone());
        let ops = Ops { questions, metrics, stop, cluster, backups, certificate };
        spawn(ops.serve(listener, self.bridges.pages(self.bridged_game())))
    }

    /// Returns the game, as bridges need it.
    pub(in crate::server) fn bridged_game(&self) -> BridgedGame {
        let metrics = self.metrics.bridges.clone();
        BridgedGame { questions: self.questions.clone(), clock: self.clock, metrics }
    }

    fn http(&self, config: &Config, addresses: &Ready, files: WebFiles, context: &ListenerContext) -> Http {
        let about = StatusConstants {
            telnet: addresses.telnet.port(),
            telnet_tls: addresses.telnet_tls.map(|address| address.port()),
        };
        let hosts = config.http.hosts.clone().and(&config.http.public_url);
        let hosts = match config.http.listen {
            Some(listen) => hosts.at(listen),
            None => hosts,
        };
        Http {
            context: context.clone(),
            files: Arc::new(files),
            board: Arc::new(CachedFigures::new(
                about,
                context.session.clone(),
                self.clock,
                self.questions.clone(),
            )),
            atlas: Arc::new(http::mudlet::Atlas::new(self.questions.clone())),
            web_builder: Arc::new(self.web_builder(config)),
            hosts: Arc::new(hosts),
            origins: config.http.origins.clone().and(&config.http.public_url),
            proxies: Arc::new(config.http.proxy_from.clone()),
            message_bytes: usize::try_from(config.game.limits.message_bytes).unwrap_or(usize::MAX),
        }
    }

    fn web_builder(&self, config: &Config) -> WebBuilderState {
        let limits = &config.game.limits;
        WebBuilderState::new(limits, self.clock, Arc::clone(&self.auth), self.questions.clone())
    }

    fn settings(&self, config: &Config, addresses: &Ready) -> RunningSettings {
        let session = SessionConfig {
            limits: config.game.limits.clone(),
            name: config.game.name.clone(),
            welcome: Markup::plain(config.world.welcome.trim_end()),
            mudlet: mudlet_package(&config.http.public_url),
            listing: config.mssp.clone().with_page(&config.http.public_url),
            ports: Ports {
                telnet: Some(addresses.telnet.port()),
                tls: addresses.telnet_tls.map(|address| address.port()),
                http: addresses.http.map(|address| address.port()),
            },
            compression: config.game.limits.compressed_connections > 0,
        };
        RunningSettings::new(self.origins.clone(), self.read.clone(), config.clone(), session)
    }

    fn context(
        &self,
        config: &Config,
        settings: &RunningSettings,
        shutdown: &Shutdown,
        tasks: &TaskTracker,
    ) -> ListenerContext {
        let session = settings.sessions();
        ListenerContext {
            admission: Admission::new(&config.game.limits, Patience::PLAYERS),
            sessions: Arc::new(AtomicU64::new(self.first_session)),
            shared: ConnectionShared {
                requests: self.requests.clone(),
                clock: self.clock,
                session: Arc::clone(&settings.sessions().borrow()),
                hurry: shutdown.hurry.clone(),
                counters: self.metrics.counters.clone(),
            },
            session,
            tasks: tasks.clone(),
        }
    }
}

/// Returns how a telnet port handles new connections.
fn listener_options(config: &TelnetConfig, compressed: u32, tls: Option<TlsAcceptor>) -> ListenerOptions {
    let through_proxies = config.proxy == ProxySwitch::On;
    ListenerOptions {
        proxies: through_proxies.then(|| Arc::new(config.proxy_from.clone())),
        compress: compressed > 0 && (tls.is_none() || config.compress_tls),
        tls,
    }
}

/// Reads the files of the web client, and checks the path of the control socket.
pub(in crate::server) fn page_of(config: &Config) -> anyhow::Result<WebFiles> {
    let path = config.server.control_socket();
    // Only the length of the path is checked here; the socket is created later.
    UnixAddress::from_pathname(&path)
        .with_context(|| format!("server.state_dir: {} is too long for a socket path", path.display()))?;
    let Some(folder) = &config.http.web_dir else { return Ok(WebFiles::builtin()) };
    WebFiles::read(folder).with_context(|| format!("http.web_dir: cannot read {}", folder.display()))
}

/// Returns the URL and version of the Mudlet package, if the public URL is set.
fn mudlet_package(public_url: &str) -> Option<MudletPackage> {
    let base = public_url.trim_end_matches('/');
    (!base.is_empty()).then(|| MudletPackage {
        url: format!("{base}{}", http::mudlet::PACKAGE),
        version: http::mudlet::VERSION.to_owned(),
    })
}

pub(in crate::server) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(task))
}

/// Spawns a task that the server cannot run without. If it panics, the server stops and `broken` is cancelled, so that
/// no port stays open without a handler.
pub(in crate::server) fn spawn_vital(
    task: Vital,
    broken: CancellationToken,
    stop: CancellationToken,
) -> AbortOnDropHandle<()> {
    spawn(async move {
        if spawn(task).await.is_err_and(|error| error.is_panic()) {
            tracing::error!("a listener task panicked; the server stops");
            broken.cancel();
            stop.cancel();
        }
    })
}

pub(in crate::server) type Vital = Pin<Box<dyn Future<Output = ()> + Send>>;

#[cfg(test)]
mod tests {
    use super::*;

    /// O7, O8: no port stays open without a handler.
    #[tokio::test]
    async fn o7_panicking_listener_stops_the_server() {
        let [broken, stop] = [(); 2].map(|()| CancellationToken::new());
        let quiet = Box::pin(async {});
        spawn_vital(quiet, broken.clone(), stop.clone()).await.unwrap();
        assert!(!broken.is_cancelled() && !stop.is_cancelled(), "a task may end with the server");
        let dying = Box::pin(async { panic!("on purpose") });
        spawn_vital(dying, broken.clone(), stop.clone()).await.unwrap();
        assert!(broken.is_cancelled() && stop.is_cancelled());
    }
}
