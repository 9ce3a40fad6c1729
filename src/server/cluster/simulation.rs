//! Hosts of a cluster in virtual time: the code that runs in production, over an engine and disks in memory. Hosts are
//! killed, stopped for a while and cut off, answers are lost, requests arrive late, disks are full. What was acknowledged
//! is compared with the log and with every disk. Each run follows from its seed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::bytes::Bytes;

use super::engine::{AppendError, Engine, EngineError, Parts};
use super::entry::{Assembly, Body, Lead};
use super::member::Member;
use super::planted::Planted;
use super::replica::{LocalStore, Replica};
use super::view::View;
use crate::base::{Dice as _, GameTime, Rng, Seed};
use crate::server::writer::Storage as _;
use crate::store::{Batch, Position, StoreError, Trouble};
use crate::world::{Changes, Snapshot};

const HOSTS: usize = 3;
const TERM: Duration = Duration::from_millis(1_500);
/// Maximum time for an answer of the engine.
const ANSWER: Duration = Duration::from_millis(1_200);
/// Virtual time of a run with faults.
const RUN: Duration = Duration::from_mins(2);
/// Time without faults after it, in which the world must be played.
const CALM: Duration = Duration::from_secs(12);
/// Longest time for which a stopped process stands still.
const STOPPED_MS: u32 = 5_000;
/// Small, so that most entries have several parts.
const PART_BYTES: usize = 40;

/// A deed that a host has acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Deed(i64);

/// Content of a disk, which survives its host.
#[derive(Debug, Default)]
struct Disk {
    position: u64,
    writer: u64,
    deeds: Vec<Deed>,
    is_full: bool,
}

/// The engine, the disks, and what has been acknowledged.
#[derive(Debug)]
struct Scene {
    dice: Rng,
    log: Vec<Bytes>,
    records: BTreeMap<String, (u64, Bytes)>,
    revision: u64,
    disks: Vec<Disk>,
    /// Time until which the engine does not get the requests of a host, by host.
    cut: Vec<Instant>,
    /// Time until which a host stands still, by host.
    stopped: Vec<Instant>,
    acknowledged: BTreeSet<Deed>,
    last_acknowledged: Instant,
    next_deed: i64,
    is_calm: bool,
}

type Stage = Arc<Mutex<Scene>>;

fn lock(stage: &Stage) -> MutexGuard<'_, Scene> {
    stage.lock().unwrap()
}

impl Scene {
    fn new(seed: u64) -> Self {
        let now = Instant::now();
        Self {
            dice: Seed(seed).rng(),
            log: Vec::new(),
            records: BTreeMap::new(),
            revision: 0,
            disks: (0..HOSTS).map(|_| Disk::default()).collect(),
            cut: vec![now; HOSTS],
            stopped: vec![now; HOSTS],
            acknowledged: BTreeSet::new(),
            last_acknowledged: now,
            next_deed: 0,
            is_calm: false,
        }
    }

    /// Returns a random time of at most a number of milliseconds.
    fn within(&mut self, millis: u32) -> Duration {
        Duration::from_millis(self.dice.up_to(millis).into())
    }

    fn append(&mut self, end: u64, part: Bytes) -> Result<u64, AppendError> {
        if self.log.len() as u64 != end {
            return Err(AppendError::Elsewhere);
        }
        self.log.push(part);
        Ok(self.log.len() as u64)
    }
}

/// Way in which a request goes wrong.
enum Fate {
    Fine,
    Late,
    AnswerLost,
    Lost,
}

/// The engine as a host reaches it.
#[derive(Clone)]
struct SimulatedEngine {
    host: usize,
    stage: Stage,
}

