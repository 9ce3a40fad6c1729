//! How hard the dungeon is: simple scripted parties play whole careers in virtual time, and every fight is counted
//! by difficulty and party size. The same plan gives the same table.

mod party;
mod stage;
mod table;

pub use table::Table;

use super::bot;
use crate::base::{Dice, Direction, Seed, Span};
use crate::catalog::Catalog;
use crate::game::GameConfig;
use crate::tools::simulate::{Breach, Violation};
use party::Party;
use stage::Stage;
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
    let violated = |breach| {
        let replay = plan.command_line();
        Box::new(Violation { breach, step: 0, at: stage::BEGIN, recent: Vec::new(), replay })
    };
    for size in 1..=plan.largest {
        for career in 0..plan.careers {
            let seed = plan.seed.named("career").numbered(u64::from(size)).numbered(u64::from(career));
            let config = GameConfig { seed: seed.named("world"), ..GameConfig::default() };
            let career = || {
                let mut stage = Stage::new(Arc::clone(&catalog), config, false)?;
                let names: Vec<String> = (0..size).map(bot::name).collect();
                let mut party = Party::gather(&mut stage, &names, Direction::North)?;
                let until = stage::BEGIN + Span::mins(i64::from(plan.hours) * 60);
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

/// Many parties in one world, whose lines are cut and whose server dies, and who all want to go home at last.
#[derive(Clone, Copy, Debug)]
pub struct Expedition {
    /// Where all dice begin.
    pub seed: Seed,
    /// Parties; of one to four members in turn.
    pub parties: u32,
    /// Minutes they spend below.
    pub minutes: u32,
    /// Times the server dies meanwhile.
    pub crashes: u32,
}

/// What an expedition went through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Toll {
    /// Lines that were cut.
    pub cuts: u32,
    /// Times the server died.
    pub crashes: u32,
    /// Fights.
    pub fights: u64,
    /// Times somebody went down.
    pub downed: u64,
}

/// Sends parties down and waits until everybody is home.
///
/// # Errors
/// Who is not home after an hour of trying, or the invariant that broke.
pub fn expedition(plan: Expedition) -> Result<Toll, Breach> {
    let mut dice = plan.seed.named("expedition").rng();
    let config = GameConfig { seed: plan.seed.named("world"), ..GameConfig::default() };
    let mut stage = Stage::new(Arc::new(Catalog::builtin()), config, true)?;
    let (mut table, mut toll) = (Table::default(), Toll::default());
    let mut parties = Vec::new();
    let mut taken = 0;
    for number in 0..plan.parties {
        let names: Vec<String> = (0..=number % 4).map(|member| bot::name(taken + member)).collect();
        taken += 4;
        let way = Direction::PLANE[number as usize % Direction::PLANE.len()];
        parties.push(Party::gather(&mut stage, &names, way)?);
    }
    let minutes = i64::from(plan.minutes);
    let (homesick, end) = (stage::BEGIN + Span::mins(minutes), stage::BEGIN + Span::mins(minutes + 60));
    let between = Span::millis(minutes * 60_000 / i64::from(plan.crashes + 1));
    let mut next_crash = stage::BEGIN + between;
    while stage.now < end {
        stage.tick();
        let going_home = stage.now >= homesick;
        if !going_home && stage.now >= next_crash {
            next_crash = next_crash + between;
            stage.crash()?;
            parties.iter_mut().for_each(Party::cut_off);
            toll.crashes += 1;
        }
        for party in &mut parties {
            party.homesick = going_home;
            if !going_home && dice.up_to(199) == 0 {
                party.cut(&mut stage, dice.up_to(3) as usize);
                toll.cuts += 1;
            }
            if going_home || dice.up_to(9) == 0 {
                party.come_back(&mut stage);
            }
            party.moment(&mut stage, &mut table);
        }
        if going_home && parties.iter().all(|party| party.not_home(&stage).is_empty()) {
            (toll.fights, toll.downed) = table.sums();
            return stage.check().map(|()| toll);
        }
    }
    let lost: Vec<String> = parties.iter().flat_map(|party| party.not_home(&stage)).collect();
    Err(Breach(lost.join("; ")))
}
