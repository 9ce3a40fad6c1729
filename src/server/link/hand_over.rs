//! The host's side of the link: accepts gateways, attaches their sessions to the game, feeds the game loop with their
//! events, and sends the output of each session.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::io::{ReadHalf, WriteHalf, split};
use tokio::net::UnixListener;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::net::{ClientEvent, ClientOutbox, LinkQueue, Receipt, RequestPermit};
use crate::server::game_loop::question::GameQuestion;
use crate::server::link::frame::{
    Attached, BEAT, Frames, Hello, LinkError, LinkEvent, LinkPlayer, Outgoing, ToGateway, ToHost, agree,
    decode, frames,
};
use crate::server::link::gateway::closed;
use crate::server::link::question::ask_game;
use crate::server::link::way::BoxStream;
use crate::session::{Delivery, Request};
use deepwell_core::base::SessionId;
use deepwell_game::Input;

/// Maximum time for a gateway to send its hello.
const HELLO: Duration = Duration::from_secs(5);
/// Maximum time for a gateway to read the last frames before a restart.
const LAST_FRAMES: Duration = Duration::from_secs(2);
/// Maximum number of requests of web pages in progress for one gateway.
const PAGES_MAX: usize = 256;
/// Estimated bytes of output in one frame.
const FRAME_BYTES: usize = 256 << 10;
const BACK_OFF: Duration = Duration::from_millis(200);

/// All links of a host.
#[derive(Debug)]
pub struct HostLinks {
    requests: mpsc::Sender<ClientEvent>,
    questions: mpsc::Sender<GameQuestion>,
    output_bytes: usize,
    open: Mutex<BTreeMap<u64, Arc<Link>>>,
    /// Cancelled when the links must send their last frames.
    restart: CancellationToken,
    tasks: TaskTracker,
}

/// Link of one gateway.
#[derive(Debug)]
struct Link {
    queue: Arc<LinkQueue>,
    sessions: Mutex<BTreeMap<SessionId, Arc<ClientOutbox>>>,
    /// Cancelled to end the link, because its gateway has opened another.
    replaced: CancellationToken,
    /// Cancelled when the game loop has been told that all sessions have ended.
    ended: CancellationToken,
}

impl HostLinks {
    /// Creates the links of a host; `requests` and `questions` lead to the game loop. At most about `output_bytes` of
    /// output wait for a client.
    pub fn new(
        requests: mpsc::Sender<ClientEvent>,
        questions: mpsc::Sender<GameQuestion>,
        output_bytes: usize,
    ) -> Arc<Self> {
        Arc::new(Self {
            requests,
            questions,
            output_bytes,
            open: Mutex::default(),
            restart: CancellationToken::new(),
            tasks: TaskTracker::new(),
        })
    }

