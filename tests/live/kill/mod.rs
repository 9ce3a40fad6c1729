//! SIGKILL at random moments under load. Workers do distinct things, each of which leaves its own mark, and note what they
//! were told; after each kill the stored world is compared with the notes: all that was told is there, everything else is
//! whole or absent, nothing is there twice (D1 to D3, D7). One file has one kind of worker, and the cast below a line.

mod builder;
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
mod puzzler;
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

/// How often, if `DEEPWELL_KILLS` does not say.
const KILLS: u32 = 10;
/// Changes between two kills: at least, and at most if `DEEPWELL_DEEDS` does not say.
const DEEDS: (u32, u32) = (5, 120);
/// Changes that others make while something is waited for.
const PATIENCE: u32 = 100;
/// After how many kills the program's own check is run.
const CHECKED: u32 = 5;

/// What somebody reads who would make an account while staff let nobody do that.
const LOCKED: &str = "Nobody can make a new account";

/// After how many kills it is told how far it has come.
const TOLD: u32 = 25;

/// Makes those of a kind, once.
type Begin = fn(&Server) -> Vec<Box<dyn Worker>>;

/// Everybody who works, by kind. The builder is first: it has the world, and gives the others what they need.
const CAST: [Begin; 19] = [
    builder::begin,
    explorer::begin,
    founder::begin,
    townsfolk::begin,
    fighter::begin,
    warden::begin,
    forgetful::begin,
    linker::begin,
    delver::begin,
    puzzler::begin,
    gamblers::begin,
    keeper::begin,
    editor::begin,
    furnisher::begin,
    maker::begin,
    zoner::begin,
    visitor::begin,
    leaver::begin,
    page::begin,
];

/// Somebody, or a few who play together.
trait Worker: Send {
    /// Works until the server is gone, noting what is told even if the end of an answer never comes.
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone>;

    /// What is stored, against what was told: a sentence for each difference. Work goes on from what is stored. It is called
    /// once before the first work, too.
    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>);
}

/// When a life of the server ends, besides after some changes at the latest.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Just then.
    Any,
    /// In the midst of a stop.
    Stop,
    /// As soon as a change of a kind has been asked for.
    Begun(&'static str),
    /// As soon as one has been told.
    Told(&'static str),
    /// At the nth system call of a kind.
    Call(&'static str, u32),
}

impl Moment {
    fn draw(dice: &mut Rng, strace: bool) -> Self {
        const KINDS: &[&str] = &[
            "account", "backup", "ban", "branch", "buy", "code", "collapse", "delete", "dig", "door",
            "export", "fight", "give", "import", "join", "link", "lock", "make", "password", "puzzle",
            "recovery", "redo", "reload", "reset", "revoke", "roll", "seat", "solved", "spawn", "trigger",
            "undo", "unlink", "vault",
        ];
        // A commit is written and made sure of, and then what was held back for it is sent.
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

    /// How often what it waits for was begun.
    fn begun(self, counts: &Counts) -> u32 {
        if let Self::Begun(kind) = self { counts.begun(kind) } else { 0 }
    }

    /// How often what it waits for was told.
    fn told(self, counts: &Counts) -> u32 {
        if let Self::Told(kind) = self { counts.told(kind) } else { 0 }
    }

    /// How many more changes it waits for.
    const fn patience(self) -> u32 {
        if matches!(self, Self::Begun(_) | Self::Told(_)) { PATIENCE } else { 0 }
    }
}

/// D1 to D3, D7, E11, E36, O5: see above. `DEEPWELL_KILLS=500 cargo test --test live nothing_told` for more.
#[test]
fn nothing_told_is_lost_by_sigkill() {
    let kills = number("DEEPWELL_KILLS", KILLS);
    let seed = number("DEEPWELL_SEED", 1);
    let most = number("DEEPWELL_DEEDS", DEEDS.1);
    let settings = [
        "world.seed=5",
        "http.listen=127.0.0.1:0",
        // Nothing may vanish by the rules of play but where somebody waits for it.
        "dungeon.reset_chance=0",
        "dungeon.reset_interval=1s",
        "dungeon.check_interval=1s",
        "limits.commands_per_second=100000",
        "limits.commands_burst=100000",
        "auth.slots=2",
        "auth.accounts_per_hour=100000",
        // Guests whom a kill left behind stay for some time.
        "limits.guests=1000",
        "auth.guesses_per_minute=10000",
        "game.round=100ms",
    ];
    let mut server = Server::start_with_content(content::files(), &settings);
    let mut workers: Vec<_> = CAST.iter().flat_map(|begin| begin(&server)).collect();
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
        let stored = server.stored();
        let wrong = compare(&mut workers, &stored);
        assert!(
            wrong.is_empty(),
            "after kill {kill}, {moment:?} (DEEPWELL_SEED={seed}):\n{}",
            wrong.join("\n")
        );
        let mut game = Game::load(Arc::clone(&CATALOG), GameConfig::default(), stored).unwrap();
        game.step(game.time(), Input::Wake, &mut Effects::new());
        assert_eq!(game.check(), [""; 0], "after kill {kill}, {moment:?}");
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

fn number(name: &str, default: u32) -> u32 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// All work side by side until the moment has come.
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
    thread::scope(|scope| {
        for (n, worker) in (1..).zip(workers) {
            let (scene, mut dice) = (&scene, seed.numbered(n).rng());
            scope.spawn(move || {
                let Err(_) = worker.work(scene, &mut dice) else { panic!("work has no end") };
                scene.deeds.set_gone(true);
            });
        }
        deeds.wait_until(|counts| counts.all() >= least);
        let (begun, told) = {
            let counts = deeds.counts();
            (moment.begun(&counts), moment.told(&counts))
        };
        deeds.wait_until(|counts| {
            moment.begun(counts) > begun
                || moment.told(counts) > told
                || counts.all() >= least + moment.patience()
        });
        assert!(call.is_some() || !deeds.is_gone(), "somebody lost the connection before the kill");
        if matches!(moment, Moment::Stop) {
            let before = server.log().len();
            server.signal("TERM");
            server.wait_for_log(before, "stopping");
        }
        server.kill();
        deeds.set_gone(true);
    });
}

/// A number for the end of a name: its digits as letters, none of which looks like another.
fn spelt(number: u32) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    format!("{number:05}").into_bytes().into_iter().map(letter).collect()
}

/// What is stored, against what everybody was told.
fn compare(workers: &mut [Box<dyn Worker>], stored: &Snapshot) -> Vec<String> {
    let mut wrong = Vec::new();
    for worker in workers {
        worker.compare(stored, &mut wrong);
    }
    wrong
}
