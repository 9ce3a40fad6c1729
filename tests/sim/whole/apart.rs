//! The server as a gateway and a host. The link between them is cut, either process is killed, and the host restarts,
//! while players stay connected to the gateway.

use super::disk::Disk;
use super::fuse::Fuse;
use super::server::{self, Door, Host, LINK_BYTES};
use super::wall;
use anyhow::Context as _;
use deepwell::base::{Dice as _, GameTime, Rng, Span};
use deepwell::game::GameConfig;
use deepwell::net::{ClientEvent, Clock};
use deepwell::server::link::gateway::GatewayLink;
use deepwell::server::link::hand_over::HostLinks;
use deepwell::server::link::way::{BoxStream, HostRoute, HostWay};
use deepwell::server::metrics::Metrics;
use deepwell::server::start::lifecycle::Shutdown;
use futures_util::future::BoxFuture;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// Time that bytes take over the link; so long that most losses hit a command whose answer is on its way.
const LATENCY: Duration = Duration::from_millis(200);
/// Output that may wait for a client, in bytes.
const OUTPUT_BYTES: usize = 1 << 20;

/// Counts of losses.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Losses {
    pub(super) links: u32,
    pub(super) hosts: u32,
    pub(super) restarts: u32,
    pub(super) gateways: u32,
}

/// Way from the gateway to the host that runs.
#[derive(Default)]
struct Road {
    host: Mutex<Option<Arc<HostLinks>>>,
    /// Tasks that carry the bytes of a link.
    carriers: Mutex<Vec<AbortHandle>>,
}

impl Road {
    /// Cuts all links.
    fn cut(&self) {
        for carrier in self.carriers.lock().unwrap().drain(..) {
            carrier.abort();
        }
    }
}

impl HostRoute for Road {
    fn connect(&self) -> BoxFuture<'_, anyhow::Result<BoxStream>> {
        Box::pin(async {
            sleep(Duration::from_millis(2)).await;
            let host = self.host.lock().unwrap().clone().context("there is no host")?;
            let (ours, near) = duplex(LINK_BYTES);
            let (far, theirs) = duplex(LINK_BYTES);
            let carrier = tokio::spawn(async move {
                let ((from_gateway, to_gateway), (from_host, to_host)) = (split(near), split(far));
                tokio::select! {
                    () = carry(from_gateway, to_host) => {}
                    () = carry(from_host, to_gateway) => {}
                }
            });
            self.carriers.lock().unwrap().push(carrier.abort_handle());
            host.accept(Box::new(theirs));
            Ok(Box::new(ours) as BoxStream)
        })
    }
}

/// Carries bytes one way, late, until either end is closed.
async fn carry(mut from: ReadHalf<DuplexStream>, mut to: WriteHalf<DuplexStream>) {
    let mut bytes = vec![0; LINK_BYTES];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        sleep(LATENCY).await;
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

/// Running host.
struct RunningHost {
    stop: CancellationToken,
    played: JoinHandle<anyhow::Result<()>>,
    fuse: Fuse,
}

/// Gateway and host.
pub(super) struct Apart {
    pub(super) door: Door,
    disk: Disk,
    config: GameConfig,
    dice: Rng,
    losses: Arc<Mutex<Losses>>,
    road: Arc<Road>,
    host: RunningHost,
    gateway: JoinHandle<anyhow::Result<()>>,
    /// Number of the gateway.
    number: u64,
    /// Fault: a host whose link is lost continues beside the next one.
    spares: bool,
}

impl Apart {
    /// Starts both on the disk's state.
    pub(super) async fn start(
        disk: &Disk,
        config: &GameConfig,
        dice: Rng,
        losses: Arc<Mutex<Losses>>,
        spares: bool,
    ) -> anyhow::Result<Self> {
        let (road, number) = (Arc::default(), 1);
        let host = start_host(disk, config, &road).await?;
        let (gateway, shared) = start_gateway(config, &road, number);
        let door = Door::new(config, disk.fuse(), shared, LINK_BYTES);
        let (disk, config) = (disk.clone(), config.clone());
        Ok(Self { door, disk, config, dice, losses, road, host, gateway, number, spares })
    }

    /// Loses a part at a time, until the future is dropped.
    pub(super) async fn lose_parts(mut self) {
        loop {
            sleep(Duration::from_millis(self.dice.between(500, 20_000).into())).await;
            let losses = Arc::clone(&self.losses);
            let count = |count: fn(&mut Losses) -> &mut u32| *count(&mut losses.lock().unwrap()) += 1;
            match self.dice.up_to(3) {
                0 => {
                    count(|losses| &mut losses.links);
                    self.road.cut();
                }
                1 => {
                    count(|losses| &mut losses.hosts);
                    self.kill_host();
                    sleep(Duration::from_millis(self.dice.up_to(5_000).into())).await;
                    self.start_host().await;
                }
                2 => {
                    count(|losses| &mut losses.restarts);
                    self.host.stop.cancel();
                    // A host whose disk fails at that moment ends with an error.
                    let _ = (&mut self.host.played).await.expect("the host does not panic");
                    self.kill_host();
                    self.start_host().await;
                }
                _ => {
                    count(|losses| &mut losses.gateways);
                    self.gateway.abort();
                    self.road.cut();
                    self.number += 1;
                    let (gateway, shared) = start_gateway(&self.config, &self.road, self.number);
                    self.gateway = gateway;
                    self.door.replace(shared);
                }
            }
        }
    }

    /// Kills the host: it writes and sends nothing more.
    fn kill_host(&self) {
        *self.road.host.lock().unwrap() = None;
        self.road.cut();
        if !self.spares {
            self.host.fuse.set(Some(1));
            self.host.played.abort();
        }
    }

    /// Starts a host, again and again while the disk fails.
    async fn start_host(&mut self) {
        loop {
            match start_host(&self.disk, &self.config, &self.road).await {
                Ok(host) => return self.host = host,
                Err(_) => sleep(Duration::from_secs(1)).await,
            }
        }
    }
}

async fn start_host(disk: &Disk, config: &GameConfig, road: &Arc<Road>) -> anyhow::Result<RunningHost> {
    let (disk, fuse) = disk.for_process();
    let Host { requests, questions, stop, mut driver, writer, .. } =
        Box::pin(Host::start(&disk, config)).await?;
    let links = HostLinks::new(requests, questions, OUTPUT_BYTES);
    *road.host.lock().unwrap() = Some(Arc::clone(&links));
    let stopped = stop.clone();
    let played = tokio::spawn(async move {
        driver.run(&stopped).await?;
        driver.hand_over().await?;
        links.hand_over().await;
        writer.close().await
    });
    Ok(RunningHost { stop, played, fuse })
}

fn start_gateway(
    config: &GameConfig,
    road: &Arc<Road>,
    number: u64,
) -> (JoinHandle<anyhow::Result<()>>, deepwell::net::ConnectionShared) {
    let clock = Clock::start_by(wall::now, GameTime(0), Span::mins(100 * 365 * 24 * 60));
    let (requests, events): (mpsc::Sender<ClientEvent>, _) = mpsc::channel(1_024);
    let (_, questions) = mpsc::channel(1);
    let (_, status) = mpsc::channel(1);
    let shutdown = Shutdown::default();
    let shared = server::shared(config, requests, clock, &shutdown.hurry, &Metrics::default());
    let way = HostWay::Cluster(Arc::clone(road) as Arc<dyn HostRoute>, PathBuf::from("nowhere"));
    let link = GatewayLink { way, gateway: number, events, questions, status, shutdown, clock };
    (tokio::spawn(link.run()), shared)
}
