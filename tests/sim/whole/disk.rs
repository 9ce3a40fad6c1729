//! In-memory disk that is sometimes slow, hangs, fills up, or fails with an unknown outcome. A batch that is half
//! written when the process dies is discarded.

use super::fuse::Fuse;
use deepwell::base::{Dice as _, GameTime, Rng, Span};
use deepwell::server::game_loop::part_reads::PartSource;
use deepwell::server::game_loop::writer::{Probed, WriterStorage};
use deepwell::store::{StoreError, Trouble};
use deepwell::world::{Changes, PartRows, Snapshot, WorldPart};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Handle to the disk, which outlives the server.
#[derive(Clone)]
pub(super) struct Disk(Arc<Mutex<State>>, Fuse);

struct State {
    durable: Snapshot,
    /// After a batch whose sync failed: the state that a power failure may leave instead.
    in_doubt: Option<Snapshot>,
    /// On a disk that skips syncs: the state after a power failure, without the last batch.
    unsynced: Option<Snapshot>,
    lies: bool,
    /// Part of the current batch already written.
    half_written: Option<Changes>,
    tears: bool,
    /// Set if the process is to die halfway through a coming batch.
    breaks_off: bool,
    /// Start of this life by the machine's clock and in game time.
    began: Option<(Instant, GameTime)>,
    /// Last game time written in this life.
    time: GameTime,
    /// Errors in the game times written.
    wrong: Vec<String>,
    /// All writes fail until this moment.
    full_until: Option<Instant>,
    dice: Rng,
    troubles: FailureCounts,
}

/// Counts of injected failures.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct FailureCounts {
    pub(super) hung: u32,
    pub(super) full: u32,
    pub(super) failed: u32,
    pub(super) in_doubt: u32,
    pub(super) torn: u32,
}

/// Outcome of a batch.
enum WriteOutcome {
    /// Stored after the first delay, acknowledged after the second.
    Stored(Duration, Duration),
    Failed(StoreError),
}

impl Disk {
    pub(super) fn new(dice: Rng) -> Self {
        Self(
            Arc::new(Mutex::new(State {
                durable: Snapshot::default(),
                in_doubt: None,
                unsynced: None,
                lies: false,
                half_written: None,
                tears: false,
                breaks_off: false,
                began: None,
                time: GameTime::default(),
                wrong: Vec::new(),
                full_until: None,
                dice,
                troubles: FailureCounts::default(),
            })),
            Fuse::default(),
        )
    }

    /// Returns the fuse that ends a life at an await of the disk or of a link.
    pub(super) fn fuse(&self) -> Fuse {
        self.1.clone()
    }

    /// Returns a handle for one of several processes, with the fuse that ends it at its next await of the disk.
    pub(super) fn for_process(&self) -> (Self, Fuse) {
        let fuse = Fuse::default();
        (Self(Arc::clone(&self.0), fuse.clone()), fuse)
    }

    /// From now on, reports batches as synced that are not.
    pub(super) fn lie(&self) {
        self.with(|state| state.lies = true);
    }

    /// From now on, has no journal: a half-written batch remains after the process dies.
    pub(super) fn tear(&self) {
        self.with(|state| state.tears = true);
    }

    /// Makes the process die halfway through the next batch that has related rows.
    pub(super) fn break_off(&self) {
        self.with(|state| state.breaks_off = true);
    }

    pub(super) fn breaks_off(&self) -> bool {
        self.with(|state| state.breaks_off)
    }

    /// Starts a life at this game time.
    pub(super) fn begin(&self, at: GameTime) {
        self.with(|state| (state.began, state.time) = (Some((Instant::now(), at)), at));
    }

    /// Excludes a jump of the machine's monotonic clock from the elapsed time.
    pub(super) fn discount(&self, time: Duration) {
        self.with(|state| {
            state.began = state.began.map(|(began, at)| (began + time, at));
        });
    }

    /// Returns the errors in the game times written.
    pub(super) fn time_errors(&self) -> Vec<String> {
        self.with(|state| state.wrong.clone())
    }

    fn with<T>(&self, what: impl FnOnce(&mut State) -> T) -> T {
        what(&mut self.0.lock().unwrap())
    }

    /// Returns the durable state.
    pub(super) fn durable(&self) -> Snapshot {
        self.with(|state| state.durable.clone())
    }

    /// Calls a function with the durable state.
    pub(super) fn with_stored<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> T {
        self.with(|state| look(&state.durable))
    }

    pub(super) fn troubles(&self) -> FailureCounts {
        self.with(|state| state.troubles)
    }

