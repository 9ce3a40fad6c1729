//! Processing of batches: the game plays the inputs, its changes go to the writer, and its output is released once
//! those changes are on the disk. Recovery from panics and failed commits is in `recovery`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::Instant;

use crate::base::{AccountId, GameTime, SessionId, Span, Tally};
use crate::catalog::Catalog;
use crate::game::{Effect, Effects, Envelope, Game, GameConfig};
use crate::net::Clock;
use crate::server::auth::Authenticator;
use crate::server::held::Held;
use crate::server::lifecycle::Stopper;
use crate::server::metrics::Metrics;
use crate::server::question::Problem;
use crate::server::recorder::Recorder;
use crate::server::reload::Reloader;
use crate::server::router::{Router, notice};
use crate::server::writer::{Fate, Outcome, Probe, Ticket, Writer};
use crate::server::zone_files::{Work, ZoneFiles};
use crate::session::Delivery;
use crate::world::Changes;

/// The game and the components that its batches pass through.
pub(super) struct Pipeline {
    pub(super) catalog: Arc<Catalog>,
    pub(super) config: GameConfig,
    pub(super) game: Game,
    pub(super) clock: Clock,
    pub(super) writer: Writer,
    pub(super) outcomes: mpsc::UnboundedReceiver<Outcome>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) stopper: Stopper,
    pub(super) auth: Arc<Authenticator>,
    pub(super) recorder: Recorder,
    pub(super) reloader: Reloader,
    pub(super) zone_files: ZoneFiles,
    pub(super) router: Router,
    pub(super) held: Held,
    pub(super) next_ticket: u64,
    /// Send times of the commits in flight, oldest first.
    pub(super) in_flight: VecDeque<Instant>,
    /// Maximum duration of a commit before the disk counts as slow.
    pub(super) slow_commit: Duration,
    /// Set while a commit takes longer than `slow_commit`.
    pub(super) slow: bool,
    /// Request permits of clients that wait for the disk, retained as back-pressure on those clients.
    pub(super) places: Vec<OwnedSemaphorePermit>,
    /// Time of the next retry; set while storage cannot be written.
    pub(super) retry_at: Option<GameTime>,
    /// Storage probe in progress.
    pub(super) probe: Option<Probe>,
    /// Game time of the last commit.
    pub(super) time_written: GameTime,
    /// Command after which the game panics.
    #[cfg(test)]
    pub(super) panics_at: Option<&'static str>,
}

/// Maximum interval between commits, and so the maximum loss of game time at a kill.
const TIME_KEPT: Span = Span::secs(5);

/// The game panicked; its in-memory state must be discarded. Names the session that triggered it, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Broken {
    pub(super) by: Option<SessionId>,
    /// The account of the web builder's request that triggered the panic, if any.
    pub(super) builder: Option<AccountId>,
}

impl Pipeline {
    /// Plays a batch of inputs, passes its changes to the writer, and holds or sends its effects.
    pub(super) async fn step(&mut self, inputs: Vec<Envelope>) -> anyhow::Result<Result<(), Broken>> {
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
                let planted = matches!(&input.input, crate::game::Input::Command { line, .. } if Some(line.as_str()) == self.panics_at);
                self.game.step(now, input, &mut out);
                #[cfg(test)]
                assert!(!planted, "a rule that panics on purpose");
            });
            if stepped.is_none() {
                return Ok(Err(Broken { by, builder }));
            }
        }
        // While storage cannot be written, changes accumulate in the game.
        let cut = if self.is_unwritable() { Some(Changes::default()) } else { guarded(|| self.game.cut()) };
        let Some(changes) = cut else { return Ok(Err(Broken { by: None, builder: None })) };
        self.metrics.step_seconds.observe(started.elapsed().as_secs_f64());
        let quiet = now.since(self.time_written) < TIME_KEPT;
        if self.slow {
            let free = self.held.pass_by(out, self.config.limits.held_effects as usize);
            self.speak(free);
        } else if changes.is_empty() && (quiet || self.retry_at.is_some()) {
            if let Some(effects) = self.held.pass(out) {
                self.speak(effects);
            }
        } else {
            let ticket = Ticket(self.next_ticket);
            self.next_ticket += 1;
            self.in_flight.push_back(Instant::now());
            self.held.hold(ticket, out);
            self.recorder.note_commit(now);
            self.time_written = now;
            self.writer.commit(ticket, changes).await?;
        }
        Ok(Ok(()))
    }

    /// Returns the time of the next timer or due commit.
    pub(super) fn deadline(&self) -> GameTime {
        let quiet = self.time_written + TIME_KEPT;
        self.game.next_deadline().map_or(quiet, |due| due.min(quiet))
    }

    /// Returns the time at which the oldest commit in flight counts as slow. `None` if it already does, or if no commit
    /// is in flight.
    pub(super) fn slow_at(&self) -> Option<Instant> {
        self.in_flight.front().filter(|_| !self.slow).map(|sent| *sent + self.slow_commit)
    }

    /// Logs that the disk does not respond, and notifies the clients that wait for it.
    pub(super) fn note_slow(&mut self) {
        self.slow = true;
        let secs = self.slow_commit.as_secs();
        tracing::warn!(secs, commits_waiting = self.in_flight.len(), "the disk is not responding");
        let words = notice(
            "The disk does not answer. What you did last waits for it, and so does what you are told from now on.",
        );
        for session in self.held.waiting() {
            self.router.deliver(*session, Delivery::Show(Arc::clone(&words)));
        }
    }

    /// Returns `true` once, when the disk responds again after it was slow.
    pub(super) fn note_fast(&mut self) -> bool {
        let fast = self.slow && self.in_flight.front().is_none_or(|sent| sent.elapsed() < self.slow_commit);
        if fast {
            self.slow = false;
            self.places.clear();
            tracing::info!("the disk is responding again");
        }
        fast
    }

    /// Returns `true` while changes must stay in the game.
    pub(super) fn is_unwritable(&self) -> bool {
        self.slow || self.retry_at.is_some()
    }

    /// Returns the reasons why the server is not healthy.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let read_only = self.retry_at.map(|_| Problem::ReadOnly);
        let slow = self.slow.then_some(Problem::SlowStorage);
        read_only.into_iter().chain(slow).collect()
    }

    /// Handles the result of a commit and releases the output that waited for it.
    pub(super) fn settle(&mut self, outcome: Outcome) -> Fate {
        self.in_flight.pop_front();
        match &outcome.fate {
            Fate::Committed => {
                self.metrics.commit_seconds.observe(outcome.took.as_secs_f64());
                self.held.committed(outcome.ticket);
                self.release();
            }
            Fate::Failed(_) => self.metrics.counters.count(Tally::CommitsFailed),
            Fate::Dropped => {}
        }
        outcome.fate
    }

    /// Sends all output that no longer waits for a commit.
    pub(super) fn release(&mut self) {
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
