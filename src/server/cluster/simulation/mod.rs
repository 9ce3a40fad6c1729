//! Hosts of a cluster in virtual time: the code that runs in production, over an engine and disks in memory. Hosts are
//! killed, stopped for a while and cut off, answers are lost, requests arrive late, disks are full. What was acknowledged
//! is compared with the log and with every disk. Each run follows from its seed.

mod scene;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};

use super::entry::{Assembly, EntryContent, Lead, LogMessagePart};
use super::history::{self, NotBegun};
use super::member::ClusterMember;
use super::planted::Planted;
use super::replica::{NotFollowed, Replica};
use super::view::View;
use crate::server::game_loop::writer::WriterStorage as _;
use crate::store::StoreError;
use deepwell_core::base::Dice as _;
use scene::{
    AcknowledgedDeed, ClusterScene, HOSTS, SharedScene, SimulatedEngine, SimulatedStore, batch_of, deed_of,
    lock,
};

const TERM: Duration = Duration::from_millis(1_500);
/// Virtual time of a run with faults.
const RUN: Duration = Duration::from_mins(2);
/// Time without faults after it, in which the world must be played.
const CALM: Duration = Duration::from_secs(12);
/// Longest time for which a stopped process stands still.
const STOPPED_MS: u32 = 5_000;