    /// Simulates a power failure after the server is down: a batch in doubt is kept or lost at random.
    pub(super) fn lose_power(&self) {
        self.with(|state| {
            if let Some(half) = state.half_written.take() {
                state.troubles.torn += 1;
                if state.tears {
                    state.durable.apply(&half);
                }
            }
            state.breaks_off = false;
            let found = state.in_doubt.take().filter(|_| state.dice.percent(50)).or(state.unsynced.take());
            state.durable = found.unwrap_or_else(|| std::mem::take(&mut state.durable));
            state.full_until = None;
        });
    }
}

impl State {
    /// Checks that game time advances with the machine's monotonic clock, independently of its wall clock.
    fn note_time(&mut self, time: GameTime) {
        let Some((began, at)) = self.began else { return };
        let passed = Span::millis(i64::try_from(began.elapsed().as_millis()).unwrap());
        if time > at + passed + Span::millis(1) {
            self.wrong.push(format!("{} is written {} ms after {}", time.0, passed.0, at.0));
        }
        if time < self.time {
            self.wrong.push(format!("{} is written after {}", time.0, self.time.0));
        }
        self.time = self.time.max(time);
    }

    fn is_full(&self) -> bool {
        self.full_until.is_some_and(|until| Instant::now() < until)
    }

    fn fate(&mut self, changes: &Changes) -> WriteOutcome {
        if self.is_full() {
            return WriteOutcome::Failed(not_now(Trouble::Full));
        }
        match self.dice.up_to(199) {
            0 => {
                self.troubles.full += 1;
                self.full_until = Some(Instant::now() + self.millis(1_000, 20_000));
                WriteOutcome::Failed(not_now(Trouble::Full))
            }
            1 => {
                self.troubles.failed += 1;
                WriteOutcome::Failed(not_now(Trouble::Disk))
            }
            2 => {
                self.troubles.in_doubt += 1;
                let mut found = self.durable.clone();
                found.apply(changes);
                self.in_doubt = Some(found);
                WriteOutcome::Failed(StoreError::InDoubt { reason: "its sync failed".into() })
            }
            3 => {
                self.troubles.hung += 1;
                WriteOutcome::Stored(self.millis(1_000, 8_000), self.millis(1_000, 8_000))
            }
            _ => WriteOutcome::Stored(self.millis(0, 5), self.millis(0, 10)),
        }
    }

    /// Marks half of the batch's characters, without their items, as written. Returns `true` if the process is to die
    /// here.
    fn begin_to_write(&mut self, changes: &Changes) -> bool {
        let nothing = Changes::default();
        let mut half = Changes { items: nothing.items, parties: nothing.parties, ..changes.clone() };
        half.characters.put.truncate(changes.characters.put.len() / 2);
        self.half_written = Some(half);
        let hangs_together = changes.characters.put.len() > 1 || changes.meta.is_some();
        self.breaks_off && hangs_together
    }

    fn millis(&mut self, least: u32, most: u32) -> Duration {
        Duration::from_millis(self.dice.between(least, most).into())
    }
}

fn not_now(trouble: Trouble) -> StoreError {
    StoreError::NotNow { trouble, reason: "as it was drawn".into() }
}

impl PartSource for Disk {
    async fn read(&mut self, part: WorldPart) -> Result<PartRows, StoreError> {
        sleep(Duration::from_millis(2)).await;
        self.1.burn().await;
        Ok(self.durable().rows_of(part))
    }
}

impl WriterStorage for Disk {
    async fn load(&mut self) -> Result<Snapshot, StoreError> {
        Ok(self.durable().awake_part(true, true))
    }

    async fn commit(&mut self, changes: &Changes) -> Result<(), StoreError> {
        self.1.burn().await;
        self.with(|state| state.note_time(changes.time));
        match self.with(|state| state.fate(changes)) {
            WriteOutcome::Stored(before, behind) => {
                sleep(before).await;
                self.1.burn().await;
                if self.with(|state| state.begin_to_write(changes)) {
                    self.1.set(Some(1));
                }
                self.1.burn().await;
                self.with(|state| {
                    state.half_written = None;
                    state.unsynced = state.lies.then(|| state.durable.clone());
                    state.durable.apply(changes);
                    state.in_doubt = None;
                });
                sleep(behind).await;
                self.1.burn().await;
                Ok(())
            }
            WriteOutcome::Failed(error) => {
                sleep(Duration::from_millis(5)).await;
                self.1.burn().await;
                Err(error)
            }
        }
    }

    async fn probe(&mut self) -> Result<Probed, StoreError> {
        sleep(Duration::from_millis(2)).await;
        self.1.burn().await;
        self.with(|state| {
            if state.is_full() {
                return Err(not_now(Trouble::Full));
            }
            // A successful probe overwrites the batch in doubt.
            state.in_doubt = None;
            Ok(Probed::Same)
        })
    }

    async fn close(self) -> Result<(), StoreError> {
        Ok(())
    }
}
