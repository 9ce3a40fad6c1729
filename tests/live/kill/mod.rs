//! SIGKILL at random moments under load. Workers do distinct things, each of which leaves its own mark, and note what they
//! were told; after each kill the stored world is compared with the notes: all that was told is there, everything else is
//! whole or absent, nothing is there twice (D1 to D3, D7). One file has one kind of worker, and the cast below a line.

mod builder;
mod deeds;
mod explorer;
mod fighter;
mod founder;
mod townsfolk;

use crate::client::Gone;
use crate::server::Server;
use deeds::Deeds;
use deepwell::base::{Dice as _, Rng, Seed};
use deepwell::catalog::Catalog;
use deepwell::game::{Effects, Game, GameConfig, Input};
use deepwell::world::Snapshot;
use std::net::SocketAddr;
use std::sync::Arc;
use std::{env, thread};

/// How often, if `DEEPWELL_KILLS` does not say.
const KILLS: u32 = 20;
/// Things done between two kills: at least and at most.
const DEEDS: (u32, u32) = (5, 200);

/// Everybody who works, by kind.
const CAST: [fn(&Server) -> Vec<Box<dyn Worker>>; 5] =
    [explorer::begin, builder::begin, founder::begin, townsfolk::begin, fighter::begin];

/// Somebody, or a few who play together.
trait Worker: Send {
    /// Works until the server is gone, noting what is told even if the end of an answer never comes.
    fn work(&mut self, life: &Life<'_>, dice: &mut Rng) -> Result<(), Gone>;

    /// What is stored, against what was told: a sentence for each difference. Work goes on from what is stored. It is called
    /// once before the first work, too.
    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>);
}

/// What workers know of a server while it lives.
struct Life<'a> {
    address: SocketAddr,
    deeds: &'a Deeds,
}

impl Life<'_> {
    /// A change of a kind has been told.
    fn note(&self, kind: &'static str) {
        self.deeds.note(kind);
    }
}

/// D1 to D3, D7, E11, E36: see above. `DEEPWELL_KILLS=500 cargo test --test live kill` for more.
#[test]
fn nothing_told_is_lost_by_sigkill() {
    let kills = number("DEEPWELL_KILLS", KILLS);
    let seed = number("DEEPWELL_SEED", 1);
    let fast = [
        "world.seed=5",
        // Nothing may vanish by the rules of play.
        "dungeon.reset_chance=0",
        "limits.commands_per_second=100000",
        "limits.commands_burst=100000",
        "auth.slots=2",
        "game.round=200ms",
    ];
    let mut server = Server::start_without_roamers(&fast);
    let mut workers: Vec<_> = CAST.iter().flat_map(|begin| begin(&server)).collect();
    server.stop();
    assert_eq!(compare(&mut workers, &server.stored()), [""; 0], "before the first kill");
    let seeds = Seed(seed.into()).named("kills");
    let (catalog, deeds) = (Arc::new(Catalog::builtin()), Deeds::default());
    for kill in 1..=kills {
        server.restart(&[]);
        let moment = seeds.numbered(kill.into());
        let mut moments = moment.rng();
        work_until_killed(&mut server, &mut workers, &deeds, moment, &mut moments);
        if moments.percent(20) {
            server.kill_at_start();
        }
        let stored = server.stored();
        let wrong = compare(&mut workers, &stored);
        assert!(wrong.is_empty(), "after kill {kill} (DEEPWELL_SEED={seed}):\n{}", wrong.join("\n"));
        let mut game = Game::load(Arc::clone(&catalog), GameConfig::default(), stored).unwrap();
        game.step(game.time(), Input::Wake, &mut Effects::new());
        assert_eq!(game.check(), [""; 0], "after kill {kill}");
        let check = server.check();
        assert!(check.status.success(), "after kill {kill}: {}", String::from_utf8_lossy(&check.stdout));
    }
    server.assert_sound();
    eprintln!("{kills} kills, {deeds}");
}

fn number(name: &str, default: u32) -> u32 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// All work side by side; after some deeds the server is killed in the midst of them, or of a stop.
fn work_until_killed(
    server: &mut Server,
    workers: &mut [Box<dyn Worker>],
    deeds: &Deeds,
    seed: Seed,
    moments: &mut Rng,
) {
    let enough = deeds.count() + moments.between(DEEDS.0, DEEDS.1);
    let draining = moments.percent(20);
    let life = Life { address: server.address(), deeds };
    thread::scope(|scope| {
        for (n, worker) in (1..).zip(workers) {
            let (life, mut dice) = (&life, seed.numbered(n).rng());
            scope.spawn(move || worker.work(life, &mut dice));
        }
        deeds.wait_for(enough);
        if draining {
            let before = server.log().len();
            server.signal("TERM");
            server.wait_for_log(before, "stopping");
        }
        server.kill();
    });
}

/// What is stored, against what everybody was told.
fn compare(workers: &mut [Box<dyn Worker>], stored: &Snapshot) -> Vec<String> {
    let mut wrong = Vec::new();
    for worker in workers {
        worker.compare(stored, &mut wrong);
    }
    wrong
}
