//! The whole server in virtual time, from one seed: links that are cut or not read, a disk that hangs, fills up and
//! fails, kills at any moment, even halfway through a write, clean stops, and changes of the machine's clock, while
//! pairs of townsfolk trade. All text and GMCP sent to them is compared with the stored state.

mod apart;
mod client;
mod disk;
mod fuse;
mod idler;
mod mirror;
mod server;
mod townsfolk;
mod wall;

use apart::{Apart, Losses};
use deepwell::base::{Dice as _, GameTime, Rng, Seed, Span};
use deepwell::game::{GameConfig, Input};
use disk::{Disk, FailureCounts};
use server::{LINK_BYTES, Server};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{UnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fmt};
use tokio::task::JoinSet;
use tokio::time::Instant;
use townsfolk::Couple;

/// Number of pairs of townsfolk.
const COUPLES: u32 = 4;

/// Result of a run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    /// Digest of all text received.
    digest: u64,
    deeds: usize,
    undone: usize,
    cuts: usize,
    kills: u32,
    /// Number of times a client that does not read was disconnected.
    dropped: u32,
    /// Number of comparisons of GMCP data with the stored state.
    mirrored: usize,
    troubles: FailureCounts,
    losses: Losses,
}

impl Outcome {
    /// Sums up what the couples have read and done.
    fn of(couples: &[Arc<Mutex<Couple>>]) -> Self {
        let (mut digest, mut outcome) = (DefaultHasher::new(), Self::default());
        for couple in couples {
            let couple = couple.lock().unwrap();
            couple.told().hash(&mut digest);
            outcome.deeds += couple.deeds;
            outcome.undone += couple.undone;
            outcome.cuts += couple.cuts;
            outcome.mirrored += couple.mirrored;
        }
        outcome.digest = digest.finish();
        outcome
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Self { deeds, undone, cuts, kills, dropped, mirrored, troubles, .. } = self;
        let FailureCounts { hung, full, failed, in_doubt, torn } = troubles;
        write!(
            out,
            "{deeds} deeds told, {undone} told to be undone, {mirrored} times held against structured data, {cuts} links \
             cut, {dropped} who did not read dropped, {kills} kills, {torn} of them in the midst of a write; a disk that \
             hung {hung} times, was full {full} times, failed {failed} times and left {in_doubt} batches in doubt"
        )
    }
}

/// Scenario of the server's lives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lives {
    /// Lives end at a random moment, or with a clean stop.
    Usual,
    /// The first life ends at its first await of the disk or a link, the second at its second, and so on.
    EndAtEachAwait,
    /// Halfway through each life the machine is suspended for some time.
    Stall,
    /// Halfway through each life the machine's wall clock is set forward or back. Only a clock that is behind is still
    /// wrong at the next start.
    SetClock,
    /// Like [`Lives::SetClock`], with a fault: game time follows that clock.
    FollowClock,
    /// Long enough for all timeouts.
    Long,
    /// Like [`Lives::Long`], with a fault: the link buffers all output.
    Swallow,
    /// Clients ignore some GMCP messages.
    Overhear,
    /// Gateway and host are two processes; the link between them is cut, and either process is lost.
    Apart,
    /// Like [`Lives::Apart`], with a fault: a host continues beside the one that replaces it.
    TwoHosts,
}

impl Lives {
    const fn link_bytes(self) -> usize {
        if matches!(self, Self::Swallow) { 1 << 24 } else { LINK_BYTES }
    }
}

/// Plays a number of lives on a disk that syncs correctly.
fn play(seed: Seed, lives: u32) -> Outcome {
    play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Usual, lives)
}

/// Returns settings with which parts of the world fall asleep after a few seconds.
fn config(seed: Seed) -> GameConfig {
    let mut config = GameConfig { seed, ..GameConfig::default() };
    config.dungeon.sleep_after = Span::secs(5);
    config.limits.absent_after = Span::secs(5);
    config
}

