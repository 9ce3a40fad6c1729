//! SIGKILL at random moments under load. Workers of different kinds make distinguishable changes and record the
//! acknowledged ones. After each kill the stored world is compared with these records: acknowledged changes are
//! present, every other change is stored completely or not at all, nothing is duplicated (D1 to D3, D7). Each kind of
//! worker has its own file and an entry in `CAST`.

mod builder;
mod cluster;
pub(crate) mod content;
mod deeds;
mod delver;
mod editor;
mod explorer;
pub(crate) mod fighter;
mod forgetful;
mod founder;
mod furnisher;
pub(crate) mod gamblers;
mod keeper;
pub(crate) mod known;
mod leaver;
pub(crate) mod linker;
mod maker;
mod page;
mod pinner;
mod postman;
mod puzzler;
mod ringer;
mod scene;
mod townsfolk;
mod visitor;
mod warden;
mod zoner;

use crate::client::Gone;
use crate::server::Server;
use crate::syscalls::strace_works;
use content::CATALOG;
use deeds::{Counts, Deeds};
use deepwell::base::{Dice, Rng, Seed};
use deepwell::game::{Effects, Game, GameConfig, Input};
use deepwell::world::Snapshot;
use scene::Scene;
use std::sync::Arc;
use std::{env, thread};

/// Number of kills, unless `DEEPWELL_KILLS` is set.
const KILLS: u32 = 6;
/// Changes between two kills: minimum, and maximum unless `DEEPWELL_DEEDS` is set.
const DEEDS: (u32, u32) = (5, 120);
/// Number of further changes to wait for the awaited event.
const PATIENCE: u32 = 100;
/// Number of kills between two runs of `deepwell check`.
const CHECKED: u32 = 5;

/// Refusal of a new account during lockdown.
const LOCKED: &str = "Nobody can make a new account";

/// Number of kills between two progress reports.
const TOLD: u32 = 25;

/// Creates the workers of one kind, once per run.
type Begin = fn(&Server) -> Vec<Box<dyn Worker>>;

/// All kinds of workers, and whether they need the files or the control socket of one host. The builder is first: it
/// owns the world and grants roles to the others.
const CAST: [(Begin, bool); 22] = [
    (builder::begin, false),
    (explorer::begin, false),
    (founder::begin, true),
    (townsfolk::begin, false),
    (fighter::begin, false),
    (warden::begin, true),
    (forgetful::begin, false),
    (linker::begin, false),
    (delver::begin, false),
    (puzzler::begin, false),
    (ringer::begin, false),
    (gamblers::begin, false),
    (keeper::begin, true),
    (editor::begin, true),
    (furnisher::begin, false),
    (maker::begin, true),
    (zoner::begin, true),
    (visitor::begin, false),
    (leaver::begin, false),
    (page::begin, false),
    (postman::begin, false),
    (pinner::begin, false),
];

const SETTINGS: [&str; 13] = [
    "world.seed=5",
    "http.listen=127.0.0.1:0",
    // Branches expire only where a worker waits for it.
    "dungeon.reset_chance=0",
    "dungeon.reset_interval=1s",
    "dungeon.check_interval=1s",
    "limits.commands_per_second=100000",
    "limits.commands_burst=100000",
    "limits.mails_per_day=10000",
    "auth.slots=2",
    "auth.accounts_per_hour=100000",
    // Guests left behind by a kill remain for some time.
    "limits.guests=1000",
    "auth.guesses_per_minute=10000",
    "game.round=100ms",
];

/// Simulated player, or a few who play together.
trait Worker: Send {
    /// Works until the server is down. Acknowledgements count even if the rest of the answer is lost.
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone>;

    /// Reports each contradiction between the stored world and the acknowledged changes, and takes over the stored
    /// state. Also called once before the first work.
    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>);
}