    /// Accepts gateways until the task is aborted.
    pub(in crate::server) async fn serve(self: Arc<Self>, listener: UnixListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => self.accept(Box::new(stream)),
                Err(error) => {
                    tracing::warn!(%error, "cannot accept gateways");
                    tokio::time::sleep(BACK_OFF).await;
                }
            }
        }
    }

    /// Serves a gateway that has connected.
    pub fn accept(self: &Arc<Self>, stream: BoxStream) {
        let links = Arc::clone(self);
        self.tasks.spawn(async move {
            if let Err(error) = links.run(stream).await {
                tracing::warn!(%error, "a gateway is not linked any more");
            }
        });
    }

    /// Tells all gateways which events have been handled and that the host restarts. The game loop must have stopped
    /// and sent all output.
    pub async fn hand_over(&self) {
        {
            let open = lock(&self.open);
            for link in open.values() {
                link.queue.seal();
            }
            // A gateway that connects later is not registered.
            self.restart.cancel();
        }
        self.tasks.close();
        let _ = timeout(LAST_FRAMES + BACK_OFF, self.tasks.wait()).await;
    }

    /// Returns the number of linked gateways.
    pub(in crate::server) fn len(&self) -> usize {
        lock(&self.open).len()
    }

    /// Serves one gateway.
    async fn run(&self, mut stream: BoxStream) -> Result<(), LinkError> {
        if self.restart.is_cancelled() {
            return Ok(());
        }
        timeout(HELLO, agree(&mut stream)).await.map_err(std::io::Error::from)??;
        let (reader, mut writer) = split(stream);
        let mut frames = frames(reader);
        let hello = timeout(HELLO, next_frame(&mut frames)).await.map_err(std::io::Error::from)??;
        let ToHost::Hello(hello) = hello else { return Err(LinkError::Unexpected("no hello")) };
        let link = match self.register(&hello).await {
            Ok(link) => link,
            Err(reason) => {
                let mut out = Outgoing::default();
                out.push(&ToGateway::Refused(reason.to_owned()))?;
                out.write_all(&mut writer).await?;
                return Err(LinkError::Unexpected(reason));
            }
        };
        let done = self.exchange(&link, hello, frames, writer).await;
        self.end(&link).await;
        done
    }

    /// Adds a link. A gateway that was linked before loses its old link first.
    async fn register(&self, hello: &Hello) -> Result<Arc<Link>, &'static str> {
        let old = lock(&self.open).get(&hello.gateway).cloned();
        if let Some(old) = old {
            old.replaced.cancel();
            old.ended.cancelled().await;
        }
        let link = Arc::new(Link {
            queue: Arc::default(),
            sessions: Mutex::default(),
            replaced: CancellationToken::new(),
            ended: CancellationToken::new(),
        });
        let mut open = lock(&self.open);
        if self.restart.is_cancelled() {
            return Err("a hello to a host that restarts");
        }
        let is_taken = |session: &Attached| {
            open.values().any(|link| lock(&link.sessions).contains_key(&session.session))
        };
        if open.contains_key(&hello.gateway) || hello.sessions.iter().any(is_taken) {
            return Err("a session of another gateway");
        }
        open.insert(hello.gateway, Arc::clone(&link));
        Ok(link)
    }

    /// Ends all sessions of a link.
    async fn end(&self, link: &Arc<Link>) {
        let sessions = mem::take(&mut *lock(&link.sessions));
        for (session, outbox) in sessions {
            outbox.abandon();
            // A restarting game loop takes no more events. Else this fails only if the loop has ended.
            if self.restart.is_cancelled() {
                continue;
            }
            let _ = self.requests.send(ClientEvent::Ended { session, receipt: None }).await;
        }
        lock(&self.open).retain(|_, open| !Arc::ptr_eq(open, link));
        link.ended.cancel();
    }

    async fn exchange(
        &self,
        link: &Arc<Link>,
        hello: Hello,
        mut frames: Frames<ReadHalf<BoxStream>>,
        mut writer: WriteHalf<BoxStream>,
    ) -> Result<(), LinkError> {
        let Hello { gateway, program, sessions, reads_beats } = hello;
        tracing::info!(gateway, %program, sessions = sessions.len(), "linked to a gateway");
        for attached in sessions {
            self.attach(link, attached).await?;
        }
        let (answers, answered) = mpsc::channel(PAGES_MAX);
        let replaced = link.replaced.cancelled();
        tokio::select! {
            read = self.read(link, &mut frames, answers) => return read,
            written = self.write(link, &mut writer, answered, reads_beats) => written?,
            () = replaced => return Ok(()),
        }
        // The host restarts. The gateway closes the link when it has read the last frame.
        let rest = async { while let Some(Ok(_)) = frames.next().await {} };
        let _ = timeout(LAST_FRAMES, rest).await;
        Ok(())
    }

    /// Attaches an open session of a gateway to the game.
    async fn attach(&self, link: &Link, attached: Attached) -> Result<(), LinkError> {
        let Attached { session, address, player, wants } = attached;
        let outbox = self.open_outbox(link, session);
        let Some(LinkPlayer { account, name }) = player else {
            return self.send(ClientEvent::Connected { session, address, outbox }).await;
        };
        self.send(ClientEvent::Resumed { session, address, outbox, account, name }).await?;
        let request = Request::Game(Input::Wants { session, packages: wants });
        self.send(ClientEvent::Asked { session, request, place: None }).await
    }

    fn open_outbox(&self, link: &Link, session: SessionId) -> Arc<ClientOutbox> {
        let outbox = Arc::new(ClientOutbox::of_link(session, Arc::clone(&link.queue), self.output_bytes));
        lock(&link.sessions).insert(session, Arc::clone(&outbox));
        outbox
    }

    /// Sends an event to the game loop; waits while it is busy.
    async fn send(&self, event: ClientEvent) -> Result<(), LinkError> {
        self.requests.send(event).await.map_err(|_| closed())
    }

    /// Passes the events of a gateway on to the game loop.
    async fn read(
        &self,
        link: &Arc<Link>,
        frames: &mut Frames<ReadHalf<BoxStream>>,
        answers: mpsc::Sender<(u64, Option<Value>)>,
    ) -> Result<(), LinkError> {
        loop {
            match next_frame(frames).await? {
                ToHost::Hello(_) => return Err(LinkError::Unexpected("a second hello")),
                ToHost::Event { number, event } => {
                    let receipt = Receipt::new(number, Arc::clone(&link.queue));
                    self.take(link, receipt, event).await?;
                }
                ToHost::Asked { number, asked } => {
                    let (questions, answers) = (self.questions.clone(), answers.clone());
                    // The gateway limits the number of its pages that wait.
                    tokio::spawn(async move {
                        let answer = ask_game(&questions, asked).await;
                        // Fails only if the link is lost.
                        let _ = answers.send((number, answer)).await;
                    });
                }
            }
        }
    }

    async fn take(&self, link: &Link, receipt: Receipt, event: LinkEvent) -> Result<(), LinkError> {
        match event {
            LinkEvent::Connected { session, address } => {
                if lock(&link.sessions).contains_key(&session) {
                    return Err(LinkError::Unexpected("a session twice"));
                }
                let outbox = self.open_outbox(link, session);
                self.send(ClientEvent::Connected { session, address, outbox }).await
            }
            LinkEvent::Asked { session, request } => {
                let place = Some(RequestPermit::Receipt(receipt));
                self.send(ClientEvent::Asked { session, request, place }).await
            }
            LinkEvent::Ended { session } => {
                if let Some(outbox) = lock(&link.sessions).remove(&session) {
                    outbox.abandon();
                }
                self.send(ClientEvent::Ended { session, receipt: Some(receipt) }).await
            }
        }
    }

    /// Sends output, answers and the numbers of handled events, until the host restarts. Returns when the last frame
    /// has been written.
    async fn write(
        &self,
        link: &Link,
        writer: &mut WriteHalf<BoxStream>,
        mut answered: mpsc::Receiver<(u64, Option<Value>)>,
        sends_beats: bool,
    ) -> Result<(), LinkError> {
        let mut out = Outgoing::default();
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        out.push(&ToGateway::Welcome { program: env!("CARGO_PKG_VERSION").to_owned(), sends_beats })?;
        let mut output = LinkOutput::default();
        loop {
            output.fill(link, &mut out)?;
            tokio::select! {
                biased;
                () = self.restart.cancelled() => break,
                written = out.write(writer), if !out.is_empty() => written?,
                () = link.queue.filled(), if !out.is_full() => {}
                Some((number, answer)) = answered.recv(), if !out.is_full() => {
                    // An answer that is too long for a frame is as good as none.
                    out.push(&ToGateway::Answered { number, answer })
                        .or_else(|_| out.push(&ToGateway::Answered { number, answer: None }))?;
                }
                _ = beat.tick(), if sends_beats && out.is_empty() => out.push(&ToGateway::Alive)?,
            }
        }
        while output.fill(link, &mut out)? {
            out.write_all(writer).await?;
        }
        out.push(&ToGateway::Restarting)?;
        out.write_all(writer).await
    }
}

