//! The whole server in virtual time, from one seed: links that are cut, a disk that hangs, fills up and fails, kills at any
//! moment and stops in order, while pairs of townsfolk trade. What each of them was told is held against what is stored.

mod client;
mod disk;
mod fuse;
mod server;
mod townsfolk;

use deepwell::base::{Dice as _, GameTime, Seed, Span};
use deepwell::game::{GameConfig, Input};
use disk::{Disk, Troubles};
use server::Server;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fmt};
use tokio::task::JoinSet;
use townsfolk::Couple;

/// Pairs of townsfolk.
const COUPLES: u32 = 4;

/// What came of a run.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    /// Of everything that was told.
    digest: u64,
    deeds: usize,
    undone: usize,
    cuts: usize,
    kills: u32,
    troubles: Troubles,
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Self { deeds, undone, cuts, kills, troubles, .. } = self;
        let Troubles { hung, full, failed, in_doubt } = troubles;
        write!(
            out,
            "{deeds} deeds told, {undone} told to be undone, {cuts} links cut, {kills} kills; a disk that hung {hung} \
             times, was full {full} times, failed {failed} times and left {in_doubt} batches in doubt"
        )
    }
}

/// How lives go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lives {
    /// They end at any moment, or in order.
    Usual,
    /// The first ends at its first await of the disk or of a link, the second at its second, and so on.
    EndAtEachAwait,
    /// In the midst of each the machine stands still for a while, and time has passed when it goes on.
    Stall,
}

/// Plays so many lives of a server on a disk that keeps what it says it keeps.
fn play(seed: Seed, lives: u32) -> Outcome {
    play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Usual, lives)
}

fn play_on(disk: &Disk, seed: Seed, how: Lives, lives: u32) -> Outcome {
    let mut dice = seed.named("lives").rng();
    let config = GameConfig { seed, ..GameConfig::default() };
    let couples: Vec<_> = (0..COUPLES)
        .map(|n| Arc::new(Mutex::new(Couple::new(n, seed.named("couple").numbered(n.into()).rng()))))
        .collect();
    let mut kills = 0;
    let mut now = GameTime(1_000_000);
    for life in 0..lives {
        let (lasts, stops) = (dice.between(1, 120_000), dice.percent(20));
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let fuse = disk.fuse();
        fuse.set((how == Lives::EndAtEachAwait).then_some(life + 1));
        let until_it_ends = async {
            let server = Server::start(disk, &config, now).await?;
            let mut working = JoinSet::new();
            for couple in &couples {
                working.spawn(townsfolk::work(Arc::clone(couple), server.door.clone(), disk.clone()));
            }
            let over = tokio::time::sleep(Duration::from_millis(lasts.into()));
            tokio::pin!(over);
            let stall = tokio::time::sleep(Duration::from_millis((lasts / 2).into()));
            tokio::pin!(stall);
            let mut stalls = how == Lives::Stall;
            loop {
                tokio::select! {
                    biased;
                    () = &mut over => break,
                    () = &mut stall, if stalls => {
                        stalls = false;
                        tokio::time::advance(Duration::from_secs(u64::from(lasts) % 7_200)).await;
                    }
                    Some(worked) = working.join_next() => worked.unwrap(),
                }
            }
            if stops { server.stop().await.map(|()| true) } else { anyhow::Ok(false) }
        };
        let ended = runtime.block_on(async {
            tokio::select! {
                biased;
                () = fuse.blown() => Ok(false),
                ended = until_it_ends => ended,
            }
        });
        // A disk that is full at the start, or fails again and again, ends a life, too.
        let stopped = ended.unwrap_or(false);
        drop(runtime);
        kills += u32::from(!stopped);
        disk.lose_power();
        let mut game = server::load(disk, &config);
        now = now.max(game.time()) + Span::millis(dice.between(0, 20_000).into());
        game.step(now, Input::Wake, &mut Vec::new());
        assert_eq!(game.check(), [""; 0], "after life {life} of {seed:?}");
        let stored = disk.durable();
        for couple in &couples {
            let mut couple = couple.lock().unwrap();
            if how == Lives::Stall {
                couple.let_invitation_lapse();
            }
            couple.compare(&stored, &format!("life {life} of {seed:?}"));
        }
    }
    let mut digest = DefaultHasher::new();
    let (mut deeds, mut undone, mut cuts) = (0, 0, 0);
    for couple in &couples {
        let couple = couple.lock().unwrap();
        couple.told().hash(&mut digest);
        (deeds, undone, cuts) = (deeds + couple.deeds, undone + couple.undone, cuts + couple.cuts);
    }
    Outcome { digest: digest.finish(), deeds, undone, cuts, kills, troubles: disk.troubles() }
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// D1 to D5, N12, N14, O3: whatever happens to links, disk and process, what was told is stored, what was said not to have
/// happened is not, and nothing is there twice. `DEEPWELL_LIVES=500 cargo test --test sim whole` for more.
#[test]
fn what_is_told_is_so_in_every_life_of_the_whole_server() {
    let outcome =
        play(Seed(number("DEEPWELL_SEED", 1)), u32::try_from(number("DEEPWELL_LIVES", 30)).unwrap());
    crate::figures::tell(&outcome.to_string());
    let Troubles { hung, full, failed, in_doubt } = outcome.troubles;
    assert!(
        outcome.deeds > 500 && outcome.undone > 0 && outcome.cuts > 0 && outcome.kills > 10,
        "{outcome:?}"
    );
    assert!([hung, full, failed, in_doubt].iter().all(|count| *count > 0), "{outcome:?}");
}

#[test]
fn the_same_seed_tells_the_same() {
    assert_eq!(play(Seed(7), 6), play(Seed(7), 6));
}

/// D1 to D5: whatever the server waits for, it may wait for it in vain. `DEEPWELL_LIVES=500` goes farther.
#[test]
fn every_await_may_be_the_last() {
    let (seed, lives) = (Seed(5), u32::try_from(number("DEEPWELL_LIVES", 150)).unwrap());
    let outcome = play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::EndAtEachAwait, lives);
    assert!(outcome.deeds > 50 && outcome.kills > lives * 9 / 10, "{outcome:?}");
}

/// W2: time that has jumped when the machine goes on undoes nothing.
#[test]
fn a_machine_that_stands_still_loses_nothing() {
    let seed = Seed(6);
    let outcome = play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Stall, 20);
    assert!(outcome.deeds > 100, "{outcome:?}");
}

/// Reliability 10: a harness that has never failed proves nothing.
#[test]
#[should_panic(expected = "told was")]
fn a_disk_that_lies_is_found() {
    let disk = Disk::new(Seed(3).named("disk").rng());
    disk.lie();
    play_on(&disk, Seed(3), Lives::Usual, 10);
}
