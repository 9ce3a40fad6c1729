//! The gateway's side of the link: one task that records the events of clients, sends them to the host, passes its
//! output on, and connects again whenever the link is lost.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::io::{AsyncRead, split};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::bytes::BytesMut;

use super::backlog::{AWAKE, Backlog, LinkLoss, RESTARTING, SILENT};
use super::frame::{
    BEAT, Frames, Hello, LinkError, Outgoing, Sent, ToGateway, ToHost, agree, decode, frames,
};
use super::host_state::HostState;
use super::question::{self, WaitingPage};
use super::way::{BoxStream, HostWay};
use crate::net::{ClientEvent, Clock};
use crate::server::game_loop::question::GameQuestion;
use crate::server::game_loop::router::notice;
use crate::server::start::lifecycle::{LAST_WORDS, Shutdown};
use deepwell_core::base::GameTime;
use deepwell_game::CloseReason;

/// Time between two tries to reach the host: the first, and the longest.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(250)];
/// Maximum time for the host to send its preamble.
const AGREEING: Duration = Duration::from_secs(5);
/// Maximum number of events taken at once.
const BATCH_MAX: usize = 256;
/// Maximum number of web pages that wait for the host.
const PAGES_MAX: usize = 256;

/// Status of a gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GatewayStatus {
    /// Always "gateway".
    pub role: &'static str,
    /// Reasons why the gateway is not healthy; empty if it is.
    pub problems: Vec<String>,
    /// Version of the host's program; `None` without a host that answers.
    pub host: Option<String>,
    /// Number of links since the start.
    pub links: u64,
    /// Number of open connections.
    pub connections: u64,
    /// Number of logged-in clients.
    pub playing: u64,
    /// Events of clients that the host has not handled.
    pub requests_waiting: u64,
    /// Seconds since the start.
    pub up_secs: u64,
}

/// Receiver of requests for the status.
pub type StatusRequests = mpsc::Receiver<oneshot::Sender<GatewayStatus>>;

/// The link of a gateway.
pub struct GatewayLink {
    /// Way to the host.
    pub way: HostWay,
    /// Random number of this process.
    pub gateway: u64,
    /// Events of clients.
    pub events: mpsc::Receiver<ClientEvent>,
    /// Requests of web pages and operators.
    pub questions: mpsc::Receiver<GameQuestion>,
    /// Requests for the status.
    pub status: StatusRequests,
    /// Stops the gateway.
    pub shutdown: Shutdown,
    /// Clock of the sessions.
    pub clock: Clock,
}

/// A link with its state.
struct RunningLink {
    link: GatewayLink,
    backlog: Backlog,
    pages: BTreeMap<u64, Box<dyn WaitingPage>>,
    next_page: u64,
    host: HostState,
    is_stopping: bool,
    started: GameTime,
}

/// Reason why a link is over.
enum Over {
    /// The gateway stops, and all clients have left.
    Finished,
    /// The link was lost.
    Lost(LinkLoss, LinkError),
}

/// Event that the gateway waits for.
enum GatewayEvent {
    Stop,
    Hurry,
    Clients,
    Page(GameQuestion),
    Status(oneshot::Sender<GatewayStatus>),
}

impl GatewayLink {
    /// Runs until the gateway stops.
    pub async fn run(self) -> anyhow::Result<()> {
        let running = RunningLink {
            started: self.clock.now(),
            link: self,
            backlog: Backlog::default(),
            pages: BTreeMap::new(),
            next_page: 0,
            host: HostState::default(),
            is_stopping: false,
        };
        running.run().await
    }
}

impl RunningLink {
    async fn run(mut self) -> anyhow::Result<()> {
        let mut back_off = BACK_OFF[0];
        let mut events = Vec::with_capacity(BATCH_MAX);
        loop {
            let way = self.link.way.clone();
            let connecting = async move {
                let mut stream = way.connect().await?;
                timeout(AGREEING, agree(&mut stream)).await.map_err(std::io::Error::from)??;
                Ok(stream)
            };
            let over = match self.handle_until(connecting, &mut events).await {
                None => return Ok(()),
                Some(Err(error)) => Over::Lost(LinkLoss::Crash, error),
                Some(Ok(stream)) => self.converse(stream, &mut events).await,
            };
            let Over::Lost(loss, error) = over else { return Ok(()) };
            if self.host.unlink(&self.link.way, loss, &error) {
                self.backlog.lost(loss);
                back_off = BACK_OFF[0];
            }
            self.backlog.unlink();
            self.pages.clear();
            let Some(()) = self.handle_until(tokio::time::sleep(back_off), &mut events).await else {
                return Ok(());
            };
            back_off = (back_off * 2).min(BACK_OFF[1]);
        }
    }

