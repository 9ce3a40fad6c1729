//! Engine and disks of a simulated cluster: requests are lost or late, disks are full, hosts are cut off or stand still.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::bytes::Bytes;

use crate::server::cluster::engine::{AppendError, Engine, EngineError, LogParts};
use crate::server::cluster::entry::LogMessagePart;
use crate::server::cluster::replica::LocalStore;
use crate::server::game_loop::writer::{Probed, WriterStorage};
use crate::store::{Batch, LogPosition, StoreError, Trouble};
use deepwell_core::base::{Dice as _, GameTime, Rng, Seed};
use deepwell_core::world::{Changes, Snapshot};

/// Number of hosts.
pub(super) const HOSTS: usize = 3;
/// Maximum time for an answer of the engine.
const ANSWER: Duration = Duration::from_millis(1_200);
/// Small, so that most entries have several parts.
const PART_BYTES: usize = 40;

/// A deed that a host has acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct AcknowledgedDeed(pub(super) i64);

/// Content of a disk, which survives its host.
#[derive(Debug)]
pub(super) struct Disk {
    pub(super) history: String,
    pub(super) position: u64,
    pub(super) writer: u64,
    pub(super) deeds: Vec<AcknowledgedDeed>,
    pub(super) is_full: bool,
}

impl Default for Disk {
    fn default() -> Self {
        Self { history: "one".to_owned(), position: 0, writer: 0, deeds: Vec::new(), is_full: false }
    }
}

/// The engine, the disks, and what has been acknowledged.
#[derive(Debug)]
pub(super) struct ClusterScene {
    pub(super) dice: Rng,
    pub(super) log: Vec<LogMessagePart>,
    pub(super) records: BTreeMap<String, (u64, Bytes)>,
    pub(super) revision: u64,
    pub(super) disks: Vec<Disk>,
    /// Number of entries that were removed from the begin of the log.
    pub(super) purged: u64,
    /// Time until which the engine does not get the requests of a host, by host.
    pub(super) cut: Vec<Instant>,
    /// Time until which a host stands still, by host.
    pub(super) stopped: Vec<Instant>,
    pub(super) acknowledged: BTreeSet<AcknowledgedDeed>,
    pub(super) last_acknowledged: Instant,
    pub(super) next_deed: i64,
    pub(super) is_calm: bool,
}

pub(super) type SharedScene = Arc<Mutex<ClusterScene>>;

pub(super) fn lock(stage: &SharedScene) -> MutexGuard<'_, ClusterScene> {
    stage.lock().unwrap()
}

impl ClusterScene {
    pub(super) fn new(seed: u64) -> Self {
        let now = Instant::now();
        Self {
            dice: Seed(seed).rng(),
            log: Vec::new(),
            records: BTreeMap::new(),
            revision: 0,
            disks: (0..HOSTS).map(|_| Disk::default()).collect(),
            purged: 0,
            cut: vec![now; HOSTS],
            stopped: vec![now; HOSTS],
            acknowledged: BTreeSet::new(),
            last_acknowledged: now,
            next_deed: 0,
            is_calm: false,
        }
    }

    /// Returns a random time of at most a number of milliseconds.
    pub(super) fn within(&mut self, millis: u32) -> Duration {
        Duration::from_millis(self.dice.up_to(millis).into())
    }

    fn append(&mut self, end: u64, part: Bytes) -> Result<u64, AppendError> {
        if self.log.len() as u64 != end {
            return Err(AppendError::Elsewhere);
        }
        self.log.push(LogMessagePart::marked(part));
        Ok(self.log.len() as u64)
    }
}

/// Way in which a request goes wrong.
enum AppendResult {
    Fine,
    Late,
    AnswerLost,
    Lost,
}

/// The engine as a host reaches it.
#[derive(Clone)]
pub(super) struct SimulatedEngine {
    pub(super) host: usize,
    pub(super) stage: SharedScene,
}

