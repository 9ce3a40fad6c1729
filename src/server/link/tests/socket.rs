//! Both tasks of the link over a real socket.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use futures_util::future::BoxFuture;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::{ADDRESS, ANN, command, entered, show, taken};
use crate::net::{ClientEvent, ClientOutbox, Clock};
use crate::server::control::gateway_status;
use crate::server::game_loop::question::{Dashboard, GameQuestion, Status};
use crate::server::game_loop::router::notice;
use crate::server::link::backlog::{AWAKE, SILENT};
use crate::server::link::frame::{LinkError, Outgoing, PROTOCOL, SILENCE, ToGateway, agree};
use crate::server::link::gateway::{GatewayLink, GatewayStatus};
use crate::server::link::hand_over::HostLinks;
use crate::server::link::way::{BoxStream, HostRoute, HostWay};
use crate::server::load::history::LoadHistory;
use crate::server::start::lifecycle::Shutdown;
use crate::session::{Delivery, MsspFigures, Request};
use deepwell_core::base::GameTime;

/// Far longer than a busy machine needs.
const PATIENCE: Duration = Duration::from_mins(1);

struct Gateway {
    events: mpsc::Sender<ClientEvent>,
    questions: mpsc::Sender<GameQuestion>,
    status: mpsc::Sender<oneshot::Sender<GatewayStatus>>,
    shutdown: Shutdown,
    task: JoinHandle<anyhow::Result<()>>,
}

impl Gateway {
    fn start(socket: PathBuf) -> Self {
        Self::start_on(HostWay::Socket(socket))
    }

    fn start_on(way: HostWay) -> Self {
        let (events, events_out) = mpsc::channel(64);
        let (questions, questions_out) = mpsc::channel(16);
        let (status, status_out) = mpsc::channel(16);
        let shutdown = Shutdown::default();
        let link = GatewayLink {
            way,
            gateway: 7,
            events: events_out,
            questions: questions_out,
            status: status_out,
            shutdown: shutdown.clone(),
            clock: Clock::start_at(GameTime(0)),
        };
        Self { events, questions, status, shutdown, task: tokio::spawn(link.run()) }
    }

    async fn connect(&self) -> Arc<ClientOutbox> {
        let outbox = Arc::new(ClientOutbox::new(100_000));
        let connected =
            ClientEvent::Connected { session: ANN, address: ADDRESS, outbox: Arc::clone(&outbox) };
        self.events.send(connected).await.unwrap();
        outbox
    }

    async fn ask(&self, line: &str) {
        let asked = ClientEvent::Asked { session: ANN, request: command(ANN, line), place: None };
        self.events.send(asked).await.unwrap();
    }

    async fn status(&self) -> GatewayStatus {
        gateway_status(&self.status).await.unwrap()
    }

    /// Waits until the status fulfils a condition.
    async fn until(&self, is_right: impl Fn(&GatewayStatus) -> bool) -> GatewayStatus {
        let mut looks = tokio::time::interval(Duration::from_millis(5));
        let right = async {
            loop {
                looks.tick().await;
                let status = self.status().await;
                if is_right(&status) {
                    return status;
                }
            }
        };
        timeout(PATIENCE, right).await.unwrap()
    }
}

/// A host without a game: the test takes the place of the game loop.
struct Host {
    links: Arc<HostLinks>,
    requests: mpsc::Receiver<ClientEvent>,
    questions: mpsc::Receiver<GameQuestion>,
    accepting: JoinHandle<()>,
}

impl Host {
    fn start(socket: &Path) -> Self {
        let _ = std::fs::remove_file(socket);
        let (requests, requests_out) = mpsc::channel(64);
        let (questions, questions_out) = mpsc::channel(16);
        let links = HostLinks::new(requests, questions, 100_000);
        let accepting = tokio::spawn(Arc::clone(&links).serve(UnixListener::bind(socket).unwrap()));
        Self { links, requests: requests_out, questions: questions_out, accepting }
    }

    async fn next(&mut self) -> ClientEvent {
        timeout(PATIENCE, self.requests.recv()).await.unwrap().unwrap()
    }

    /// Takes the next command.
    async fn next_line(&mut self) -> (String, ClientEvent) {
        let event = self.next().await;
        let ClientEvent::Asked { request: Request::Game(deepwell_game::Input::Command { line, .. }), .. } =
            &event
        else {
            panic!("not a command")
        };
        (line.clone(), event)
    }

    async fn connected(&mut self) -> Arc<ClientOutbox> {
        let ClientEvent::Connected { session: ANN, outbox, .. } = self.next().await else {
            panic!("not a connection")
        };
        outbox
    }
}

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let socket = folder.path().join("link.sock");
    (folder, socket)
}

/// Waits until a client has output, and takes it.
async fn heard(outbox: &ClientOutbox) -> Vec<Delivery> {
    timeout(PATIENCE, outbox.filled()).await.unwrap();
    taken(outbox)
}