fn play_on(disk: &Disk, seed: Seed, how: Lives, lives: u32) -> Outcome {
    let mut dice = seed.named("lives").rng();
    let config = config(seed);
    let couple = |n: u32| {
        let dice = seed.named("couple").numbered(n.into()).rng();
        Arc::new(Mutex::new(Couple::new(n, dice, how == Lives::Overhear)))
    };
    let couples: Vec<_> = (0..COUPLES).map(couple).collect();
    let mut kills = 0;
    let dropped = Arc::new(AtomicU32::new(0));
    let losses = Arc::new(Mutex::new(Losses::default()));
    let (mut now, mut ahead) = (GameTime(10_000_000), Span::ZERO);
    for life in 0..lives {
        let drawn = Life::drawn(&mut dice, how);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let fuse = disk.fuse();
        fuse.set((how == Lives::EndAtEachAwait).then_some(life + 1));
        let until_it_ends = async {
            wall::set(now + ahead);
            let mut working = JoinSet::new();
            let (door, server) = if matches!(how, Lives::Apart | Lives::TwoHosts) {
                let dice = seed.named("losses").numbered(life.into()).rng();
                let (losses, spares) = (Arc::clone(&losses), how == Lives::TwoHosts);
                let parts = Box::pin(Apart::start(disk, &config, dice, losses, spares)).await?;
                let door = parts.door.clone();
                working.spawn(parts.lose_parts());
                (door, None)
            } else {
                let server = Box::pin(Server::start(disk, &config, how.link_bytes())).await?;
                (server.door.clone(), Some(server))
            };
            if matches!(how, Lives::Usual | Lives::Long | Lives::Swallow) {
                working.spawn(idler::work(door.clone(), Arc::clone(&dropped)));
            }
            for couple in &couples {
                working.spawn(townsfolk::work(Arc::clone(couple), door.clone(), disk.clone()));
            }
            drawn.pass(how, disk, &mut ahead, &mut working).await;
            match server.filter(|_| drawn.stops) {
                Some(server) => server.stop().await.map(|()| true),
                None => anyhow::Ok(false),
            }
        };
        let ended = runtime.block_on(async {
            tokio::select! {
                biased;
                () = fuse.blown() => Ok(false),
                ended = until_it_ends => ended,
            }
        });
        // A disk that is full at the start, or fails repeatedly, also ends a life.
        let stopped = ended.unwrap_or(false);
        drop(runtime);
        kills += u32::from(!stopped);
        disk.lose_power();
        assert_eq!(disk.time_errors(), [""; 0], "in life {life} of {seed:?}");
        let mut game = server::load(disk, &config);
        now = now.max(game.time()) + Span::millis(dice.between(0, 20_000).into());
        game.step(now, Input::Wake, &mut Vec::new());
        assert_eq!(game.check(), [""; 0], "after life {life} of {seed:?}");
        let stored = disk.durable();
        for couple in &couples {
            let mut couple = couple.lock().unwrap();
            if matches!(how, Lives::Stall | Lives::FollowClock) {
                couple.allow_expired_invitation();
            }
            couple.compare(&stored, &format!("life {life} of {seed:?}"));
        }
    }
    let (dropped, losses) = (dropped.load(Ordering::Relaxed), *losses.lock().unwrap());
    Outcome { kills, dropped, troubles: disk.troubles(), losses, ..Outcome::of(&couples) }
}

/// Parameters of one life of the server.
struct Life {
    lasts: Duration,
    stops: bool,
    /// Set if the life ends halfway through a write.
    breaks_off: bool,
    /// Offset of the machine's wall clock once it has been set.
    off: Span,
    stands_still: Duration,
}

impl Life {
    fn drawn(dice: &mut Rng, how: Lives) -> Self {
        let lasts = dice.between(1, 120_000);
        let is_long = matches!(how, Lives::Long | Lives::Swallow | Lives::Apart | Lives::TwoHosts);
        Self {
            lasts: Duration::from_millis(if is_long { 250_000 } else { lasts }.into()),
            stops: dice.percent(20),
            breaks_off: dice.percent(25) && how == Lives::Usual,
            off: Span::secs(i64::from(dice.between(0, 14_400)) - 7_200),
            stands_still: Duration::from_secs(dice.up_to(7_200).into()),
        }
    }

    /// Runs until the end of the life, while the players work.
    async fn pass(&self, how: Lives, disk: &Disk, ahead: &mut Span, working: &mut JoinSet<()>) {
        let over = tokio::time::sleep(self.lasts);
        tokio::pin!(over);
        let midst = tokio::time::sleep(self.lasts / 2);
        tokio::pin!(midst);
        let mut is_to_come = true;
        loop {
            tokio::select! {
                biased;
                () = &mut over => {
                    if !self.breaks_off || disk.breaks_off() {
                        break;
                    }
                    // The life ends with the next batch, if one is written soon.
                    disk.break_off();
                    over.as_mut().reset(Instant::now() + Duration::from_secs(20));
                }
                () = &mut midst, if is_to_come => {
                    is_to_come = false;
                    self.set_clock(how, disk, ahead).await;
                }
                Some(worked) = working.join_next() => worked.unwrap(),
            }
        }
    }

