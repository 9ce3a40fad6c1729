//! How hard the dungeon is: simple scripted parties play whole careers in virtual time, and every fight is counted
//! by difficulty and party size. The same plan gives the same table.

mod party;
mod scene;
mod table;

#[cfg(test)]
mod expedition_tests;

pub use table::Table;

use super::names;
use crate::base::{Direction, Seed, Span};
use crate::catalog::Catalog;
use crate::game::GameConfig;
use crate::tools::simulate::Violation;
use crate::tools::simulate::stage::{BEGIN, Stage};
use crate::world::Snapshot;
use party::Party;
use std::sync::Arc;

/// Which careers to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where all dice begin.
    pub seed: Seed,
    /// Sizes of parties, each from one to the largest.
    pub largest: u32,
    /// Careers of each size.
    pub careers: u32,
    /// Hours of game time of each career.
    pub hours: u32,
}

impl Plan {
    /// The command line that plays this plan again.
    pub fn command_line(&self) -> String {
        let Self { seed, largest, careers, hours } = self;
        format!(
            "deepwell simulate --report --seed {seed} --players {largest} --careers {careers} --hours {hours}"
        )
    }
}

/// The largest party there is.
pub const LARGEST: u32 = 6;

/// Plays all careers of a plan. Each has a world of its own.
///
/// # Errors
/// What did not hold, if the world did not begin or an invariant broke.
pub fn play(plan: &Plan) -> Result<Table, Box<Violation>> {
    let catalog = Arc::new(Catalog::builtin());
    let mut table = Table::default();
    let violated = |breach| Box::new(Violation { again: plan.command_line(), ..Violation::at_start(breach) });
    for size in 1..=plan.largest {
        for career in 0..plan.careers {
            let seed = plan.seed.named("career").numbered(u64::from(size)).numbered(u64::from(career));
            let config = GameConfig { seed: seed.named("world"), ..GameConfig::default() };
            let career = || {
                let mut stage = Stage::new(Arc::clone(&catalog), config, Snapshot::default())?;
                let names: Vec<String> = (0..size).map(names::name).collect();
                let mut party = Party::gather(&mut stage, &names, Direction::North)?;
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
