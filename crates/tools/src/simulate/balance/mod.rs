//! Balance report: scripted parties play whole careers in virtual time, and every fight is counted by difficulty and
//! party size. The same plan gives the same table.

mod party;
mod scene;
mod table;

#[cfg(test)]
mod expedition_tests;

pub use table::FightTable;

use super::names;
use crate::simulate::RunViolation;
use crate::simulate::stage::{BEGIN, SimulatedGame};
use deepwell_core::base::{Direction, Seed, Span};
use deepwell_core::catalog::Catalog;
use deepwell_core::world::Snapshot;
use deepwell_game::GameConfig;
use party::BotParty;
use std::sync::Arc;

/// Parameters of a balance report.
#[derive(Clone, Debug)]
pub struct BalancePlan {
    /// Seed of all random numbers.
    pub seed: Seed,
    /// Largest party size; all sizes from one to this are played.
    pub largest: u32,
    /// Number of careers per party size.
    pub careers: u32,
    /// Duration of each career, in hours of game time.
    pub hours: u32,
}

impl BalancePlan {
    /// Returns the command line that runs this plan again.
    pub fn command_line(&self) -> String {
        let Self { seed, largest, careers, hours } = self;
        format!(
            "deepwell simulate --report --seed {seed} --players {largest} --careers {careers} --hours {hours}"
        )
    }
}

/// Maximum party size.
pub const LARGEST: u32 = 6;

/// Plays all careers of a plan with the given content and settings, each in a separate world.
///
/// # Errors
/// A violation if a world did not start or an invariant was broken.
pub fn play(
    plan: &BalancePlan,
    catalog: &Arc<Catalog>,
    config: &GameConfig,
) -> Result<FightTable, Box<RunViolation>> {
    let mut table = FightTable::default();
    let violated =
        |breach| Box::new(RunViolation { again: plan.command_line(), ..RunViolation::at_start(breach) });
    for (size, answers) in (1..=plan.largest).flat_map(|size| [(size, false), (size, true)]) {
        for career in 0..plan.careers {
            let seed = plan.seed.named("career").numbered(u64::from(size)).numbered(u64::from(career));
            let config = GameConfig { seed: seed.named("world"), ..config.clone() };
            let career = || {
                let mut stage = SimulatedGame::new(Arc::clone(catalog), config, Snapshot::default())?;
                let names: Vec<String> = (0..size).map(names::name).collect();
                let mut party = BotParty::gather(&mut stage, &names, Direction::North)?;
                party.answers = answers;
                let until = BEGIN + Span::mins(i64::from(plan.hours) * 60);
                while stage.now < until {
                    stage.tick();
                    party.moment(&mut stage, &mut table);
                }
                stage.check()
            };
            career().map_err(violated)?;
        }
    }
    Ok(table)
}
