//! Processing of batches: the game plays the inputs, its changes go to the writer, and its output is released once
//! those changes are on the disk. Recovery from panics and failed commits is in `recovery`.

mod commits;
mod content;
mod failures;
mod recovery;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::Instant;

use crate::base::{AccountId, GameTime, SessionId};
use crate::catalog::Catalog;
use crate::game::{CloseReason, Declined, Effect, Effects, Envelope, Game, GameConfig, Input};
use crate::net::{Clock, Outbox};
use crate::server::auth::Authenticator;
use crate::server::held::Held;
use crate::server::lifecycle::Stopper;
use crate::server::metrics::Metrics;
use crate::server::question::Status;
use crate::server::recorder::Recorder;
use crate::server::reload::{Loaded, Reloaded, Reloader};
use crate::server::router::Router;
use crate::server::writer::{Outcome, Writer};
use crate::server::zone_files::{Work, ZoneFiles};
use crate::world::Changes;

use commits::{Commits, StorageEvent};
use failures::Failures;

/// Components of a pipeline.
pub struct Parts {
    /// Definitions from the content.
    pub catalog: Arc<Catalog>,
    /// Settings of the game rules.
    pub config: GameConfig,
    /// The loaded game.
    pub game: Game,
    /// Game time.
    pub clock: Clock,
    /// Handle to the database writer.
    pub writer: Writer,
    /// Results of commits.
    pub outcomes: mpsc::UnboundedReceiver<Outcome>,
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
    /// Reads and writes zone files.
    pub zone_files: ZoneFiles,
    /// Maximum duration of a commit before the disk counts as slow.
    pub slow_commit: Duration,
}

/// The game and the components that its batches pass through.
pub(super) struct Pipeline {
    /// Content of the next rebuild of the world.
    catalog: Arc<Catalog>,
    config: GameConfig,
    game: Game,
    clock: Clock,
    commits: Commits,
    metrics: Arc<Metrics>,
    stopper: Stopper,
    auth: Arc<Authenticator>,
    recorder: Recorder,
    reloader: Reloader,
    zone_files: ZoneFiles,
    router: Router,
    held: Held,
    failures: Failures,
    /// Request permits of clients that wait for the disk, retained as back-pressure on those clients.
    places: Vec<OwnedSemaphorePermit>,
    /// Command after which the game panics.
    #[cfg(test)]
    panics_at: Option<&'static str>,
}

/// Event that the pipeline waits for.
pub(super) enum Event {
    /// Event of the storage.
    Storage(StorageEvent),
    /// Content has been read.
    Loaded(Box<Loaded>),
    /// A zone file has been read or written; contains the result for the game.
    ZoneFile(Box<Input>),
}

/// The game panicked; its in-memory state must be discarded. Names the session that triggered it, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Broken {
    by: Option<SessionId>,
    /// The account of the web builder's request that triggered the panic, if any.
    builder: Option<AccountId>,
}

impl Pipeline {
    /// Creates a pipeline without clients.
    pub(super) fn new(parts: Parts) -> Self {
        let commits = Commits::new(parts.writer, parts.outcomes, parts.slow_commit, parts.clock.now());
        Self {
            catalog: parts.catalog,
            config: parts.config,
            game: parts.game,
            clock: parts.clock,
            commits,
            metrics: parts.metrics,
            stopper: parts.stopper,
            auth: parts.auth,
            recorder: parts.recorder,
            reloader: parts.reloader,
            zone_files: parts.zone_files,
            router: Router::default(),
            held: Held::default(),
            failures: Failures::default(),
            places: Vec::new(),
            #[cfg(test)]
            panics_at: None,
        }
    }

    /// Returns the game, for queries.
    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the connected clients.
    pub(super) const fn router(&self) -> &Router {
        &self.router
    }

    /// Adds a client.
    pub(super) fn connect(&mut self, session: SessionId, address: IpAddr, outbox: Arc<Outbox>) {
        self.router.connect(session, address, outbox);
    }

    /// Removes a client. Returns `true` if the game must be notified.
    pub(super) fn disconnect(&mut self, session: SessionId) -> bool {
        self.recorder.note_leaving(self.router.seat(session));
        self.router.end(session)
    }

    /// Returns the input, unless its client has left.
    pub(super) fn admit(&mut self, envelope: Envelope) -> Option<Envelope> {
        self.router.admit(&envelope.input).then_some(envelope)
    }

    /// Retains the permit of a request if its client waits for the disk.
    pub(super) fn retain_place(&mut self, session: SessionId, place: Option<OwnedSemaphorePermit>) {
        if self.commits.are_slow() && self.held.waiting().contains(&session) {
            self.places.extend(place);
        }
    }

    /// Plays an input that the game answers to an operator or a web page.
    pub(super) async fn play_for_operator(
        &mut self,
        answer: oneshot::Sender<Result<Vec<String>, Declined>>,
        input: impl FnOnce(SessionId) -> Envelope,
    ) -> anyhow::Result<()> {
        let asker = self.router.operators.begin(answer);
        self.play([input(asker)]).await
    }

    /// Starts a content reload for an operator.
    pub(super) fn reload(&mut self, operator: oneshot::Sender<Reloaded>) {
        self.reloader.ask_for_operator(operator);
    }

    /// Waits for the next event. Cancel-safe.
    pub(super) async fn next_event(&mut self) -> Event {
        let has_space = self.has_space();
        tokio::select! {
            biased;
            event = self.commits.next_event() => Event::Storage(event),
            loaded = self.reloader.loaded() => Event::Loaded(Box::new(loaded)),
            input = self.zone_files.done(), if has_space => Event::ZoneFile(Box::new(input)),
        }
    }