    /// Takes note of the time since the last frame of the host, and tells the clients if it does not answer, or does so
    /// again. The link stays open: a host that continues has lost nothing.
    fn note_silence(&mut self, silence: Duration) {
        if let Some(is_silent) = self.host.note_silence(&self.link.way, silence) {
            self.backlog.show(&notice(if is_silent { SILENT } else { AWAKE }), true);
        }
    }

    /// Waits for the result of `work` and handles all other events before it. Returns `None` when the gateway has
    /// stopped.
    async fn handle_until<T>(
        &mut self,
        work: impl Future<Output = T>,
        events: &mut Vec<ClientEvent>,
    ) -> Option<T> {
        let mut work = std::pin::pin!(work);
        loop {
            let event = tokio::select! {
                biased;
                done = &mut work => return Some(done),
                event = self.next(events, true) => event,
            };
            if !self.handle(event, events) || (self.is_stopping && self.backlog.is_finished(false)) {
                return None;
            }
        }
    }

    /// Waits for the next event that does not come from the host. Cancel-safe.
    async fn next(&mut self, events: &mut Vec<ClientEvent>, has_space: bool) -> GatewayEvent {
        let shutdown = &self.link.shutdown;
        tokio::select! {
            biased;
            () = shutdown.hurry.cancelled() => GatewayEvent::Hurry,
            () = shutdown.stop.cancelled(), if !self.is_stopping => GatewayEvent::Stop,
            Some(status) = self.link.status.recv() => GatewayEvent::Status(status),
            Some(question) = self.link.questions.recv() => GatewayEvent::Page(question),
            _ = self.link.events.recv_many(events, BATCH_MAX), if has_space => GatewayEvent::Clients,
            else => std::future::pending().await,
        }
    }

    /// Handles an event. Returns `false` if the gateway must end without waiting for clients.
    fn handle(&mut self, event: GatewayEvent, events: &mut Vec<ClientEvent>) -> bool {
        match event {
            GatewayEvent::Hurry => return false,
            GatewayEvent::Stop => {
                self.is_stopping = true;
                self.backlog.show(&notice(LAST_WORDS), true);
                self.backlog.close_all(CloseReason::Shutdown);
            }
            // The asker may have left.
            GatewayEvent::Status(answer) => _ = answer.send(self.status()),
            // Without a host, the question is dropped, which its asker takes for no answer.
            GatewayEvent::Page(GameQuestion::Broadcast(message, answer)) => {
                self.backlog.show(&notice(&message), false);
                let _ = answer.send(());
            }
            GatewayEvent::Page(_) => {}
            GatewayEvent::Clients => {
                let is_linked = self.host.is_answered();
                for event in events.drain(..) {
                    self.backlog.take(event, is_linked);
                }
                if self.is_stopping {
                    self.backlog.close_all(CloseReason::Shutdown);
                }
            }
        }
        true
    }

    fn status(&self) -> GatewayStatus {
        let [connections, playing, requests_waiting] = self.backlog.figures();
        GatewayStatus {
            role: "gateway",
            problems: self.host.problem().into_iter().collect(),
            host: self.host.answering(),
            links: self.host.links(),
            connections,
            playing,
            requests_waiting,
            up_secs: u64::try_from(self.link.clock.now().since(self.started).0 / 1_000).unwrap_or(0),
        }
    }

