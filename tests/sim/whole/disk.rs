//! A disk in memory, which is slow now and then, hangs, fills up, or fails so that nobody knows whether a batch is on it. A
//! batch that is half written when the process dies is not on it.

use super::fuse::Fuse;
use deepwell::base::{Dice as _, GameTime, Rng, Span};
use deepwell::server::writer::Storage;
use deepwell::store::{StoreError, Trouble};
use deepwell::world::{Changes, Snapshot};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A handle of the disk, which outlives the server that writes to it.
#[derive(Clone)]
pub(super) struct Disk(Arc<Mutex<State>>, Fuse);

struct State {
    durable: Snapshot,
    /// With a batch that failed in its sync: what may be there after a loss of power instead.
    in_doubt: Option<Snapshot>,
    /// What is there after a loss of power on a disk that lies: the last batch was never synced.
    unsynced: Option<Snapshot>,
    lies: bool,
    /// While a batch is being written: what of it is there.
    half_written: Option<Changes>,
    tears: bool,
    /// Whether a batch to come is the last of this life, and ends it half written.
    breaks_off: bool,
    /// When this life began, by the clock of the machine and by that of the game.
    began: Option<(Instant, GameTime)>,
    /// The last moment of this life that was written.
    time: GameTime,
    /// Moments that were written and cannot be.
    wrong: Vec<String>,
    /// It takes nothing before this moment.
    full_until: Option<Instant>,
    dice: Rng,
    troubles: Troubles,
}

/// How often what went wrong.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Troubles {
    pub(super) hung: u32,
    pub(super) full: u32,
    pub(super) failed: u32,
    pub(super) in_doubt: u32,
    pub(super) torn: u32,
}

/// What becomes of a batch.
enum Fate {
    /// It is there after the first of these, and that is told after the second.
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
                troubles: Troubles::default(),
            })),
            Fuse::default(),
        )
    }

    /// What ends lives at an await of the disk, or of a link.
    pub(super) fn fuse(&self) -> Fuse {
        self.1.clone()
    }

    /// From now on it says that a batch is synced which is not.
    pub(super) fn lie(&self) {
        self.with(|state| state.lies = true);
    }

    /// From now on it has no journal: a batch that is half written when the process dies stays so.
    pub(super) fn tear(&self) {
        self.with(|state| state.tears = true);
    }

    /// The process dies in the midst of the next batch that writes what hangs together.
    pub(super) fn break_off(&self) {
        self.with(|state| state.breaks_off = true);
    }

    pub(super) fn breaks_off(&self) -> bool {
        self.with(|state| state.breaks_off)
    }

    /// A life begins, at this moment by the clock of the game.
    pub(super) fn begin(&self, at: GameTime) {
        self.with(|state| (state.began, state.time) = (Some((Instant::now(), at)), at));
    }

    /// The machine's clock for timers has gone on by so much in which no time has passed.
    pub(super) fn discount(&self, time: Duration) {
        self.with(|state| {
            state.began = state.began.map(|(began, at)| (began + time, at));
        });
    }

    /// What was wrong with the moments that were written.
    pub(super) fn wrong_moments(&self) -> Vec<String> {
        self.with(|state| state.wrong.clone())
    }

    fn with<T>(&self, what: impl FnOnce(&mut State) -> T) -> T {
        what(&mut self.0.lock().unwrap())
    }

    /// What is stored whatever happens.
    pub(super) fn durable(&self) -> Snapshot {
        self.with(|state| state.durable.clone())
    }

    /// Looks at what is stored.
    pub(super) fn with_stored<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> T {
        self.with(|state| look(&state.durable))
    }

    pub(super) fn troubles(&self) -> Troubles {
        self.with(|state| state.troubles)
    }

    /// The server is gone. A batch in doubt is there now, or it is not.
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
    /// Time goes on at the pace of the machine, whatever its clock for people shows.
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

    fn fate(&mut self, changes: &Changes) -> Fate {
        if self.is_full() {
            return Fate::Failed(not_now(Trouble::Full));
        }
        match self.dice.up_to(199) {
            0 => {
                self.troubles.full += 1;
                self.full_until = Some(Instant::now() + self.millis(1_000, 20_000));
                Fate::Failed(not_now(Trouble::Full))
            }
            1 => {
                self.troubles.failed += 1;
                Fate::Failed(not_now(Trouble::Disk))
            }
            2 => {
                self.troubles.in_doubt += 1;
                let mut found = self.durable.clone();
                found.apply(changes);
                self.in_doubt = Some(found);
                Fate::Failed(StoreError::InDoubt { reason: "its sync failed".into() })
            }
            3 => {
                self.troubles.hung += 1;
                Fate::Stored(self.millis(1_000, 8_000), self.millis(1_000, 8_000))
            }
            _ => Fate::Stored(self.millis(0, 5), self.millis(0, 10)),
        }
    }

    /// Half of the bodies of a batch are written, and nothing of what they carry. Tells whether that was all.
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

impl Storage for Disk {
    async fn load(&mut self) -> Result<Snapshot, StoreError> {
        Ok(self.durable())
    }

    async fn commit(&mut self, changes: &Changes) -> Result<(), StoreError> {
        self.1.burn().await;
        self.with(|state| state.note_time(changes.time));
        match self.with(|state| state.fate(changes)) {
            Fate::Stored(before, behind) => {
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
            Fate::Failed(error) => {
                sleep(Duration::from_millis(5)).await;
                self.1.burn().await;
                Err(error)
            }
        }
    }

    async fn probe(&mut self) -> Result<(), StoreError> {
        sleep(Duration::from_millis(2)).await;
        self.1.burn().await;
        self.with(|state| {
            if state.is_full() {
                return Err(not_now(Trouble::Full));
            }
            // It writes over what was in doubt.
            state.in_doubt = None;
            Ok(())
        })
    }

    async fn close(self) -> Result<(), StoreError> {
        Ok(())
    }
}