#[tokio::test]
async fn restarted_host_gets_its_sessions_and_unhandled_commands() {
    let (_folder, socket) = folder();
    let gateway = Gateway::start(socket.clone());
    let mut host = Host::start(&socket);
    gateway.until(|status| status.host.is_some()).await;
    let client = gateway.connect().await;
    let outbox = host.connected().await;
    outbox.deliver(entered(ANN, 5, "Ann"));
    assert_eq!(heard(&client).await, [entered(ANN, 5, "Ann")]);
    gateway.ask("one").await;
    gateway.ask("two").await;
    let (line, handled) = host.next_line().await;
    assert_eq!(line, "one");
    outbox.deliver(show("Done."));
    drop(handled);
    let unhandled = host.next_line().await;
    host.links.hand_over().await;
    drop(unhandled);
    host.accepting.abort();
    let mut deliveries = Vec::new();
    while deliveries.len() < 2 {
        deliveries.extend(heard(&client).await);
    }
    assert!(deliveries[0] == show("Done.") && matches!(deliveries[1], Delivery::Show(_)), "{deliveries:?}");

    let mut host = Host::start(&socket);
    let ClientEvent::Resumed { session: ANN, account, name, .. } = host.next().await else {
        panic!("not resumed")
    };
    assert_eq!((account.0, name.as_str()), (5, "Ann"));
    let ClientEvent::Asked { request: Request::Game(deepwell_game::Input::Wants { .. }), .. } =
        host.next().await
    else {
        panic!("no packages")
    };
    assert_eq!(host.next_line().await.0, "two");
    assert_eq!(gateway.until(|status| status.requests_waiting == 0).await.links, 2);
}

/// A host that vanishes in the middle of a frame leaves the gateway in order.
#[tokio::test]
async fn half_frame_of_a_killed_host_is_dropped() {
    let (_folder, socket) = folder();
    let listener = UnixListener::bind(&socket).unwrap();
    let gateway = Gateway::start(socket.clone());
    let client = gateway.connect().await;
    let (mut stream, _) = listener.accept().await.unwrap();
    agree(&mut stream).await.unwrap();
    // A length, and a part of the body.
    stream.write_all(&[0, 0, 0, 200, 0x81]).await.unwrap();
    drop((stream, listener));
    let mut host = Host::start(&socket);
    let outbox = host.connected().await;
    outbox.deliver(show("Welcome back."));
    let mut deliveries = Vec::new();
    while deliveries.last() != Some(&show("Welcome back.")) {
        deliveries.extend(heard(&client).await);
    }
}

#[tokio::test]
async fn another_version_is_refused_with_the_cure() {
    let (_folder, socket) = folder();
    let listener = UnixListener::bind(&socket).unwrap();
    let gateway = Gateway::start(socket);
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut preamble = [0; 12];
    stream.read_exact(&mut preamble).await.unwrap();
    assert_eq!((&preamble[..8], preamble[8..] == PROTOCOL.to_be_bytes()), (&b"deepwell"[..], true));
    stream.write_all(b"deepwell").await.unwrap();
    stream.write_u32(PROTOCOL + 1).await.unwrap();
    let status = gateway.until(|status| status.problems[0].contains("version")).await;
    assert!(status.problems[0].contains("start gateway and host from the same program"), "{status:?}");

    let (mut ours, mut theirs) = UnixStream::pair().unwrap();
    theirs.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
    assert!(matches!(agree(&mut ours).await, Err(LinkError::Foreign)));
}

/// Unknown frames end the link, but not the host.
#[tokio::test]
async fn gateway_with_invalid_frames_is_disconnected() {
    let (_folder, socket) = folder();
    let mut host = Host::start(&socket);
    let mut stream = UnixStream::connect(&socket).await.unwrap();
    agree(&mut stream).await.unwrap();
    stream.write_all(&[0, 0, 0, 3, 1, 2, 3]).await.unwrap();
    let closed = async { while stream.read_u8().await.is_ok() {} };
    timeout(PATIENCE, closed).await.unwrap();
    let gateway = Gateway::start(socket);
    gateway.connect().await;
    host.connected().await;
}

#[tokio::test]
async fn lost_gateway_ends_its_sessions() {
    let (_folder, socket) = folder();
    let mut host = Host::start(&socket);
    let gateway = Gateway::start(socket);
    gateway.connect().await;
    let outbox = host.connected().await;
    gateway.task.abort();
    assert!(matches!(host.next().await, ClientEvent::Ended { session: ANN, .. }));
    timeout(PATIENCE, outbox.abandoned()).await.unwrap();
}

#[tokio::test]
async fn n4_overflowed_output_ends_the_client() {
    let (_folder, socket) = folder();
    let mut host = Host::start(&socket);
    let gateway = Gateway::start(socket);
    gateway.until(|status| status.host.is_some()).await;
    let client = gateway.connect().await;
    let outbox = host.connected().await;
    outbox.deliver(show(&"x".repeat(200_000)));
    timeout(PATIENCE, client.filled()).await.unwrap();
    assert!(client.overflowed());
}