    /// Exchanges frames with the host until the link is lost or the gateway has stopped.
    async fn converse(&mut self, stream: BoxStream, events: &mut Vec<ClientEvent>) -> Over {
        let (reader, mut writer) = split(stream);
        let mut frames = frames(reader);
        let mut out = Outgoing::default();
        let hello = Hello {
            gateway: self.link.gateway,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            sessions: self.backlog.hello(),
            reads_beats: true,
        };
        if let Err(error) = out.push(&ToHost::Hello(hello)) {
            return Over::Lost(LinkLoss::Crash, error);
        }
        // After a failed write, the last frames of the host are still read.
        let mut is_writable = true;
        let (mut heard, mut looks) = (Instant::now(), interval(BEAT));
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if let Err(error) = self.send_events(&mut out) {
                return Over::Lost(LinkLoss::Crash, error);
            }
            if self.is_stopping && out.is_empty() && self.backlog.is_finished(self.host.is_linked()) {
                return Over::Finished;
            }
            let has_space = !out.is_full();
            let done = tokio::select! {
                biased;
                // First, because frames may wait while this process itself was stopped.
                frame = next_frame(&mut frames) => {
                    heard = Instant::now();
                    self.note_silence(Duration::ZERO);
                    frame.and_then(|frame| self.receive(frame))
                }
                _ = looks.tick() => {
                    self.note_silence(heard.elapsed());
                    Ok(None)
                }
                event = self.next(events, has_space) => {
                    match event {
                        GatewayEvent::Page(question) if !matches!(question, GameQuestion::Broadcast(..)) => {
                            self.ask(question, &mut out)
                        }
                        event => {
                            if !self.handle(event, events) {
                                return Over::Finished;
                            }
                            Ok(None)
                        }
                    }
                }
                written = out.write(&mut writer), if is_writable && !out.is_empty() => {
                    is_writable = written.is_ok();
                    Ok(None)
                }
            };
            match done {
                Ok(None) => {}
                Ok(Some(loss)) => return Over::Lost(loss, closed()),
                Err(error) => return Over::Lost(LinkLoss::Crash, error),
            }
        }
    }

    /// Adds the events that have not been sent, as long as there is space, once the sessions are attached.
    fn send_events(&mut self, out: &mut Outgoing) -> Result<(), LinkError> {
        if !self.host.is_linked() {
            return Ok(());
        }
        while !out.is_full()
            && let Some((number, event)) = self.backlog.next_unsent()
        {
            out.push(&Sent::Event { number, event })?;
        }
        Ok(())
    }

    /// Handles a frame of the host. Returns the way in which the link is lost, if the frame ends it.
    fn receive(&mut self, frame: ToGateway) -> Result<Option<LinkLoss>, LinkError> {
        match frame {
            ToGateway::Welcome { program, sends_beats } => {
                tracing::info!(%program, sessions = self.backlog.figures()[0], "linked to the host");
                self.host.link(program, sends_beats);
            }
            ToGateway::Alive => {}
            ToGateway::Refused(reason) => return Err(LinkError::Refused(reason)),
            ToGateway::Deliver { session, deliveries } => self.backlog.deliver(session, deliveries),
            ToGateway::TooSlow { session } => self.backlog.too_slow(session),
            ToGateway::Handled(numbers) => self.backlog.handled(&numbers),
            ToGateway::Answered { number, answer } => {
                // Without an answer the sender is dropped, which the page takes for no answer.
                if let (Some(page), Some(answer)) = (self.pages.remove(&number), answer) {
                    page.answer(answer);
                }
            }
            ToGateway::Restarting => {
                self.backlog.show(&notice(RESTARTING), true);
                return Ok(Some(LinkLoss::Restart));
            }
        }
        Ok(None)
    }

    /// Passes the request of a web page on. A request that is not passed on is dropped, which its asker takes for no
    /// answer.
    fn ask(&mut self, question: GameQuestion, out: &mut Outgoing) -> Result<Option<LinkLoss>, LinkError> {
        self.pages.retain(|_, page| !page.is_closed());
        if self.host.is_answered()
            && self.pages.len() < PAGES_MAX
            && let Some((asked, page)) = question::split(question)
        {
            out.push(&ToHost::Asked { number: self.next_page, asked })?;
            self.pages.insert(self.next_page, page);
            self.next_page += 1;
        }
        Ok(None)
    }
}

/// Reads the next frame. Cancel-safe.
async fn next_frame(frames: &mut Frames<impl AsyncRead + Unpin>) -> Result<ToGateway, LinkError> {
    let frame: Option<std::io::Result<BytesMut>> = frames.next().await;
    decode(&frame.ok_or_else(closed)??)
}

/// Returns the error for a link that the other side has closed.
pub(super) fn closed() -> LinkError {
    LinkError::Lost(std::io::ErrorKind::UnexpectedEof.into())
}
