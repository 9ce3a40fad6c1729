//! The game loop: one task that feeds inputs to the game, passes its changes to the writer, and releases output once
//! the changes it reports are on the disk. It never touches a socket and waits only for the writer.
//!
//! Clients are served fairly: each connection has at most one request waiting for the bounded channel, and slots are
//! granted in order of arrival.

mod questions;
mod requests;

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::bail;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::net::{Alarm, ClientEvent, Clock};
use crate::server::access::password_hashing::Authenticator;
use crate::server::game_loop::inspection::WaitingInspections;
use crate::server::game_loop::pipeline::{Pipeline, PipelineEvent, PipelineParts};
use crate::server::game_loop::question::GameQuestion;
use crate::server::game_loop::router::notice;
use crate::server::load::history::{LoadHistory, SAMPLED_EVERY};
use crate::server::metrics::Metrics;
use crate::session::{Delivery, MsspFigures};
use deepwell_core::base::GameTime;
use deepwell_core::world::WorldPart;
use deepwell_game::{CloseReason, Effect, Envelope};

/// Capacity of the request queue; when it is full, connections wait.
pub const REQUESTS_WAITING_MAX: usize = 1_024;
/// Maximum number of requests per batch of changes.
const BATCH_MAX: usize = 256;

/// Channels to a [`GameDriver`].
pub struct Channels {
    /// Requests from connections.
    pub requests: mpsc::Receiver<ClientEvent>,
    /// Sender of `requests`, through which logins return after their password check.
    pub logins: mpsc::Sender<ClientEvent>,
    /// Requests from operators.
    pub questions: mpsc::Receiver<GameQuestion>,
    /// Sender of `questions`, through which logins to the web builder return after their password check.
    pub web_logins: mpsc::Sender<GameQuestion>,
}

/// The game loop and its state.
pub struct GameDriver {
    pub(in crate::server) pipeline: Pipeline,
    channels: Channels,
    clock: Clock,
    auth: Arc<Authenticator>,
    metrics: Arc<Metrics>,
    started: GameTime,
    /// Cached figures for MSSP crawlers, and when they were counted.
    figures: Option<(GameTime, MsspFigures)>,
    /// Load of the last hour.
    history: LoadHistory,
    inspections: WaitingInspections<Option<Vec<String>>>,
    /// Questions that wait until parts of the world are awake.
    postponed: Vec<(BTreeSet<WorldPart>, GameQuestion)>,
}

impl GameDriver {
    /// Creates a game loop that is not running yet.
    pub fn new(parts: PipelineParts, channels: Channels) -> Self {
        Self {
            channels,
            clock: parts.clock,
            auth: Arc::clone(&parts.auth),
            metrics: Arc::clone(&parts.metrics),
            started: parts.clock.now(),
            pipeline: Pipeline::new(parts),
            figures: None,
            history: LoadHistory::default(),
            inspections: WaitingInspections::default(),
            postponed: Vec::new(),
        }
    }

    /// Plays the first inputs, such as timers that expired while the server was down, and waits until their changes are
    /// on the disk.
    pub async fn begin(&mut self, inputs: Vec<Envelope>) -> anyhow::Result<()> {
        self.pipeline.play(inputs).await?;
        self.pipeline.settle_all().await?;
        if self.pipeline.is_read_only() {
            bail!("storage cannot be written");
        }
        Ok(())
    }

