//! The role of a gateway: owns connections, encryption, compression, web pages and sessions, and passes requests on to
//! the host.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use rand::TryRng as _;
use rand::rngs::SysRng;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::bridges::Bridges;
use super::cluster::NatsRoute;
use super::config::Config;
use super::link::gateway::GatewayLink;
use super::link::way::HostWay;
use super::metrics::Metrics;
use super::{Authenticator, Backups, QUESTIONS_MAX, auth_settings, finish, load_certificate, run_to_end};
use crate::net::{Clock, raise_descriptor_limit};
use crate::server::config::in_force::ConfigOrigins;
use crate::server::control::ControlledRole;
use crate::server::files::lock::ServerLock;
use crate::server::files::{atomic_file, descriptors};
use crate::server::game_loop::driver::REQUESTS_WAITING_MAX;
use crate::server::start::lifecycle::{Shutdown, Stopper};
use crate::server::start::listeners::{Doors, Prepared};
use deepwell_core::base::{GameTime, Span};

/// Maximum time for connection tasks to end after the link.
const LINGER: Duration = Duration::from_secs(1);
/// Bits of a session number below those of its gateway.
const SESSION_BITS: u32 = 32;

/// Builds the runtime, installs the signal handlers and runs a gateway.
pub(super) fn serve_gateway(config: Config, origins: ConfigOrigins) -> anyhow::Result<()> {
    run_to_end(|shutdown| run(config, origins, shutdown))
}

/// Runs a gateway until `shutdown`.
async fn run(mut config: Config, origins: ConfigOrigins, shutdown: Shutdown) -> anyhow::Result<()> {
    let read = config.clone();
    descriptors::fit(&mut config.game.limits, raise_descriptor_limit())?;
    config.ops.listen = config.gateway.ops_listen;
    let certificate = load_certificate(&config)?;
    let prepared = Prepared::of(&config, &certificate)?;
    let _lock = ServerLock::take(&config.server.gateway_lock())?;
    // A killed gateway leaves its ready file behind.
    atomic_file::remove_if_there(&config.server.gateway_ready_file())?;
    // The sessions of a gateway compare times only with each other.
    let clock = Clock::start(GameTime(0), Span::ZERO);
    let (requests, events) = mpsc::channel(REQUESTS_WAITING_MAX);
    let (questions, asked) = mpsc::channel(QUESTIONS_MAX);
    let (status_requests, status) = mpsc::channel(QUESTIONS_MAX);
    let gateway = new_gateway().context("the system's random number generator failed")?;
    let doors = Doors {
        clock,
        backups: Backups::off(clock),
        bridges: Arc::new(Bridges::off()),
        requests,
        stopper: Stopper::new(shutdown.stop.clone(), questions.clone()),
        questions,
        metrics: Arc::new(Metrics::default()),
        auth: Arc::new(Authenticator::new(auth_settings(&config), clock)?),
        origins,
        read,
        role: ControlledRole::Gateway(status_requests),
        cluster: None,
        first_session: (gateway << SESSION_BITS) + 1,
    };
    let open = doors.open(prepared, &config, &certificate, &shutdown)?;
    let link = GatewayLink {
        way: way_to_host(&config),
        gateway,
        events,
        questions: asked,
        status,
        shutdown: shutdown.clone(),
        clock,
    };
    let ended = finish(tokio::spawn(link.run()), shutdown.clone()).await;
    let broken = open.broken.is_cancelled();
    drop((open.ready, open.socket));
    shutdown.hurry.cancel();
    open.tasks.close();
    // Connections that are still open have been sent everything.
    let _ = timeout(LINGER, open.tasks.wait()).await;
    ended?;
    if broken {
        bail!("a listener task panicked");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Returns the way to the host: through the cluster, if there is one.
fn way_to_host(config: &Config) -> HostWay {
    if config.cluster.is_on() {
        return HostWay::Cluster(Arc::new(NatsRoute::new(config.cluster.clone())), config.link_socket());
    }
    HostWay::Socket(config.link_socket())
}

/// Draws the number of a gateway. It makes the numbers of its sessions differ from those of every other gateway, an
/// earlier run included, and from those of operators' requests, which count down from the highest number.
fn new_gateway() -> Result<u64, rand::rngs::SysError> {
    let mut bytes = [0; 4];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(u64::from(u32::from_le_bytes(bytes) >> 2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_of_two_gateways_have_different_numbers() {
        let (one, two) = (new_gateway().unwrap(), new_gateway().unwrap());
        assert!(one != two && [one, two].iter().all(|gateway| (1..=1 << 30).contains(gateway)));
    }
}
