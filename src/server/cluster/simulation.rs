//! Hosts of a cluster in virtual time: the code that runs in production, over an engine and disks in memory. Hosts are
//! killed, stopped for a while and cut off, answers are lost, requests arrive late, disks are full. What was acknowledged
//! is compared with the log and with every disk. Each run follows from its seed.

mod scene;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};

use super::entry::{Assembly, Body, Lead};
use super::member::Member;
use super::planted::Planted;
use super::replica::{NotFollowed, Replica};
use super::view::View;
use crate::base::Dice as _;
use crate::server::writer::Storage as _;
use crate::store::StoreError;
use scene::{Deed, HOSTS, Scene, SimulatedEngine, SimulatedStore, Stage, batch_of, deed_of, lock};

const TERM: Duration = Duration::from_millis(1_500);
/// Virtual time of a run with faults.
const RUN: Duration = Duration::from_mins(2);
/// Time without faults after it, in which the world must be played.
const CALM: Duration = Duration::from_secs(12);
/// Longest time for which a stopped process stands still.
const STOPPED_MS: u32 = 5_000;

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
const SEEDS: u64 = 10;

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

/// Creates an engine and disks without faults.
fn calm_stage() -> Stage {
    Arc::new(Mutex::new(Scene { is_calm: true, ..Scene::new(1) }))
}

fn open(host: usize, stage: &Stage) -> Replica<SimulatedStore, SimulatedEngine> {
    let engine = SimulatedEngine { host, stage: Arc::clone(stage) };
    let store = SimulatedStore::open(host, stage);
    Replica::new(store, engine, Lead::default(), Arc::new(View::new("host")))
}

/// D1: a copy whose last entry is not in the log must not follow another host that leads on what is left.
#[tokio::test(start_paused = true)]
async fn d1_log_that_has_lost_entries_is_refused() {
    let stage = calm_stage();
    let mut one = open(0, &stage);
    one.lead(7).await.unwrap();
    let begin = lock(&stage).log.len();
    one.write(batch_of(Deed(1))).await.unwrap();
    lock(&stage).log.truncate(begin);
    let mut two = open(1, &stage);
    two.lead(8).await.unwrap();
    for deed in 2..9 {
        two.write(batch_of(Deed(deed))).await.unwrap();
    }
    let refused = open(0, &stage).catch_up().await.unwrap_err();
    assert!(matches!(refused, NotFollowed::Lost(_)), "{refused}");
    open(1, &stage).catch_up().await.unwrap();
}

/// D1: rows of another program are not stored, whoever has written them.
#[tokio::test(start_paused = true)]
async fn entries_of_another_format_are_refused() {
    let stage = calm_stage();
    let mut one = open(0, &stage);
    one.lead(7).await.unwrap();
    open(1, &stage).catch_up().await.unwrap();
    one.write(batch_of(Deed(1))).await.unwrap();
    // The next entry is a batch.
    let mut upgraded = open(1, &stage);
    upgraded.format = "another".to_owned();
    let refused = upgraded.catch_up().await.unwrap_err();
    assert!(matches!(refused, NotFollowed::Format), "{refused}");
    assert!(lock(&stage).disks[1].deeds.is_empty());
}