/// Event that ends a life of the server, once the minimum of changes is reached.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Immediately.
    Any,
    /// During shutdown.
    Stop,
    /// Immediately after a request for a change of this kind.
    Begun(&'static str),
    /// Immediately after the acknowledgement of a change of this kind.
    Told(&'static str),
    /// At the nth system call of this kind.
    Call(&'static str, u32),
}

impl Moment {
    fn draw(dice: &mut Rng, strace: bool) -> Self {
        const KINDS: &[&str] = &[
            "account", "backup", "ban", "branch", "buy", "code", "collapse", "delete", "dig", "door",
            "export", "fight", "give", "import", "join", "link", "lock", "mail", "note", "make", "password",
            "puzzle", "recovery", "redo", "reload", "reset", "revoke", "roll", "seat", "solved", "spawn",
            "trigger", "undo", "unlink", "vault",
        ];
        // A commit is written and synced; then the messages held back for it are sent.
        const CALLS: [(&str, u32); 3] = [("pwrite64", 300), ("fdatasync", 60), ("sendto", 400)];
        let kind = dice.pick(KINDS).expect("there are kinds");
        let (call, most) = CALLS[dice.up_to(2) as usize];
        match dice.up_to(99) {
            0..30 => Self::Any,
            30..45 => Self::Stop,
            45..65 => Self::Begun(kind),
            65..85 => Self::Told(kind),
            _ if strace => Self::Call(call, dice.between(1, most)),
            _ => Self::Any,
        }
    }

    /// Returns the number of requested changes of the awaited kind.
    fn begun(self, counts: &Counts) -> u32 {
        if let Self::Begun(kind) = self { counts.begun(kind) } else { 0 }
    }

    /// Returns the number of acknowledged changes of the awaited kind.
    fn told(self, counts: &Counts) -> u32 {
        if let Self::Told(kind) = self { counts.told(kind) } else { 0 }
    }

    /// Waits until at least `least` changes are acknowledged and the event has happened, or is given up.
    fn wait(self, deeds: &Deeds, least: u32) {
        deeds.wait_until(|counts| counts.all() >= least);
        let (begun, answered) = {
            let counts = deeds.counts();
            (self.begun(&counts), self.told(&counts))
        };
        deeds.wait_until(|counts| {
            self.begun(counts) > begun
                || self.told(counts) > answered
                || counts.all() >= least + self.patience()
        });
    }

    /// Returns the number of further changes after which the wait is given up.
    const fn patience(self) -> u32 {
        if matches!(self, Self::Begun(_) | Self::Told(_)) { PATIENCE } else { 0 }
    }
}

/// D1 to D3, D7, E11, E36, O5: see the module. `DEEPWELL_KILLS=500 cargo test --test live kill::` for more.
#[test]
fn acknowledged_changes_survive_sigkill() {
    let kills = number("DEEPWELL_KILLS", KILLS);
    let seed = number("DEEPWELL_SEED", 1);
    let most = number("DEEPWELL_DEEDS", DEEDS.1);
    let mut server = Server::start_with_content(content::files(), &SETTINGS);
    let mut workers: Vec<_> = CAST.iter().flat_map(|(begin, _)| begin(&server)).collect();
    server.stop();
    assert_eq!(compare(&mut workers, &server.stored()), [""; 0], "before the first kill");
    let (seeds, deeds, strace) = (Seed(seed.into()).named("kills"), Deeds::default(), strace_works());
    for kill in 1..=kills {
        let seed_of_kill = seeds.numbered(kill.into());
        let mut dice = seed_of_kill.rng();
        let moment = Moment::draw(&mut dice, strace);
        let changes = dice.between(DEEDS.0, most);
        work_until_killed(&mut server, &mut workers, &deeds, (moment, changes), seed_of_kill);
        if dice.percent(20) {
            server.kill_at_start();
        }
        let after = format!("kill {kill}, {moment:?} (DEEPWELL_SEED={seed})");
        assert_all_kept(&mut workers, server.stored(), &after);
        if kill % TOLD == 0 {
            eprintln!("{kill} of {kills} kills, {deeds}");
        }
        if kill % CHECKED == 0 {
            let check = server.check();
            assert!(check.status.success(), "after kill {kill}: {}", String::from_utf8_lossy(&check.stdout));
        }
    }
    server.assert_sound();
    crate::figures::tell(&format!("{kills} kills, {deeds}"));
}

pub(crate) fn number(name: &str, default: u32) -> u32 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Runs all workers concurrently until the moment of the kill.
fn work_until_killed(
    server: &mut Server,
    workers: &mut [Box<dyn Worker>],
    deeds: &Deeds,
    (moment, changes): (Moment, u32),
    seed: Seed,
) {
    let call = if let Moment::Call(call, nth) = moment { Some((call, nth)) } else { None };
    if !server.restart_to_be_killed_at(call) {
        return;
    }
    deeds.set_gone(false);
    let least = deeds.counts().all() + changes;
    let control = server.state().join("control.sock");
    let scene = Scene { address: server.address(), http: server.http(), control, deeds };
    work_until(&scene, workers, seed, || {
        moment.wait(deeds, least);
        assert!(call.is_some() || !deeds.is_gone(), "somebody lost the connection before the kill");
        if matches!(moment, Moment::Stop) {
            let before = server.log().len();
            server.signal("TERM");
            server.wait_for_log(before, "stopping");
        }
        server.kill();
    });
}

/// Runs all workers concurrently until `end` has ended their connections.
fn work_until(scene: &Scene<'_>, workers: &mut [Box<dyn Worker>], seed: Seed, end: impl FnOnce()) {
    thread::scope(|scope| {
        for (n, worker) in (1..).zip(workers) {
            let mut dice = seed.numbered(n).rng();
            scope.spawn(move || {
                let Err(_) = worker.work(scene, &mut dice) else { panic!("work has no end") };
                scene.deeds.set_gone(true);
            });
        }
        end();
        scene.deeds.set_gone(true);
    });
}

/// Asserts that the stored world has everything acknowledged, and keeps all invariants.
fn assert_all_kept(workers: &mut [Box<dyn Worker>], stored: Snapshot, after: &str) {
    let mismatches = compare(workers, &stored);
    assert!(mismatches.is_empty(), "after {after}:\n{}", mismatches.join("\n"));
    let mut game = Game::load(Arc::clone(&CATALOG), GameConfig::default(), stored).unwrap();
    game.step(game.time(), Input::Wake, &mut Effects::new());
    assert_eq!(game.check(), [""; 0], "after {after}");
}

/// Spells a number as letters for use in names; no two digits are confusable.
pub(crate) fn spell_number(number: u32) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    format!("{number:05}").into_bytes().into_iter().map(letter).collect()
}

/// Compares the stored world with the records of all workers.
fn compare(workers: &mut [Box<dyn Worker>], stored: &Snapshot) -> Vec<String> {
    let mut mismatches = Vec::new();
    for worker in workers {
        worker.compare(stored, &mut mismatches);
    }
    mismatches
}
