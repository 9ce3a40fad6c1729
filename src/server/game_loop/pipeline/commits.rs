//! Commits in flight, and the state of the storage that they are written to: working, slow, or unwritable until a retry
//! succeeds.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::Context as _;
use futures_util::future::OptionFuture;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::server::game_loop::question::Problem;
use crate::server::game_loop::writer::{CommitOutcome, IN_FLIGHT_MAX, Probe, Probed, StoreWriter, Ticket};
use crate::store::StoreError;
use deepwell_core::base::{GameTime, Span};
use deepwell_core::world::Changes;

/// Maximum interval between commits while a client is connected, and so the maximum loss of game time at a kill that a
/// player may notice.
const TIME_KEPT: Span = Span::secs(5);
/// Maximum interval between commits while no client is connected, so that an idle server does not keep the disk awake.
const TIME_KEPT_IDLE: Span = Span::mins(60);
/// Retry interval while storage cannot be written.
const RETRY: Span = Span::secs(3);

/// Commits in flight, with the writer that they were passed to.
pub struct Commits {
    pub(super) writer: StoreWriter,
    outcomes: mpsc::UnboundedReceiver<CommitOutcome>,
    next_ticket: u64,
    /// Send times of the commits in flight, oldest first.
    in_flight: VecDeque<Instant>,
    /// Maximum duration of a commit before the disk counts as slow.
    slow_commit: Duration,
    /// Set while a commit takes longer than `slow_commit`.
    slow: bool,
    /// Time of the next retry; set while storage cannot be written.
    retry_at: Option<GameTime>,
    /// Storage probe in progress.
    probe: Option<Probe>,
    /// Game time of the last commit.
    last: GameTime,
}

/// Event of the storage.
pub(in crate::server) enum StorageEvent {
    /// A commit has ended.
    Outcome(CommitOutcome),
    /// The oldest commit in flight takes too long.
    Slow,
    /// The check that storage can be written has ended.
    Probed(Result<Probed, StoreError>),
}

impl Commits {
    /// Creates an instance without commits in flight. The disk counts as slow if a commit takes longer than
    /// `slow_commit`.
    pub fn new(
        writer: StoreWriter,
        outcomes: mpsc::UnboundedReceiver<CommitOutcome>,
        slow_commit: Duration,
        now: GameTime,
    ) -> Self {
        Self {
            writer,
            outcomes,
            next_ticket: 0,
            in_flight: VecDeque::new(),
            slow_commit,
            slow: false,
            retry_at: None,
            probe: None,
            last: now,
        }
    }

    /// Passes a batch to the writer.
    pub(super) async fn submit(&mut self, changes: Changes, now: GameTime) -> anyhow::Result<Ticket> {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.in_flight.push_back(Instant::now());
        self.last = now;
        self.writer.commit(ticket, changes).await?;
        Ok(ticket)
    }

    /// Waits for an event of the storage. Cancel-safe.
    pub(super) async fn next_event(&mut self) -> StorageEvent {
        let slow_at = self.in_flight.front().filter(|_| !self.slow).map(|sent| *sent + self.slow_commit);
        tokio::select! {
            biased;
            Some(outcome) = self.outcomes.recv(), if !self.in_flight.is_empty() => {
                self.in_flight.pop_front();
                StorageEvent::Outcome(outcome)
            }
            Some(()) = OptionFuture::from(slow_at.map(sleep_until)) => StorageEvent::Slow,
            Some(probed) = OptionFuture::from(self.probe.as_mut().map(Probe::result)) => {
                StorageEvent::Probed(probed)
            }
            else => std::future::pending().await,
        }
    }

    /// Waits for the next commit in flight to end; `None` if none is in flight.
    pub(super) async fn next_outcome(&mut self) -> anyhow::Result<Option<CommitOutcome>> {
        if self.in_flight.is_empty() {
            return Ok(None);
        }
        let outcome = self.outcomes.recv().await.context("the writer has ended")?;
        self.in_flight.pop_front();
        Ok(Some(outcome))
    }

    /// Forgets all commits in flight, of which none can succeed any more.
    pub(super) fn clear(&mut self) {
        while self.outcomes.try_recv().is_ok() {}
        self.in_flight.clear();
        self.slow = false;
    }

    /// Returns the number of commits in flight.
    pub(super) fn len(&self) -> usize {
        self.in_flight.len()
    }

    /// Returns `true` if another batch may be played: its commit need not be queued, or there is space for it.
    pub(super) fn have_space(&self) -> bool {
        self.slow || self.in_flight.len() < IN_FLIGHT_MAX
    }

    /// Returns `true` while the disk does not respond.
    pub(super) const fn are_slow(&self) -> bool {
        self.slow
    }

    /// Returns `true` if a batch without changes is to be committed, to store the game time.
    pub(super) fn are_due(&self, now: GameTime, has_clients: bool) -> bool {
        self.retry_at.is_none() && now >= self.next_due(has_clients)
    }

    /// Makes the next batch store the game time.
    pub(super) const fn make_due(&mut self) {
        self.last = GameTime(-TIME_KEPT_IDLE.0);
    }

    /// Returns the time at which the game time must be stored.
    pub(super) fn next_due(&self, has_clients: bool) -> GameTime {
        self.last + if has_clients { TIME_KEPT } else { TIME_KEPT_IDLE }
    }

    /// Returns the time of the next retry while storage cannot be written.
    pub(super) const fn retry_at(&self) -> Option<GameTime> {
        self.retry_at
    }

    /// Logs that the disk does not respond.
    pub(super) fn note_slow(&mut self) {
        self.slow = true;
        let secs = self.slow_commit.as_secs();
        tracing::warn!(secs, commits_waiting = self.in_flight.len(), "the disk is not responding");
    }

    /// Returns `true` once, when the disk responds again after it was slow.
    pub(super) fn note_fast(&mut self) -> bool {
        let fast = self.slow && self.in_flight.front().is_none_or(|sent| sent.elapsed() < self.slow_commit);
        if fast {
            self.slow = false;
            tracing::info!("the disk is responding again");
        }
        fast
    }

    /// Schedules the next check that storage can be written.
    pub(super) fn schedule_retry(&mut self, now: GameTime) {
        self.retry_at = Some(now + RETRY);
    }

    /// Starts the check, unless one is in progress.
    pub(super) fn retry(&mut self, now: GameTime) {
        self.schedule_retry(now);
        if self.probe.is_none() {
            self.probe = self.writer.begin_probe();
        }
    }

    /// Handles the result of the check.
    pub(super) fn end_retry(&mut self, succeeded: bool, now: GameTime) {
        self.probe = None;
        if succeeded {
            tracing::info!("storage can be written again");
            self.retry_at = None;
        } else {
            self.schedule_retry(now);
        }
    }

    /// Returns the reasons why storage is not healthy.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let read_only = self.retry_at.map(|_| Problem::ReadOnly);
        let slow = self.slow.then_some(Problem::SlowStorage);
        read_only.into_iter().chain(slow).collect()
    }
}
