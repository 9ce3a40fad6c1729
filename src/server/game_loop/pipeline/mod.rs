//! Processing of batches: the game plays the inputs, its changes go to the writer, and its output is released once
//! those changes are on the disk. Recovery from panics and failed commits is in `recovery`.

mod commits;
mod content;
mod failures;
pub(in crate::server) mod recovery;

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::net::{ClientOutbox, Clock, RequestPermit};
use crate::server::access::password_hashing::Authenticator;
use crate::server::bridges::Bridges;
use crate::server::content::reload::{Loaded, Reloaded, Reloader};
use crate::server::files::builder_files::BuilderFiles;
use crate::server::game_loop::held_output::Held;
use crate::server::game_loop::part_reads::PartReads;
use crate::server::game_loop::question::Status;
use crate::server::game_loop::recorder::Recorder;
use crate::server::game_loop::router::Router;
use crate::server::load::history::Sample;
use crate::server::metrics::Metrics;
use crate::server::start::lifecycle::Stopper;
use deepwell_core::base::{AccountId, GameTime, SessionId};
use deepwell_core::catalog::Catalog;
use deepwell_core::world::{Changes, WorldPart};
use deepwell_game::{CloseReason, Declined, Effect, Effects, Envelope, Game, GameConfig, Input};

pub use commits::Commits;
use commits::StorageEvent;
use failures::RecentFailures;

/// Components of a pipeline.
pub struct PipelineParts {
    /// Definitions from the content, for this game and any rebuild of it.
    pub catalog: Arc<Catalog>,
    /// Settings of the game rules.
    pub config: GameConfig,
    /// The loaded game.
    pub game: Game,
    /// Game time.
    pub clock: Clock,
    /// Commits to the database.
    pub commits: Commits,
    /// Password checks.
    pub auth: Arc<Authenticator>,
    /// Metrics.
    pub metrics: Arc<Metrics>,
    /// Stops the server on a command of staff in the game.
    pub stopper: Stopper,
    /// Recent inputs, written to a file if the game panics.
    pub recorder: Recorder,
    /// Reloads the content.
    pub reloader: Reloader,
    /// Reads and writes the files of builders.
    pub files: BuilderFiles,
    /// Reads parts of the world that are asleep.
    pub reads: PartReads,
    /// Shows public events outside of the game.
    pub bridges: Arc<Bridges>,
}

/// The game and the components that its batches pass through.
pub(in crate::server) struct Pipeline {
    parts: PipelineParts,
    router: Router,
    held: Held,
    failures: RecentFailures,
    /// Command after which the game panics.
    #[cfg(test)]
    panics_at: Option<&'static str>,
}

/// Event that the pipeline waits for.
pub(in crate::server) enum PipelineEvent {
    /// Event of the storage.
    Storage(StorageEvent),
    /// Content has been read.
    Loaded(Box<Loaded>),
    /// A file request has been answered; contains the answer for the game.
    Files(Box<Input>),
    /// A part of the world has been read; contains its rows for the game.
    Part(WorldPart, Box<Input>),
}

/// The game panicked; its in-memory state must be discarded. Names the session that triggered it, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GamePanic {
    by: Option<SessionId>,
    /// The account of the web builder's request that triggered the panic, if any.
    builder: Option<AccountId>,
}

impl Pipeline {
    /// Creates a pipeline without clients.
    pub(in crate::server) fn new(parts: PipelineParts) -> Self {
        Self {
            parts,
            router: Router::default(),
            held: Held::default(),
            failures: RecentFailures::default(),
            #[cfg(test)]
            panics_at: None,
        }
    }

    /// Returns the game, for queries.
    pub(in crate::server) const fn game(&self) -> &Game {
        &self.parts.game
    }

    /// Returns the connected clients.
    pub(in crate::server) const fn router(&self) -> &Router {
        &self.router
    }

    /// Adds a client.
    pub(in crate::server) fn connect(
        &mut self,
        session: SessionId,
        address: IpAddr,
        outbox: Arc<ClientOutbox>,
    ) {
        self.router.connect(session, address, outbox);
    }

    /// Adds a client that plays already, and returns the input that attaches it to the game.
    pub(in crate::server) fn resume(
        &mut self,
        session: SessionId,
        address: IpAddr,
        outbox: Arc<ClientOutbox>,
        player: (AccountId, String),
    ) -> Envelope {
        self.router.connect(session, address, outbox);
        self.router.resume(session, player).sent_from(address)
    }

    /// Removes a client. Returns `true` if the game must be notified.
    pub(in crate::server) fn disconnect(&mut self, session: SessionId) -> bool {
        self.parts.recorder.note_leaving(self.router.seat(session));
        self.router.end(session)
    }