/// Runs a process of a host until it is killed: it follows, leads, and starts again when it is deposed.
async fn run_host(host: usize, stage: SharedScene, planted: Planted) {
    loop {
        let name = format!("host-{host}");
        let view = Arc::new(View::new(&name));
        let engine = SimulatedEngine { host, stage: Arc::clone(&stage) };
        let own = Lead { host: name, ..Lead::default() };
        let mut replica =
            Replica::new(SimulatedStore::open(host, &stage), engine.clone(), own.clone(), Arc::clone(&view));
        replica.planted = planted;
        let member = ClusterMember {
            engine,
            own,
            link: host.to_string(),
            term: TERM,
            view: Arc::clone(&view),
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
async fn lead(replica: &mut Replica<SimulatedStore, SimulatedEngine>, host: usize, stage: &SharedScene) {
    let until = Instant::now() + Duration::from_secs(3) + lock(stage).within(20_000);
    while Instant::now() < until {
        let (pause, deed) = {
            let mut scene = lock(stage);
            scene.next_deed += 1;
            (scene.within(40), AcknowledgedDeed(scene.next_deed))
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
    let stage: SharedScene = Arc::new(Mutex::new(ClusterScene::new(seed)));
    let begin = |host| tokio::spawn(run_host(host, Arc::clone(&stage), planted));
    let mut hosts: Vec<JoinHandle<()>> = (0..HOSTS).map(begin).collect();
    let end = Instant::now() + RUN;
    while Instant::now() < end {
        let (pause, host, what, length) = {
            let mut scene = lock(&stage);
            let host = usize::try_from(scene.dice.up_to(2)).unwrap();
            (scene.within(4_000), host, scene.dice.up_to(5), scene.within(STOPPED_MS))
        };
        sleep(pause).await;
        let now = Instant::now();
        match what {
            0 => lock(&stage).cut[host] = now + length,
            1 => lock(&stage).stopped[host] = now + length,
            2 => lock(&stage).disks[host].is_full = true,
            3 => lock(&stage).disks.iter_mut().for_each(|disk| disk.is_full = false),
            4 => send_strays(&stage, length).await,
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

/// Sends messages of another program to the log for some time.
async fn send_strays(stage: &SharedScene, length: Duration) {
    let end = Instant::now() + length / 4;
    while Instant::now() < end {
        let pause = {
            let mut scene = lock(stage);
            let bytes = (0..scene.dice.up_to(40)).map(|_| u8::try_from(scene.dice.up_to(255)).unwrap());
            let bytes = bytes.collect::<Vec<u8>>().into();
            scene.log.push(LogMessagePart { bytes, is_marked: false });
            scene.within(120)
        };
        sleep(pause).await;
    }
}

/// Compares what was acknowledged with the log, and the log with the disks.
fn find_faults(scene: &ClusterScene) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut assembly, mut leader, mut logged) = (Assembly::default(), None, Vec::new());
    for (sequence, part) in (1_u64..).zip(&scene.log) {
        let Some(entry) = assembly.take(part).unwrap() else { continue };
        match entry.body {
            EntryContent::Lead(_) => leader = Some(entry.writer),
            EntryContent::Batch(_) if leader != Some(entry.writer) => {
                faults.push(format!("entry {sequence} is not by the host that leads"));
            }
            EntryContent::Batch(batch) => logged.extend(deed_of(&batch).map(|deed| (sequence, deed))),
        }
    }
    let known: BTreeSet<AcknowledgedDeed> = logged.iter().map(|(_, deed)| *deed).collect();
    if known.len() != logged.len() {
        faults.push("a deed is in the log twice".to_owned());
    }
    faults.extend(scene.acknowledged.difference(&known).map(|deed| format!("{deed:?} is not in the log")));
    for (host, disk) in scene.disks.iter().enumerate() {
        let expected: Vec<AcknowledgedDeed> =
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
fn calm_stage() -> SharedScene {
    Arc::new(Mutex::new(ClusterScene { is_calm: true, ..ClusterScene::new(1) }))
}

fn open(host: usize, stage: &SharedScene) -> Replica<SimulatedStore, SimulatedEngine> {
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
    one.write(batch_of(AcknowledgedDeed(1))).await.unwrap();
    lock(&stage).log.truncate(begin);
    let mut two = open(1, &stage);
    two.lead(8).await.unwrap();
    for deed in 2..9 {
        two.write(batch_of(AcknowledgedDeed(deed))).await.unwrap();
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
    one.write(batch_of(AcknowledgedDeed(1))).await.unwrap();
    // The next entry is a batch.
    let mut upgraded = open(1, &stage);
    upgraded.format = "another".to_owned();
    let refused = upgraded.catch_up().await.unwrap_err();
    assert!(matches!(refused, NotFollowed::Format), "{refused}");
    assert!(lock(&stage).disks[1].deeds.is_empty());
}

/// D1: a message of another program takes the place of a batch, and the batch is acknowledged all the same.
#[tokio::test(start_paused = true)]
async fn d1_stray_message_in_the_log_is_skipped() {
    let stage = calm_stage();
    let mut one = open(0, &stage);
    one.lead(7).await.unwrap();
    for (deed, stray) in
        [(1, &b"hello"[..]), (2, b""), (3, &[0; 16]), (4, &[0, 0, 0, 0, 0, 0, 0, 1].repeat(3))]
    {
        lock(&stage).log.push(LogMessagePart { bytes: stray.to_vec().into(), is_marked: false });
        one.write(batch_of(AcknowledgedDeed(deed))).await.unwrap();
    }
    open(1, &stage).catch_up().await.unwrap();
    let scene = lock(&stage);
    assert_eq!(scene.disks[1].deeds, [1, 2, 3, 4].map(AcknowledgedDeed));
    assert_eq!(scene.disks[1].deeds, scene.disks[0].deeds);
}

/// D1: in any state of the hosts, when an operator begins a history with the world of one of them, no copy of the
/// earlier history takes an entry of the new one, and the earlier leader acknowledges nothing more. While a host leads, no
/// history can be begun.
#[tokio::test(start_paused = true)]
async fn d1_new_history_is_refused_under_a_leader_and_never_mixed_with_the_old_one() {
    for (lag, leads, purges) in
        (0..3).flat_map(|lag| [true, false].map(|leads| [true, false].map(|it| (lag, leads, it)))).flatten()
    {
        let stage = calm_stage();
        let own = |host: usize| Lead { host: format!("host-{host}"), ..Lead::default() };
        let engine = |host| SimulatedEngine { host, stage: Arc::clone(&stage) };
        let view = Arc::new(View::new("host-0"));
        let mut leader = Replica::new(SimulatedStore::open(0, &stage), engine(0), own(0), Arc::clone(&view));
        let member = ClusterMember {
            engine: engine(0),
            own: own(0),
            link: String::new(),
            term: TERM,
            view: Arc::clone(&view),
            planted: Planted::Nothing,
        };
        let keeper = member.follow(&mut leader).await.unwrap();
        leader.write(batch_of(AcknowledgedDeed(1))).await.unwrap();
        if lag == 0 {
            leader.write(batch_of(AcknowledgedDeed(2))).await.unwrap();
        }
        let mut standby = open(1, &stage);
        standby.catch_up().await.unwrap();
        if lag > 0 {
            leader.write(batch_of(AcknowledgedDeed(2))).await.unwrap();
        }
        if lag > 1 {
            leader.write(batch_of(AcknowledgedDeed(3))).await.unwrap();
        }
        let before = lock(&stage).log.len();
        let keeper = leads.then_some(keeper);
        let begun = history::begin(&engine(2), &own(2), TERM).await;
        if keeper.is_some() {
            assert_eq!(begun, Err(NotBegun::Led("host-0".to_owned())));
            leader.write(batch_of(AcknowledgedDeed(9))).await.unwrap();
            continue;
        }
        let position = begun.unwrap();
        assert_ne!(position.history, "one");
        {
            let mut scene = lock(&stage);
            if !purges {
                scene.purged = 0;
            }
            assert!(scene.log.len() > before);
            let disk = &mut scene.disks[2];
            (disk.history, disk.position, disk.writer) =
                (position.history, position.sequence, position.writer);
        }
        let mut new = open(2, &stage);
        new.lead(99).await.unwrap();
        new.write(batch_of(AcknowledgedDeed(50))).await.unwrap();
        let late = leader.write(batch_of(AcknowledgedDeed(60))).await.unwrap_err();
        assert!(matches!(late, StoreError::Deposed | StoreError::NoLog(_)), "{late}");
        for _ in 0..3 {
            for copy in [&mut standby, &mut open(1, &stage), &mut open(0, &stage)] {
                copy.catch_up().await.unwrap_err();
            }
        }
        open(2, &stage).catch_up().await.unwrap();
        let scene = lock(&stage);
        assert!(
            scene.disks[..2].iter().all(|disk| !disk.deeds.contains(&AcknowledgedDeed(50))),
            "{:?}",
            scene.disks
        );
        assert_eq!(scene.disks[2].deeds, [AcknowledgedDeed(50)]);
    }
}

/// D1: the leader notices at a renewal of its lease that the log is that of another world.
#[tokio::test(start_paused = true)]
async fn d1_leader_makes_way_when_the_history_changes() {
    let stage = calm_stage();
    let view = Arc::new(View::new("host-0"));
    let engine = SimulatedEngine { host: 0, stage: Arc::clone(&stage) };
    let own = Lead { host: "host-0".to_owned(), ..Lead::default() };
    let mut leader =
        Replica::new(SimulatedStore::open(0, &stage), engine.clone(), own.clone(), Arc::clone(&view));
    let (term, link) = (TERM, String::new());
    let member =
        ClusterMember { engine, own, link, term, view: Arc::clone(&view), planted: Planted::Nothing };
    let _keeper = member.follow(&mut leader).await.unwrap();
    sleep(TERM * 3).await;
    assert!(!view.deposed.is_cancelled());
    let record = br#"{"name":"two","host":"host-1"}"#;
    lock(&stage).records.insert("history".to_owned(), (1, record.to_vec().into()));
    sleep(TERM).await;
    assert!(view.deposed.is_cancelled());
}