/// Output that has been taken from the queue of a link.
#[derive(Default)]
struct LinkOutput {
    sessions: BTreeSet<SessionId>,
    /// Events whose answers are in the outboxes of `sessions`, or sent already.
    handled: Vec<u64>,
}

impl LinkOutput {
    /// Adds frames as long as there is space. Returns `false` if there was nothing to send.
    fn fill(&mut self, link: &Link, out: &mut Outgoing) -> Result<bool, LinkError> {
        let is_empty = |output: &Self| output.sessions.is_empty() && output.handled.is_empty();
        if is_empty(self) {
            // In this order, because answers are put into an outbox before their event counts as handled.
            self.handled = link.queue.take_handled();
            self.sessions = link.queue.take_sessions();
        }
        let has_any = !is_empty(self);
        while !out.is_full() {
            let Some(session) = self.sessions.pop_first() else {
                if !self.handled.is_empty() {
                    out.push(&ToGateway::Handled(mem::take(&mut self.handled)))?;
                }
                break;
            };
            let outbox = lock(&link.sessions).get(&session).cloned();
            if let Some(outbox) = outbox {
                send_output(session, &outbox, out)?;
            }
        }
        Ok(has_any)
    }
}

/// Adds frames with the output of a session.
fn send_output(session: SessionId, outbox: &ClientOutbox, out: &mut Outgoing) -> Result<(), LinkError> {
    let mut taken = Vec::new();
    if outbox.take(&mut taken).is_err() {
        return out.push(&ToGateway::TooSlow { session });
    }
    let mut deliveries = Vec::new();
    let mut bytes = 0;
    for delivery in taken {
        if bytes > 0 && bytes + delivery.bytes() > FRAME_BYTES {
            out.push(&ToGateway::Deliver { session, deliveries: mem::take(&mut deliveries) })?;
            bytes = 0;
        }
        bytes += Delivery::bytes(&delivery);
        deliveries.push(delivery);
    }
    if deliveries.is_empty() { Ok(()) } else { out.push(&ToGateway::Deliver { session, deliveries }) }
}

async fn next_frame(frames: &mut Frames<ReadHalf<BoxStream>>) -> Result<ToHost, LinkError> {
    decode(&frames.next().await.ok_or_else(closed)??)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