    /// Returns the input, unless its client has left.
    pub(in crate::server) fn admit(&mut self, envelope: Envelope) -> Option<Envelope> {
        self.router.admit(&envelope.input).then_some(envelope)
    }

    /// Retains the receipt of a request until its answer has been sent.
    pub(in crate::server) fn retain_receipt(&mut self, session: SessionId, place: Option<RequestPermit>) {
        if let Some(RequestPermit::Receipt(receipt)) = place {
            self.held.keep(session, receipt);
        }
    }

    /// Plays an input that the game answers to an operator or a web page.
    pub(in crate::server) async fn play_for_operator(
        &mut self,
        answer: oneshot::Sender<Result<Vec<String>, Declined>>,
        input: impl FnOnce(SessionId) -> Envelope,
    ) -> anyhow::Result<()> {
        let asker = self.router.operators.begin(answer);
        self.play([input(asker)]).await
    }

    /// Starts a content reload for an operator.
    pub(in crate::server) fn reload(&mut self, operator: oneshot::Sender<Reloaded>) {
        self.parts.reloader.ask_for_operator(operator);
    }

    /// Waits for the next event. Cancel-safe.
    pub(in crate::server) async fn next_event(&mut self) -> PipelineEvent {
        let has_space = self.has_space();
        tokio::select! {
            biased;
            event = self.parts.commits.next_event() => PipelineEvent::Storage(event),
            loaded = self.parts.reloader.loaded() => PipelineEvent::Loaded(Box::new(loaded)),
            answer = self.parts.files.done(), if has_space => PipelineEvent::Files(Box::new(answer)),
            (part, rows) = self.parts.reads.done(), if has_space => PipelineEvent::Part(part, Box::new(rows)),
        }
    }

    /// Handles an event.
    pub(in crate::server) async fn handle(&mut self, event: PipelineEvent) -> anyhow::Result<()> {
        match event {
            PipelineEvent::Storage(StorageEvent::Outcome(outcome)) => self.settle(outcome).await,
            PipelineEvent::Storage(StorageEvent::Slow) => self.notify_of_slow_disk().await,
            PipelineEvent::Storage(StorageEvent::Probed(probed)) => self.end_retry(probed).await,
            PipelineEvent::Loaded(loaded) => self.apply_content(*loaded).await,
            PipelineEvent::Files(answer) => self.play([*answer]).await,
            PipelineEvent::Part(_, rows) => self.play([*rows]).await,
        }
    }

    /// Plays a batch of inputs, passes its changes to the writer, and holds or sends its effects.
    async fn step(&mut self, inputs: Vec<Envelope>) -> anyhow::Result<Result<(), GamePanic>> {
        if inputs.is_empty() {
            self.held.drop_receipts();
            return Ok(Ok(()));
        }
        let started = Instant::now();
        let now = self.parts.clock.now();
        self.held.begin(&inputs);
        let mut out = Effects::new();
        for input in inputs {
            let (by, builder) = (input.input.session(), input.input.builder());
            self.parts.recorder.note(now, &input);
            let begun = Instant::now();
            let stepped = guarded(|| {
                #[cfg(test)]
                let planted = matches!(&input.input, Input::Command { line, .. } if Some(line.as_str()) == self.panics_at);
                let cost = self.parts.game.step(now, input, &mut out);
                #[cfg(test)]
                assert!(!planted, "a rule that panics on purpose");
                cost
            });
            let Some(cost) = stepped else { return Ok(Err(GamePanic { by, builder })) };
            self.held.note_played(out.len(), cost.is_read);
            let ended = Instant::now();
            self.parts.metrics.note_step(ended, ended - begun, cost);
        }
        // While storage cannot be written, changes accumulate in the game.
        let is_unwritable = self.parts.commits.are_slow() || self.is_read_only();
        let cut = if is_unwritable { Some(None) } else { guarded(|| self.parts.game.cut_if_changed()) };
        let Some(changes) = cut else { return Ok(Err(GamePanic { by: None, builder: None })) };
        self.parts.metrics.step_seconds.observe(started.elapsed().as_secs_f64());
        if self.parts.commits.are_slow() {
            let free = self.held.pass_by(out, self.parts.config.limits.held_effects as usize);
            self.speak(free);
        } else if changes.is_none() && !self.parts.commits.are_due(now, !self.router.is_empty()) {
            if let Some(effects) = self.held.pass(out) {
                self.speak(effects);
            }
        } else {
            self.parts.recorder.note_commit(now);
            let changes = changes.map_or_else(|| Changes::at(self.parts.game.time()), |changes| *changes);
            let ticket = self.parts.commits.submit(changes, now).await?;
            self.held.hold(ticket, out);
        }
        self.held.drop_receipts();
        Ok(Ok(()))
    }

