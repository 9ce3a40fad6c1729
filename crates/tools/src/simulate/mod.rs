//! Simulation: bots walk, fight, talk and build against the game in virtual time, with an audit of every step, commit
//! and restart. It is deterministic: the same plan gives the same bytes. `deepwell simulate` and the tests use it. It
//! has no sockets or sessions, so it tests the game rules and not the network layer.

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
mod audited_run;

pub use report::{Breach, RunViolation, SimulationReport};
pub use rows::is_given;
pub use storage::{Faithful, SimulatedStorage};

use deepwell_core::base::{Dice, Seed, Span};
use deepwell_core::catalog::Catalog;
use deepwell_core::puzzle::{Puzzle, PuzzleConfig, PuzzleEntry};
use deepwell_core::world::Snapshot;
use deepwell_game::GameConfig;
use deepwell_game::input::recording::{Beginning, Recording, RecordingHeader};
use driver::SimulationDriver;
use std::sync::Arc;

/// Parameters of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// Number of bots; the first one owns the world and builds.
    pub players: u32,
    /// Duration in minutes of game time.
    pub minutes: u32,
    /// Seed of all random numbers of the run: those of the bots, the crashes and the world.
    pub seed: Seed,
    /// Number of crashes of the process, each followed by a restart.
    pub crashes: u32,
    /// Configuration of the game.
    pub config: GameConfig,
    /// Set if the rows of a sleeping branch are read in the moment in which they are requested, and not after the next
    /// commit.
    pub reads_at_once: bool,
    /// Amount added to the attack of all creatures, so that characters are defeated often enough.
    pub ferocity: u32,
}

impl SimulationPlan {
    /// Creates a plan with short lifetimes of branches, windows and link-dead characters, so that an hour covers as
    /// much as a month of play.
    pub fn new(players: u32, minutes: u32, seed: u64, crashes: u32) -> Self {
        let seed = Seed(seed);
        Self {
            players,
            minutes,
            seed,
            crashes,
            config: brisk(seed),
            reads_at_once: false,
            ferocity: seed.named("ferocity").rng().up_to(6),
        }
    }

    fn case(&self, catalog: &Catalog) -> Case {
        let case = Case::new(catalog, &self.config, self.ferocity);
        Case { reads_at_once: self.reads_at_once, ..case }
    }

    /// Returns the command line that runs this plan again.
    pub fn command_line(&self) -> String {
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        let length =
            if minutes == 0 { format!("--hours {hours}") } else { format!("--minutes {}", self.minutes) };
        let (players, seed, crashes) = (self.players, self.seed, self.crashes);
        format!("deepwell simulate --players {players} {length} --seed {seed} --crashes {crashes}")
    }
}

/// Content and configuration with which a simulation starts.
struct Case {
    catalog: Arc<Catalog>,
    config: GameConfig,
    reads_at_once: bool,
}

impl Case {
    fn new(catalog: &Catalog, config: &GameConfig, ferocity: u32) -> Self {
        let mut catalog = catalog.clone();
        catalog.creatures.values_mut().for_each(|creature| creature.attack += ferocity);
        // Add every kind of puzzle to every theme.
        let every: Vec<PuzzleEntry> = catalog.puzzles.all().map(every_kind).collect();
        catalog.themes.values_mut().for_each(|theme| theme.puzzles.extend(every.iter().cloned()));
        let config = config.clone();
        Self { catalog: Arc::new(catalog), config, reads_at_once: false }
    }
}

/// Runs a plan to its end.
///
/// # Errors
/// The first violation of an invariant or of a fact sent to clients, with the means to reproduce it.
pub fn run(plan: &SimulationPlan) -> Result<SimulationReport, Box<RunViolation>> {
    run_on(&mut Faithful, plan)
}

/// Runs a plan on a given storage.
///
/// # Errors
/// Same as [`run`].
pub fn run_on(
    storage: &mut dyn SimulatedStorage,
    plan: &SimulationPlan,
) -> Result<SimulationReport, Box<RunViolation>> {
    let case = plan.case(&Catalog::builtin());
    let driver = SimulationDriver::new(plan, &case, storage)
        .map_err(|breach| Box::new(RunViolation::at_start(breach)));
    driver
        .and_then(SimulationDriver::run)
        .map_err(|violation| Box::new(RunViolation { again: plan.command_line(), ..*violation }))
}

/// Minimises a run that ended with a violation and returns it as a recording.
pub fn shrink_on(
    storage: &mut dyn SimulatedStorage,
    plan: &SimulationPlan,
    violation: &RunViolation,
) -> Recording {
    let catalog = Catalog::builtin();
    let shortest = replay::shrink(storage, &plan.case(&catalog), violation);
    let begins = Beginning::Fresh { ferocity: plan.ferocity };
    let header = RecordingHeader::new(&catalog, &plan.config, begins, shortest.breach.0);
    Recording { header, moves: shortest.moves }
}

/// Replays a recording: one of the simulation on a given storage, or one of a server from the world `stored` at the
/// time. Returns the number of steps.
///
/// # Errors
/// The first violation.
pub fn replay_on(
    storage: &mut dyn SimulatedStorage,
    catalog: &Arc<Catalog>,
    recording: &Recording,
    stored: Snapshot,
) -> Result<u64, Box<RunViolation>> {
    match &recording.header.begins {
        Beginning::Fresh { ferocity } => {
            let case = Case::new(catalog, &recording.header.config, *ferocity);
            replay::play(storage, &case, &recording.moves).map(|report| report.steps)
        }
        Beginning::Stored { seated } => replay::play_stored(catalog, recording, seated, stored),
    }
}

/// Returns a puzzle with default settings.
fn every_kind(puzzle: &Arc<dyn Puzzle>) -> PuzzleEntry {
    PuzzleEntry::new(Arc::clone(puzzle), PuzzleConfig::of(&**puzzle).with_power(40))
}

/// Returns a configuration with short intervals and low limits, rolled from the seed so that runs cover different rare
/// cases.
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
    config.limits.slice_work = dice.between(100, 400);
    let asleep = dice.percent(80).then(|| Span::secs(i64::from(dice.between(1, 60))));
    config.dungeon.sleep_after = asleep.unwrap_or(Span::ZERO);
    let absent = dice.percent(80).then(|| Span::secs(i64::from(dice.between(1, 60))));
    config.limits.absent_after = absent.unwrap_or(Span::ZERO);
    config
}