impl SimulatedEngine {
    /// Carries out a request, which may be lost, arrive late, or have its answer lost.
    async fn request<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Scene) -> T + Send + 'static,
    ) -> Result<T, EngineError> {
        let stopped = lock(&self.stage).stopped[self.host];
        sleep_until(stopped).await;
        let (delay, lateness, fate) = {
            let mut scene = lock(&self.stage);
            let is_cut = scene.cut[self.host] > Instant::now();
            let fate = match scene.dice.up_to(199) {
                _ if is_cut => Fate::Lost,
                _ if scene.is_calm => Fate::Fine,
                0 => Fate::Late,
                1 => Fate::AnswerLost,
                2 => Fate::Lost,
                _ => Fate::Fine,
            };
            (scene.within(20), scene.within(4_000), fate)
        };
        let lost = || EngineError::Unreachable("lost".to_owned());
        match fate {
            Fate::Fine => {
                sleep(delay).await;
                Ok(change(&mut lock(&self.stage)))
            }
            Fate::AnswerLost => {
                change(&mut lock(&self.stage));
                sleep(ANSWER).await;
                Err(lost())
            }
            Fate::Lost => {
                sleep(ANSWER).await;
                Err(lost())
            }
            Fate::Late => {
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

    async fn read(&self, after: u64) -> Result<Parts, EngineError> {
        self.request(move |scene| {
            let parts = (1..).zip(scene.log.iter().cloned()).filter(|(sequence, _)| *sequence > after);
            Parts { parts: parts.take(50).collect(), end: scene.log.len() as u64 }
        })
        .await
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
struct SimulatedStore {
    host: usize,
    stage: Stage,
    position: Position,
}

impl SimulatedStore {
    fn open(host: usize, stage: &Stage) -> Self {
        let scene = lock(stage);
        let Disk { position: sequence, writer, .. } = scene.disks[host];
        let position = Position { history: "one".to_owned(), sequence, writer };
        drop(scene);
        Self { host, stage: Arc::clone(stage), position }
    }
}

impl LocalStore for SimulatedStore {
    fn position(&self) -> Option<&Position> {
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

    async fn load(&mut self) -> Result<Snapshot, StoreError> {
        Ok(Snapshot::default())
    }

    async fn probe(&mut self) -> Result<(), StoreError> {
        self.write(&Batch::default(), (self.position.sequence, self.position.writer)).await
    }

    fn log_bytes(&self) -> u64 {
        0
    }

    async fn close(self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A deed is told by the time of its batch.
fn batch_of(deed: Deed) -> Batch {
    Batch::of(&Changes { time: GameTime(deed.0), ..Changes::default() }).unwrap()
}

fn deed_of(batch: &Batch) -> Option<Deed> {
    (batch.time() > GameTime(0)).then(|| Deed(batch.time().0))
}

/// Runs a process of a host until it is killed: it follows, leads, and starts again when it is deposed.
async fn run_host(host: usize, stage: Stage, planted: Planted) {
    loop {
        let name = format!("host-{host}");
        let view = Arc::new(View::new(&name));
        let engine = SimulatedEngine { host, stage: Arc::clone(&stage) };
        let own = Lead { host: name, ..Lead::default() };
        let mut replica =
            Replica::new(SimulatedStore::open(host, &stage), engine.clone(), own.clone(), Arc::clone(&view));
        replica.planted = planted;
        let member = Member {
            engine,
            own,
            link: host.to_string(),
            term: TERM,
            view: Arc::clone(&view),
            promoted: Arc::default(),
            planted,
        };
        let keeper = member.follow(&mut replica).await.unwrap();
        tokio::select! {
            () = lead(&mut replica, host, &stage) => {}
            () = view.deposed.cancelled() => {}
        }
        let resigns = lock(&stage).dice.up_to(1) == 0;
        if resigns {
            let _ = keeper.release().await;
        }
    }
}

/// Does deeds until another host leads, or for some seconds.
async fn lead(replica: &mut Replica<SimulatedStore, SimulatedEngine>, host: usize, stage: &Stage) {
    let until = Instant::now() + Duration::from_secs(3) + lock(stage).within(20_000);
    while Instant::now() < until {
        let (pause, deed) = {
            let mut scene = lock(stage);
            scene.next_deed += 1;
            (scene.within(40), Deed(scene.next_deed))
        };
        sleep(pause).await;
        match replica.write(batch_of(deed)).await {
            Ok(()) => {
                let mut scene = lock(stage);
                scene.acknowledged.insert(deed);
                scene.last_acknowledged = Instant::now();
            }
            Err(StoreError::Deposed) => return,
            Err(_) => loop {
                sleep(Duration::from_millis(300)).await;
                match replica.probe().await {
                    Ok(_) => break,
                    Err(StoreError::Deposed) => return,
                    Err(_) if Instant::now() > until => return,
                    Err(_) => {}
                }
            },
        }
        let stopped = lock(stage).stopped[host];
        sleep_until(stopped).await;
    }
}

/// Lets faults happen, then lets the world be played without any, and returns what is wrong.
async fn play(seed: u64, planted: Planted) -> Vec<String> {
    let stage: Stage = Arc::new(Mutex::new(Scene::new(seed)));
    let begin = |host| tokio::spawn(run_host(host, Arc::clone(&stage), planted));
    let mut hosts: Vec<JoinHandle<()>> = (0..HOSTS).map(begin).collect();
    let end = Instant::now() + RUN;
    while Instant::now() < end {
        let (pause, host, what, length) = {
            let mut scene = lock(&stage);
            let host = usize::try_from(scene.dice.up_to(2)).unwrap();
            (scene.within(4_000), host, scene.dice.up_to(4), scene.within(STOPPED_MS))
        };
        sleep(pause).await;
        let now = Instant::now();
        match what {
            0 => lock(&stage).cut[host] = now + length,
            1 => lock(&stage).stopped[host] = now + length,
            2 => lock(&stage).disks[host].is_full = true,
            3 => lock(&stage).disks.iter_mut().for_each(|disk| disk.is_full = false),
            _ => {
                hosts[host].abort();
                let _ = (&mut hosts[host]).await;
                hosts[host] = begin(host);
            }
        }
    }
    {
        let mut scene = lock(&stage);
        scene.is_calm = true;
        scene.cut.fill(Instant::now());
        scene.stopped.fill(Instant::now());
        scene.disks.iter_mut().for_each(|disk| disk.is_full = false);
    }
    sleep(CALM).await;
    for host in &hosts {
        assert!(!host.is_finished(), "a host has panicked");
        host.abort();
    }
    find_faults(&lock(&stage))
}

/// Compares what was acknowledged with the log, and the log with the disks.
fn find_faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut assembly, mut leader, mut logged) = (Assembly::default(), None, Vec::new());
    for (sequence, part) in (1_u64..).zip(&scene.log) {
        let Some(entry) = assembly.take(part).unwrap() else { continue };
        match entry.body {
            Body::Lead(_) => leader = Some(entry.writer),
            Body::Batch(_) if leader != Some(entry.writer) => {
                faults.push(format!("entry {sequence} is not by the host that leads"));
            }
            Body::Batch(batch) => logged.extend(deed_of(&batch).map(|deed| (sequence, deed))),
        }
    }
    let known: BTreeSet<Deed> = logged.iter().map(|(_, deed)| *deed).collect();
    if known.len() != logged.len() {
        faults.push("a deed is in the log twice".to_owned());
    }
    faults.extend(scene.acknowledged.difference(&known).map(|deed| format!("{deed:?} is not in the log")));
    for (host, disk) in scene.disks.iter().enumerate() {
        let expected: Vec<Deed> =
            logged.iter().filter(|(sequence, _)| *sequence <= disk.position).map(|(_, deed)| *deed).collect();
        if disk.deeds != expected {
            faults.push(format!("disk {host} is not a copy of the log"));
        }
    }
    if scene.last_acknowledged.elapsed() > CALM / 2 {
        faults.push("nobody leads although nothing is wrong".to_owned());
    }
    faults
}

/// Number of runs, unless `DEEPWELL_SEEDS` is set.
const SEEDS: u64 = 20;

/// D1, D5: `DEEPWELL_SEEDS=2000 cargo test --lib cluster::simulation` for more.
#[tokio::test(start_paused = true)]
async fn d1_cluster_loses_nothing_acknowledged_and_has_one_leader() {
    let seeds = std::env::var("DEEPWELL_SEEDS").map_or(SEEDS, |seeds| seeds.parse().unwrap());
    for seed in 1..=seeds {
        assert_eq!(play(seed, Planted::Nothing).await, Vec::<String>::new(), "seed {seed}");
    }
}

#[tokio::test(start_paused = true)]
async fn planted_faults_of_a_cluster_are_found() {
    for (planted, sign) in [
        // Parts of two leaders between each other spoil the log in several ways.
        (Planted::NoFence, ""),
        (Planted::AcknowledgeBeforePublish, "is not in the log"),
        (Planted::LeaseWithoutExpiry, "nobody leads"),
    ] {
        let mut is_found = false;
        for seed in 1..=SEEDS {
            is_found = is_found || play(seed, planted).await.iter().any(|fault| fault.contains(sign));
        }
        assert!(is_found, "{planted:?}");
    }
}
