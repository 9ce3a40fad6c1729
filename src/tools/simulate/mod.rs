//! Bots that walk, fight, talk and build in virtual time against the game, with an auditor that looks over every
//! step, every commit and every restart. Pure: the same plan gives the same bytes. Used by `deepwell simulate` and
//! by the tests; it has no sockets and no sessions, so it proves the rules and not the shell.

mod auditor;
pub mod balance;
mod bounds;
mod bot;
mod chatter;
mod driver;
mod errand;
mod files;
mod furnisher;
mod gate;
mod habit;
mod ledger;
mod builder;
mod moderator;
mod names;
mod replay;
mod report;
mod rows;
mod stage;
mod storage;
mod trial;

pub use report::{Breach, Report, Violation};
pub use rows::is_given;
pub use storage::{Faithful, Storage};

use crate::base::{Dice, Seed, Span};
use crate::catalog::Catalog;
use crate::game::GameConfig;
use crate::game::recording::{Beginning, Header, Recording};
use crate::puzzle::{Config, Entry, Puzzle};
use crate::world::Snapshot;
use driver::Driver;
use std::sync::Arc;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Bots; the first of them owns the world and builds.
    pub players: u32,
    /// Minutes of game time.
    pub minutes: u32,
    /// Where all dice of the run begin: those of the bots, of the crashes, and of the world.
    pub seed: Seed,
    /// How often the process dies and comes back.
    pub crashes: u32,
    /// What the rules are told.
    pub config: GameConfig,
    /// By how much creatures strike harder than the content says, so that players fall often enough.
    pub ferocity: u32,
}

impl Plan {
    /// A plan whose branches, windows and bodies are short-lived, so that an hour sees what a month of play does.
    pub fn new(players: u32, minutes: u32, seed: u64, crashes: u32) -> Self {
        let seed = Seed(seed);
        Self {
            players,
            minutes,
            seed,
            crashes,
            config: brisk(seed),
            ferocity: seed.named("ferocity").rng().up_to(6),
        }
    }

    /// The command line that plays this plan again.
    pub fn command_line(&self) -> String {
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        let length =
            if minutes == 0 { format!("--hours {hours}") } else { format!("--minutes {}", self.minutes) };
        let (players, seed, crashes) = (self.players, self.seed, self.crashes);
        format!("deepwell simulate --players {players} {length} --seed {seed} --crashes {crashes}")
    }
}

/// A world that runs of the simulation begin with.
struct Case {
    catalog: Arc<Catalog>,
    config: GameConfig,
}

impl Case {
    fn new(catalog: &Catalog, config: &GameConfig, ferocity: u32) -> Self {
        let mut catalog = catalog.clone();
        catalog.mobs.values_mut().for_each(|mob| mob.attack += ferocity);
        // Every kind of puzzle is met, whatever the themes list.
        let every: Vec<Entry> = catalog.puzzles.all().map(every_kind).collect();
        catalog.themes.values_mut().for_each(|theme| theme.puzzles.extend(every.iter().cloned()));
        Self { catalog: Arc::new(catalog), config: config.clone() }
    }
}

/// Plays a plan to its end.
///
/// # Errors
/// The first violation of an invariant or of a promise, with how to see it again.
pub fn run(plan: &Plan) -> Result<Report, Box<Violation>> {
    run_on(&mut Faithful, plan)
}

/// The same on a given storage.
///
/// # Errors
/// As those of [`run`].
pub fn run_on(storage: &mut dyn Storage, plan: &Plan) -> Result<Report, Box<Violation>> {
    let case = Case::new(&Catalog::builtin(), &plan.config, plan.ferocity);
    let driver = Driver::new(plan, &case, storage).map_err(|breach| Box::new(Violation::at_start(breach)));
    driver
        .and_then(Driver::run)
        .map_err(|violation| Box::new(Violation { again: plan.command_line(), ..*violation }))
}

/// What is left of a run that ended with a violation when all is left out that it does not take.
pub fn shrink_on(storage: &mut dyn Storage, plan: &Plan, violation: &Violation) -> Recording {
    let catalog = Catalog::builtin();
    let shortest = replay::shrink(storage, &Case::new(&catalog, &plan.config, plan.ferocity), violation);
    let begins = Beginning::Fresh { ferocity: plan.ferocity };
    let header = Header::new(&catalog, &plan.config, begins, shortest.breach.0);
    Recording { header, moves: shortest.moves }
}

/// Plays a recording: one of the simulation on a given storage, or one of a server from what was `stored` then. Returns how
/// many steps it took.
///
/// # Errors
/// The first violation.
pub fn replay_on(
    storage: &mut dyn Storage,
    catalog: &Arc<Catalog>,
    recording: &Recording,
    stored: Snapshot,
) -> Result<u64, Box<Violation>> {
    match &recording.header.begins {
        Beginning::Fresh { ferocity } => {
            let case = Case::new(catalog, &recording.header.config, *ferocity);
            replay::play(storage, &case, &recording.moves).map(|report| report.steps)
        }
        Beginning::Stored { seated } => replay::play_stored(catalog, recording, seated, stored),
    }
}

/// A puzzle as it comes without settings of its own.
fn every_kind(puzzle: &Arc<dyn Puzzle>) -> Entry {
    Entry::new(Arc::clone(puzzle), Config::of(&**puzzle).with_power(40))
}

/// Short times and narrow bounds, drawn from the seed so that runs differ in what is rare.
fn brisk(seed: Seed) -> GameConfig {
    let mut dice = seed.named("config").rng();
    let mut seconds = |least, most| Span::secs(i64::from(dice.between(least, most)));
    let mut config = GameConfig { seed: seed.named("world"), ..GameConfig::default() };
    config.dungeon.window = seconds(20, 120);
    config.dungeon.reset_interval = seconds(15, 90);
    config.dungeon.check_interval = seconds(60, 300);
    config.dungeon.max_life = seconds(400, 1_200);
    config.limits.link_dead = seconds(20, 180);
    config.dungeon.finishable = dice.percent(25).then_some(true);
    config.dungeon.max_unexplored_exits = dice.percent(50).then(|| dice.between(1, 6));
    config.limits.items_carried = dice.between(3, 8);
    config.limits.items_in_room = dice.between(3, 8);
    config.limits.rooms_per_branch = dice.between(40, 120);
    config.limits.collapse_rows = dice.between(10, 200);
    config
}