    /// Runs until `stop`. All output is then sent and all changes are written, and [`end`](Self::end) can follow.
    pub async fn run(&mut self, stop: &CancellationToken) -> anyhow::Result<()> {
        let mut requests = Vec::with_capacity(BATCH_MAX);
        let (mut alarm, mut gathering) = (Alarm::default(), Alarm::default());
        let mut sampled = tokio::time::interval(SAMPLED_EVERY);
        sampled.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stopped = std::pin::pin!(stop.cancelled());
        // Set after timers have run, until requests have had their turn.
        let mut is_requests_turn = false;
        loop {
            // While the disk does not respond, nothing is written, so the loop keeps serving clients that do not wait
            // for a commit.
            let has_space = self.pipeline.has_space();
            // Timers that are due again when they have run must not keep requests waiting.
            if has_space && std::mem::take(&mut is_requests_turn) && self.play_waiting(&mut requests).await? {
                continue;
            }
            let deadline = self.pipeline.wakes_at();
            let gathered_until = self.pipeline.router().wakes_at();
            tokio::select! {
                biased;
                () = &mut stopped => return Ok(()),
                event = self.pipeline.next_event() => {
                    if matches!(event, PipelineEvent::Loaded(_)) {
                        self.figures = None;
                    }
                    let woken = if let PipelineEvent::Part(part, _) = &event { Some(*part) } else { None };
                    self.pipeline.handle(event).await?;
                    if let Some(part) = woken {
                        self.answer_postponed(part).await?;
                    }
                }
                Some(question) = self.channels.questions.recv() => self.ask(question).await?,
                _ = sampled.tick() => self.sample(),
                // Both alarms before the requests, which may never run out.
                () = gathering.ring(gathered_until), if gathered_until.is_some() => self.pipeline.wake_gathered(),
                () = alarm.ring(deadline), if deadline.is_some() => {
                    self.pipeline.wake().await?;
                    is_requests_turn = true;
                }
                _ = self.channels.requests.recv_many(&mut requests, BATCH_MAX), if has_space => {
                    self.play(&mut requests).await?;
                }
            }
        }
    }

    /// Disconnects the clients, which have been notified, and writes the resulting changes. Returns when the last
    /// client has left or `hurry` is cancelled.
    pub async fn end(&mut self, hurry: &CancellationToken) -> anyhow::Result<()> {
        self.pipeline.close_clients().await?;
        let mut requests = Vec::with_capacity(BATCH_MAX);
        while !self.pipeline.router().is_empty() {
            tokio::select! {
                biased;
                _ = self.channels.requests.recv_many(&mut requests, BATCH_MAX) => {}
                () = hurry.cancelled() => break,
            }
            requests.retain(is_handled_during_shutdown);
            self.play(&mut requests).await?;
            self.pipeline.settle_all().await?;
        }
        self.pipeline.settle_all().await
    }

    /// Writes all changes and sends all output, before another process takes over the clients.
    pub async fn hand_over(&mut self) -> anyhow::Result<()> {
        self.pipeline.finish_for_restart().await
    }

    /// Shows a server notice to all clients, logged in or not.
    pub fn announce(&self, message: &str) {
        self.pipeline.router().show(&notice(message), true);
    }

    /// Plays the requests that wait; `false` if there are none.
    async fn play_waiting(&mut self, requests: &mut Vec<ClientEvent>) -> anyhow::Result<bool> {
        while requests.len() < BATCH_MAX
            && let Ok(request) = self.channels.requests.try_recv()
        {
            requests.push(request);
        }
        let any = !requests.is_empty();
        if any {
            self.play(requests).await?;
        }
        Ok(any)
    }

    /// Plays one batch of requests at one moment.
    pub(in crate::server) async fn play(&mut self, requests: &mut Vec<ClientEvent>) -> anyhow::Result<()> {
        let inputs: Vec<Envelope> = requests.drain(..).filter_map(|event| self.take(event)).collect();
        self.pipeline.play(inputs).await
    }
}

/// Returns `true` if a request is still handled during shutdown. Commands would get no answer, so they must have no
/// effect; new connections are closed.
fn is_handled_during_shutdown(event: &ClientEvent) -> bool {
    if let ClientEvent::Connected { session, outbox, .. } | ClientEvent::Resumed { session, outbox, .. } =
        event
    {
        outbox.deliver(Delivery::Effect(Effect::Close { session: *session, why: CloseReason::Shutdown }));
    }
    matches!(event, ClientEvent::Ended { .. })
}