    /// Returns `true` if another batch may be played.
    pub(in crate::server) fn has_space(&self) -> bool {
        self.parts.commits.have_space()
    }

    /// Returns `true` while storage cannot be written.
    pub(in crate::server) const fn is_read_only(&self) -> bool {
        self.parts.commits.retry_at().is_some()
    }

    /// Returns the time of the next call of [`wake`](Self::wake); `None` while no batch may be played or the disk does
    /// not respond. While storage cannot be written, only the next retry is due.
    pub(in crate::server) fn wakes_at(&self) -> Option<Instant> {
        let due = self.parts.commits.retry_at().unwrap_or_else(|| self.deadline());
        (self.has_space() && !self.parts.commits.are_slow()).then(|| self.parts.clock.instant(due))
    }

    /// Returns the time of the next timer or due commit.
    fn deadline(&self) -> GameTime {
        let commit = self.parts.commits.next_due(!self.router.is_empty());
        self.parts.game.next_deadline().map_or(commit, |due| due.min(commit))
    }

    /// Wakes the connections of the clients with gathered output.
    pub(in crate::server) fn wake_gathered(&mut self) {
        self.router.wake_gathered(Instant::now());
    }

    /// Runs the timers that have expired.
    pub(in crate::server) async fn wake(&mut self) -> anyhow::Result<()> {
        let now = self.parts.clock.now();
        if self.parts.commits.retry_at().is_some_and(|at| at <= now) {
            self.parts.commits.retry(now);
        }
        if self.deadline() <= now {
            self.play([Input::Wake]).await?;
        }
        Ok(())
    }

    /// Writes the counters and the game time, and closes the clients, which have been notified of the stop.
    pub(in crate::server) async fn close_clients(&mut self) -> anyhow::Result<()> {
        self.settle_all().await?;
        self.parts.game.flush_counters();
        self.parts.commits.make_due();
        self.play([Input::Wake]).await?;
        self.router.close_all(CloseReason::Shutdown);
        Ok(())
    }

    /// Writes all changes and the counters, and sends all output that waits for them or is gathered.
    pub(in crate::server) async fn finish_for_restart(&mut self) -> anyhow::Result<()> {
        self.settle_all().await?;
        self.parts.game.flush_counters();
        self.parts.commits.make_due();
        self.play([Input::Wake]).await?;
        self.settle_all().await?;
        self.router.wake_all();
        Ok(())
    }

    /// Returns the status of game, clients and storage.
    pub(in crate::server) fn status(&self) -> Status {
        let Sample { playing, connections, commits_waiting, wal_bytes, .. } = self.sample();
        Status {
            problems: self.parts.commits.problems(),
            world: self.parts.game.stats(),
            week_record: self.parts.game.week_record(),
            connections,
            playing,
            logins_waiting: self.parts.auth.waiting() as u64,
            commits_waiting,
            clients_held: self.held.waiting().len() as u64,
            locked: self.parts.game.locks().into_iter().map(Into::into).collect(),
            wal_bytes,
            ..Status::default()
        }
    }

    /// Returns a sample of the load, without the requests that wait.
    pub(in crate::server) fn sample(&self) -> Sample {
        Sample {
            playing: self.router.playing() as u64,
            connections: self.router.len() as u64,
            requests_waiting: 0,
            commits_waiting: self.parts.commits.len() as u64,
            wal_bytes: self.parts.commits.writer.log_bytes(),
        }
    }

    /// Sends all output that no longer waits for a commit.
    fn release(&mut self) {
        while let Some((effects, receipts)) = self.held.release() {
            self.speak(effects);
            drop(receipts);
        }
    }

    fn speak(&mut self, effects: Effects) {
        for effect in &effects {
            match effect {
                Effect::Counted(tally) => self.parts.metrics.counters.count(*tally),
                Effect::LimitReached(limit) => self.parts.metrics.counters.count_limit(*limit),
                Effect::Reload { asker } => self.parts.reloader.ask(*asker),
                Effect::Files(request) => self.parts.files.ask(Arc::clone(request)),
                Effect::Public(event) => {
                    self.parts.bridges.publish(event, self.parts.clock.now());
                }
                Effect::ReadPart { part } => self.parts.reads.ask(*part),
                Effect::Entered { session, account, .. } => {
                    if let Some((address, _)) = self.router.client(*session) {
                        self.parts.auth.welcome(address, *account);
                    }
                }
                _ => {}
            }
        }
        if let Some(after) = self.router.route(effects, Instant::now()) {
            self.parts.stopper.stop_in(after);
        }
    }
}

/// Runs a part of the game; `None` if it panics.
fn guarded<T>(part: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(part)).ok()
}