#[tokio::test]
async fn web_pages_are_answered_by_the_host() {
    let (_folder, socket) = folder();
    let mut host = Host::start(&socket);
    let gateway = Gateway::start(socket);
    gateway.until(|status| status.host.is_some()).await;
    let (answer, answered) = oneshot::channel();
    gateway.questions.send(GameQuestion::Status(answer)).await.unwrap();
    let Some(GameQuestion::Status(asked)) = host.questions.recv().await else { panic!("another question") };
    asked.send(Status { playing: 3, ..Status::default() }).unwrap();
    assert_eq!(timeout(PATIENCE, answered).await.unwrap().unwrap().playing, 3);
    let (answer, answered) = oneshot::channel();
    gateway.questions.send(GameQuestion::Figures(answer)).await.unwrap();
    let Some(GameQuestion::Figures(asked)) = host.questions.recv().await else { panic!("another question") };
    asked.send(MsspFigures { quests: 5, ..MsspFigures::default() }).unwrap();
    assert_eq!(timeout(PATIENCE, answered).await.unwrap().unwrap().quests, 5);
    let (answer, answered) = oneshot::channel();
    gateway.questions.send(GameQuestion::Dashboard(answer)).await.unwrap();
    let Some(GameQuestion::Dashboard(asked)) = host.questions.recv().await else {
        panic!("another question")
    };
    let status = Status { playing: 4, ..Status::default() };
    let dashboard = Dashboard::new(status, LoadHistory::default());
    asked.send(dashboard.clone()).unwrap();
    assert_eq!(timeout(PATIENCE, answered).await.unwrap().unwrap(), dashboard);
    let (answer, refused) = oneshot::channel();
    gateway.questions.send(GameQuestion::OwnerToken(answer)).await.unwrap();
    assert!(timeout(PATIENCE, refused).await.unwrap().is_err(), "not for web pages");
}

#[tokio::test]
async fn o1_gateway_stops_after_its_clients_have_been_told() {
    let (_folder, socket) = folder();
    let gateway = Gateway::start(socket);
    let client = gateway.connect().await;
    gateway.until(|status| status.connections == 1).await;
    taken(&client);
    gateway.shutdown.stop.cancel();
    let mut deliveries = Vec::new();
    while deliveries.len() < 2 {
        deliveries.extend(heard(&client).await);
    }
    assert!(matches!(deliveries[1], Delivery::Effect(deepwell_game::Effect::Close { .. })), "{deliveries:?}");
    gateway.events.send(ClientEvent::Ended { session: ANN, receipt: None }).await.unwrap();
    timeout(PATIENCE, gateway.task).await.unwrap().unwrap().unwrap();
}

/// Way to a host that the test plays, in virtual time.
struct Played(std::sync::Mutex<Option<DuplexStream>>);

impl HostRoute for Played {
    fn connect(&self) -> BoxFuture<'_, anyhow::Result<BoxStream>> {
        let stream = self.0.lock().unwrap().take();
        Box::pin(async move { Ok(Box::new(stream.context("the host is gone")?) as BoxStream) })
    }
}

/// Writes frames of a host.
async fn write_frames(stream: &mut DuplexStream, frames: &[ToGateway]) {
    let mut out = Outgoing::default();
    for frame in frames {
        out.push(frame).unwrap();
    }
    out.write_all(stream).await.unwrap();
}

/// O7: whenever a host stops answering, and for however long, the gateway says so to operators and clients, and keeps the
/// link. A host of an earlier release sends no signs of life, and is not missed.
#[tokio::test(start_paused = true)]
async fn o7_stopped_host_is_noticed_and_welcome_again() {
    for sends_beats in [true, false] {
        for pauses in [&[1, 1, 4][..], &[6], &[2, 30, 1, 7], &[3_600]] {
            let (near, mut host) = duplex(1 << 20);
            let route = Arc::new(Played(std::sync::Mutex::new(Some(near))));
            let gateway = Gateway::start_on(HostWay::Cluster(route, PathBuf::from("/nonexistent")));
            let outbox = gateway.connect().await;
            agree(&mut host).await.unwrap();
            let welcome = ToGateway::Welcome { program: "1".to_owned(), sends_beats };
            write_frames(&mut host, &[welcome]).await;
            gateway.until(|status| status.host.is_some()).await;
            let _ = taken(&outbox);
            for pause in pauses {
                tokio::time::sleep(Duration::from_secs(*pause)).await;
                let is_missed = sends_beats && *pause > SILENCE.as_secs();
                let status = gateway.status().await;
                assert_eq!(status.host.is_none(), is_missed, "{sends_beats} {pause}: {status:?}");
                assert_eq!(status.problems.len(), usize::from(is_missed), "{status:?}");
                let expected = if is_missed { vec![Delivery::Show(notice(SILENT))] } else { Vec::new() };
                assert_eq!(taken(&outbox), expected, "{sends_beats} {pause}");
                write_frames(&mut host, &[ToGateway::Alive]).await;
                let status = gateway.until(|status| status.host.is_some()).await;
                assert_eq!((status.links, status.problems.len()), (1, 0));
                let expected = if is_missed { vec![Delivery::Show(notice(AWAKE))] } else { Vec::new() };
                assert_eq!(taken(&outbox), expected, "{sends_beats} {pause}");
            }
            gateway.task.abort();
        }
    }
}