    /// Changes the clock halfway through the life.
    async fn set_clock(&self, how: Lives, disk: &Disk, ahead: &mut Span) {
        if matches!(how, Lives::SetClock | Lives::FollowClock) {
            wall::set(wall::now() + Span(self.off.0 - ahead.0));
            *ahead = Span(self.off.0.min(0));
        }
        if how == Lives::FollowClock {
            disk.discount(self.stands_still);
        }
        if matches!(how, Lives::Stall | Lives::FollowClock) {
            tokio::time::advance(self.stands_still).await;
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// D1 to D5, N12, N14, O3: with failing links, disk and process, acknowledged changes are stored, changes reported as
/// not having happened are not, and nothing is duplicated. `DEEPWELL_LIVES=500 cargo test --test sim whole` for more.
#[test]
fn acknowledged_changes_survive_failures_of_the_whole_server() {
    let outcome =
        play(Seed(number("DEEPWELL_SEED", 1)), u32::try_from(number("DEEPWELL_LIVES", 30)).unwrap());
    crate::figures::tell(&outcome.to_string());
    let FailureCounts { hung, full, failed, in_doubt, torn } = outcome.troubles;
    assert!(
        outcome.deeds > 500 && outcome.undone > 0 && outcome.cuts > 0 && outcome.kills > 10,
        "{outcome:?}"
    );
    assert!(outcome.mirrored > 50, "{outcome:?}");
    assert!([hung, full, failed, in_doubt, torn].iter().all(|count| *count > 0), "{outcome:?}");
}

/// D1 to D5, N12: the same with gateway and host as two processes that are lost at any moment: players who stay connected
/// read which commands are not answered. `DEEPWELL_LIVES=500` for more.
#[test]
fn acknowledged_changes_survive_losses_of_gateway_host_and_link() {
    let (seed, lives) =
        (Seed(number("DEEPWELL_SEED", 2)), u32::try_from(number("DEEPWELL_LIVES", 8)).unwrap());
    let outcome = play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Apart, lives);
    let Losses { links, hosts, restarts, gateways } = outcome.losses;
    crate::figures::tell(&format!(
        "{outcome}; {links} links cut, {hosts} hosts and {gateways} gateways killed, {restarts} restarts"
    ));
    assert!(outcome.deeds > 500 && outcome.undone > 0 && outcome.mirrored > 50, "{outcome:?}");
    assert!([links, hosts, restarts, gateways].iter().all(|count| *count > 5), "{outcome:?}");
}

#[test]
fn same_seed_gives_same_output() {
    assert_eq!(play(Seed(7), 6), play(Seed(7), 6));
}

/// D1 to D5: any await of the server may never complete. `DEEPWELL_LIVES=500` tries more awaits.
#[test]
fn server_can_die_at_any_await() {
    let (seed, lives) = (Seed(5), u32::try_from(number("DEEPWELL_LIVES", 150)).unwrap());
    let outcome = play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::EndAtEachAwait, lives);
    assert!(outcome.deeds > 50 && outcome.kills > lives * 9 / 10, "{outcome:?}");
}

/// W2: the jump in time after a suspended machine resumes undoes nothing.
#[test]
fn w2_suspended_machine_loses_nothing() {
    let seed = Seed(6);
    let outcome = play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Stall, 20);
    assert!(outcome.deeds > 100, "{outcome:?}");
}

/// W1, W3: game time advances at its own pace, and never goes back, when the machine's clock is set.
#[test]
fn w1_w3_setting_the_clock_does_not_affect_game_time() {
    let seed = Seed(8);
    let outcome = play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::SetClock, 8);
    assert!(outcome.deeds > 100, "{outcome:?}");
}

/// N4, N12: a client that reads less than it requests is disconnected after half a minute, and can reconnect.
#[test]
fn n4_n12_client_that_does_not_read_is_disconnected() {
    let seed = Seed(9);
    let outcome = play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Long, 1);
    assert!(outcome.dropped > 2, "{outcome:?}");
}

#[test]
#[should_panic(expected = "reads nothing is still connected")]
fn unbounded_link_buffer_is_detected() {
    let seed = Seed(9);
    play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Swallow, 1);
}

#[test]
#[should_panic(expected = "is written")]
fn game_time_that_follows_wall_clock_is_detected() {
    let seed = Seed(8);
    play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::FollowClock, 10);
}

#[test]
fn disk_without_journal_is_detected() {
    // Half a batch gives another world than the acknowledged one, or an inconsistent one.
    assert_detected(&["told was", "what is stored is a world: Contradictions"], || {
        let disk = Disk::new(Seed(3).named("disk").rng());
        disk.tear();
        play_on(&disk, Seed(3), Lives::Usual, 30);
    });
}

#[test]
#[should_panic(expected = "by GMCP what is not so")]
fn ignored_gmcp_messages_are_detected() {
    let seed = Seed(3);
    play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::Overhear, 40);
}

#[test]
fn host_that_outlives_its_replacement_is_detected() {
    // Which host writes first depends on the threads that hash passwords: a life may pass without a conflict.
    assert_detected(&["is written after", "told was", "what is stored is a world: Contradictions"], || {
        let seed = Seed(3);
        play_on(&Disk::new(seed.named("disk").rng()), seed, Lives::TwoHosts, 20);
    });
}

/// Asserts that playing with a fault panics, with one of these phrases in the message.
fn assert_detected(phrases: &[&str], play: impl FnOnce() + UnwindSafe) {
    let message =
        *catch_unwind(play).expect_err("nobody saw it").downcast::<String>().expect("it is told in words");
    assert!(phrases.iter().any(|phrase| message.contains(phrase)), "{message}");
}

/// Reliability 10: the harness must be able to fail.
#[test]
#[should_panic(expected = "told was")]
fn disk_that_skips_syncs_is_detected() {
    let disk = Disk::new(Seed(3).named("disk").rng());
    disk.lie();
    play_on(&disk, Seed(3), Lives::Usual, 10);
}
