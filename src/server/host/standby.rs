//! The sockets of a standby: operators' commands, health checks and metrics.

use std::sync::Arc;

use anyhow::Context as _;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::HostReady;
use crate::net::{Clock, Reserved};
use crate::server::access::password_hashing::Authenticator;
use crate::server::auth_settings;
use crate::server::backups::Backups;
use crate::server::cluster::ClusterHandle;
use crate::server::config::Config;
use crate::server::config::in_force::{ConfigOrigins, RunningSettings};
use crate::server::control::{Control, ControlledRole};
use crate::server::files::socket_file::SocketFile;
use crate::server::metrics::cluster::StandbyMetrics;
use crate::server::ops::StandbyOps;
use crate::server::start::certificate::Certificate;
use crate::server::start::lifecycle::{ReadyFile, Shutdown, Stopper};
use crate::server::start::listeners::spawn;
use crate::server::start::next_start::NextStart;
use crate::server::start::service_manager;
use crate::session::SessionConfig;
use deepwell_core::base::{GameTime, Span};

/// Resources of a standby, released on drop.
pub(super) struct Standby {
    /// Cancelled when an operator restarts the process.
    pub(super) restart: CancellationToken,
    _files: (ReadyFile, SocketFile),
    _helpers: Vec<AbortOnDropHandle<()>>,
}

/// Opens the sockets.
pub(super) fn open(
    config: &Config,
    origins: &ConfigOrigins,
    cluster: &ClusterHandle,
    ops: Option<Reserved>,
    (shutdown, next): (&Shutdown, &NextStart),
) -> anyhow::Result<Standby> {
    let path = config.server.control_socket();
    let (socket, listener) =
        SocketFile::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    let ops = ops.map(Reserved::listen).transpose().context("another program has just taken a port")?;
    let address = ops.as_ref().map(tokio::net::TcpListener::local_addr).transpose()?;
    // There is no game that could answer.
    let (questions, _) = mpsc::channel(1);
    let clock = Clock::start(GameTime(0), Span::ZERO);
    let restart = CancellationToken::new();
    let settings =
        RunningSettings::new(origins.clone(), config.clone(), config.clone(), SessionConfig::default());
    let control = Control {
        stopper: Stopper::new(shutdown.stop.clone(), questions.clone()),
        questions,
        database: config.server.database(),
        auth: Arc::new(Authenticator::new(auth_settings(config), clock)?),
        clock,
        certificate: Certificate::load(None)?,
        settings: Arc::new(settings),
        role: ControlledRole::Standby(cluster.clone(), restart.clone(), next.clone()),
        cluster: Some(cluster.clone()),
        backups: Backups::off(clock),
    };
    let life = service_manager::report_life(|| std::future::ready(true));
    let mut helpers = vec![spawn(control.serve(listener)), spawn(life)];
    helpers.extend(ops.map(|listener| {
        let metrics = Arc::new(StandbyMetrics::default());
        spawn(StandbyOps { cluster: cluster.clone(), metrics }.serve(listener))
    }));
    let ready = HostReady { pid: std::process::id(), link: None, ops: address };
    let file = config.server.ready_file();
    let ready =
        ReadyFile::write(&file, &ready).with_context(|| format!("cannot write {}", file.display()))?;
    service_manager::ready();
    tracing::info!(ops = address.map_or_else(|| "off".to_owned(), |it| it.to_string()), "waiting to lead");
    Ok(Standby { restart, _files: (ready, socket), _helpers: helpers })
}