impl SimulatedEngine {
    /// Carries out a request, which may be lost, arrive late, or have its answer lost.
    async fn request<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut ClusterScene) -> T + Send + 'static,
    ) -> Result<T, EngineError> {
        let stopped = lock(&self.stage).stopped[self.host];
        sleep_until(stopped).await;
        let (delay, lateness, result) = {
            let mut scene = lock(&self.stage);
            let is_cut = scene.cut[self.host] > Instant::now();
            let result = match scene.dice.up_to(199) {
                _ if is_cut => AppendResult::Lost,
                _ if scene.is_calm => AppendResult::Fine,
                0 => AppendResult::Late,
                1 => AppendResult::AnswerLost,
                2 => AppendResult::Lost,
                _ => AppendResult::Fine,
            };
            (scene.within(20), scene.within(4_000), result)
        };
        let lost = || EngineError::Unreachable("lost".to_owned());
        match result {
            AppendResult::Fine => {
                sleep(delay).await;
                Ok(change(&mut lock(&self.stage)))
            }
            AppendResult::AnswerLost => {
                change(&mut lock(&self.stage));
                sleep(ANSWER).await;
                Err(lost())
            }
            AppendResult::Lost => {
                sleep(ANSWER).await;
                Err(lost())
            }
            AppendResult::Late => {
                let stage = Arc::clone(&self.stage);
                tokio::spawn(async move {
                    sleep(lateness).await;
                    change(&mut lock(&stage));
                });
                sleep(ANSWER).await;
                Err(lost())
            }
        }
    }
}

impl Engine for SimulatedEngine {
    async fn append(&self, end: u64, part: Bytes) -> Result<u64, AppendError> {
        self.request(move |scene| scene.append(end, part)).await?
    }

    async fn read(&self, after: u64) -> Result<LogParts, EngineError> {
        self.request(move |scene| {
            if after < scene.purged {
                return Err(EngineError::Purged(after));
            }
            let parts = (1..).zip(scene.log.iter().cloned()).filter(|(sequence, _)| *sequence > after);
            Ok(LogParts { parts: parts.take(50).collect(), end: scene.log.len() as u64 })
        })
        .await?
    }

    async fn purge_before(&self, sequence: u64) -> Result<(), EngineError> {
        self.request(move |scene| scene.purged = scene.purged.max(sequence - 1)).await
    }

    async fn grown(&self) {
        sleep(Duration::from_millis(40)).await;
    }

    async fn record(&self, key: &str) -> Result<Option<(u64, Bytes)>, EngineError> {
        let key = key.to_owned();
        self.request(move |scene| scene.records.get(&key).cloned()).await
    }

    async fn put_record(&self, key: &str, revision: u64, value: Bytes) -> Result<Option<u64>, EngineError> {
        let key = key.to_owned();
        self.request(move |scene| {
            if scene.records.get(&key).map_or(0, |(found, _)| *found) != revision {
                return None;
            }
            scene.revision += 1;
            scene.records.insert(key, (scene.revision, value));
            Some(scene.revision)
        })
        .await
    }

    fn part_bytes(&self) -> usize {
        PART_BYTES
    }
}

/// The disk as a host sees it.
pub(super) struct SimulatedStore {
    host: usize,
    stage: SharedScene,
    position: LogPosition,
}

impl SimulatedStore {
    pub(super) fn open(host: usize, stage: &SharedScene) -> Self {
        let scene = lock(stage);
        let Disk { ref history, position: sequence, writer, .. } = scene.disks[host];
        let position = LogPosition { history: history.clone(), sequence, writer };
        drop(scene);
        Self { host, stage: Arc::clone(stage), position }
    }
}

impl LocalStore for SimulatedStore {
    fn position(&self) -> Option<&LogPosition> {
        Some(&self.position)
    }

    async fn write(&mut self, batch: &Batch, (sequence, writer): (u64, u64)) -> Result<(), StoreError> {
        let delay = lock(&self.stage).within(3);
        sleep(delay).await;
        let mut scene = lock(&self.stage);
        let disk = &mut scene.disks[self.host];
        if disk.is_full {
            return Err(StoreError::NotNow { trouble: Trouble::Full, reason: "no room".to_owned() });
        }
        (disk.position, disk.writer) = (sequence, writer);
        disk.deeds.extend(deed_of(batch));
        (self.position.sequence, self.position.writer) = (sequence, writer);
        Ok(())
    }
}

impl WriterStorage for SimulatedStore {
    async fn load(&mut self) -> Result<Snapshot, StoreError> {
        Ok(Snapshot::default())
    }

    async fn commit(&mut self, _: &Changes) -> Result<(), StoreError> {
        Err(StoreError::Failed("a replica writes batches with their place in the log".to_owned()))
    }

    async fn probe(&mut self) -> Result<Probed, StoreError> {
        self.write(&Batch::default(), (self.position.sequence, self.position.writer)).await?;
        Ok(Probed::Same)
    }

    async fn close(self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A deed is told by the time of its batch.
pub(super) fn batch_of(deed: AcknowledgedDeed) -> Batch {
    Batch::of(&Changes { time: GameTime(deed.0), ..Changes::default() }).unwrap()
}

pub(super) fn deed_of(batch: &Batch) -> Option<AcknowledgedDeed> {
    (batch.time() > GameTime(0)).then(|| AcknowledgedDeed(batch.time().0))
}