    /// Handles an event.
    pub(super) async fn handle(&mut self, event: Event) -> anyhow::Result<()> {
        match event {
            Event::Storage(StorageEvent::Outcome(outcome)) => self.settle(outcome).await,
            Event::Storage(StorageEvent::Slow) => self.notify_of_slow_disk().await,
            Event::Storage(StorageEvent::Probed(succeeded)) => self.end_retry(succeeded).await,
            Event::Loaded(loaded) => self.put_in_force(*loaded).await,
            Event::ZoneFile(input) => self.play([*input]).await,
        }
    }

    /// Plays a batch of inputs, passes its changes to the writer, and holds or sends its effects.
    async fn step(&mut self, inputs: Vec<Envelope>) -> anyhow::Result<Result<(), Broken>> {
        if inputs.is_empty() {
            return Ok(Ok(()));
        }
        let started = Instant::now();
        let now = self.clock.now();
        self.held.begin(&inputs);
        let mut out = Effects::new();
        for input in inputs {
            let (by, builder) = (input.input.session(), input.input.builder());
            self.recorder.note(now, &input);
            let stepped = guarded(|| {
                #[cfg(test)]
                let planted = matches!(&input.input, Input::Command { line, .. } if Some(line.as_str()) == self.panics_at);
                self.game.step(now, input, &mut out);
                #[cfg(test)]
                assert!(!planted, "a rule that panics on purpose");
            });
            if stepped.is_none() {
                return Ok(Err(Broken { by, builder }));
            }
        }
        // While storage cannot be written, changes accumulate in the game.
        let is_unwritable = self.commits.are_slow() || self.is_read_only();
        let cut = if is_unwritable { Some(Changes::default()) } else { guarded(|| self.game.cut()) };
        let Some(changes) = cut else { return Ok(Err(Broken { by: None, builder: None })) };
        self.metrics.step_seconds.observe(started.elapsed().as_secs_f64());
        if self.commits.are_slow() {
            let free = self.held.pass_by(out, self.config.limits.held_effects as usize);
            self.speak(free);
        } else if changes.is_empty() && !self.commits.are_due(now) {
            if let Some(effects) = self.held.pass(out) {
                self.speak(effects);
            }
        } else {
            self.recorder.note_commit(now);
            let ticket = self.commits.submit(changes, now).await?;
            self.held.hold(ticket, out);
        }
        Ok(Ok(()))
    }

    /// Returns `true` if another batch may be played.
    pub(super) fn has_space(&self) -> bool {
        self.commits.have_space()
    }

    /// Returns `true` while storage cannot be written.
    pub(super) const fn is_read_only(&self) -> bool {
        self.commits.retry_at().is_some()
    }

    /// Returns the time of the next call of [`wake`](Self::wake); `None` while no batch may be played or the disk does
    /// not respond. While storage cannot be written, only the next retry is due.
    pub(super) fn wakes_at(&self) -> Option<Instant> {
        let due = self.commits.retry_at().unwrap_or_else(|| self.deadline());
        (self.has_space() && !self.commits.are_slow()).then(|| self.clock.instant(due))
    }

    /// Returns the time of the next timer or due commit.
    fn deadline(&self) -> GameTime {
        let commit = self.commits.next_due();
        self.game.next_deadline().map_or(commit, |due| due.min(commit))
    }

    /// Runs the timers that have expired.
    pub(super) async fn wake(&mut self) -> anyhow::Result<()> {
        let now = self.clock.now();
        if self.commits.retry_at().is_some_and(|at| at <= now) {
            self.commits.retry(now);
        }
        if self.deadline() <= now {
            self.play([Input::Wake]).await?;
        }
        Ok(())
    }

    /// Writes the counters and closes the clients, which have been notified of the stop.
    pub(super) async fn close_clients(&mut self) -> anyhow::Result<()> {
        self.settle_all().await?;
        self.game.flush_counters();
        self.play([Input::Wake]).await?;
        self.router.close_all(CloseReason::Shutdown);
        Ok(())
    }

    /// Returns the status of game, clients and storage.
    pub(super) fn status(&self) -> Status {
        Status {
            problems: self.commits.problems(),
            world: self.game.stats(),
            connections: self.router.len() as u64,
            playing: self.router.playing() as u64,
            commits_waiting: self.commits.len() as u64,
            locked: self.game.locks(),
            wal_bytes: self.commits.writer.log_bytes(),
            ..Status::default()
        }
    }

    /// Sends all output that no longer waits for a commit.
    fn release(&mut self) {
        while let Some(effects) = self.held.release() {
            self.speak(effects);
        }
    }

    fn speak(&mut self, effects: Effects) {
        for effect in &effects {
            match effect {
                Effect::Counted(tally) => self.metrics.counters.count(*tally),
                Effect::Reload { asker } => self.reloader.ask(*asker),
                Effect::WriteZone { asker, zone, text, digest, known } => {
                    let (text, digest, known) = (text.clone(), digest.clone(), known.clone());
                    let work = Work::Write { text, digest, known };
                    self.zone_files.ask(*asker, vec![zone.clone()], work);
                }
                Effect::ReadZones { asker, zones, then } => {
                    self.zone_files.ask(*asker, zones.clone(), Work::Read(*then));
                }
                Effect::WriteMade { asker, files } => {
                    self.zone_files.queue_made_write(*asker, files.clone());
                }
                Effect::ReadMade { asker, then } => self.zone_files.queue_made_read(*asker, *then),
                Effect::Entered { session, account, .. } => {
                    if let Some((address, _)) = self.router.client(*session) {
                        self.auth.welcome(address, *account);
                    }
                }
                _ => {}
            }
        }
        if let Some(after) = self.router.route(effects) {
            self.stopper.stop_in(after);
        }
    }
}

/// Runs a part of the game; `None` if it panics.
fn guarded<T>(part: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(part)).ok()
}
