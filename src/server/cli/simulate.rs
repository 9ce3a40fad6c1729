//! `deepwell simulate`: bots in virtual time. What they do and what is checked stands in `crate::tools::simulate`.

use super::{Failure, show};
use crate::base::Seed;
use crate::tools::simulate::{self, Plan, balance};
use clap::Args;
use std::io::Write;

/// What to play.
#[derive(Args, Clone, Debug)]
pub struct SimulateArguments {
    /// How many bots [default: 50]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    players: Option<u32>,
    /// Hours of game time [default: 1]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000), conflicts_with = "minutes")]
    hours: Option<u32>,
    /// Minutes of game time, instead of hours
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=6_000_000))]
    minutes: Option<u32>,
    /// Where all dice begin; the same seed gives the same run
    #[arg(long)]
    seed: u64,
    /// How often the process dies and comes back from its storage
    #[arg(long, default_value_t = 0)]
    crashes: u32,
    /// Plays scripted parties of one to PLAYERS members instead, and prints how their fights went [players: 4, hours: 6]
    #[arg(long, conflicts_with_all = ["minutes", "crashes"])]
    report: bool,
    /// With --report: careers of each party size
    #[arg(long, default_value_t = 8, requires = "report", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    careers: u32,
}

/// Plays, and prints figures or the first violation.
pub(super) fn simulate(arguments: &SimulateArguments, out: &mut dyn Write) -> Result<(), Failure> {
    let SimulateArguments { players, hours, minutes, seed, crashes, report, careers } = *arguments;
    if report {
        let (largest, hours) = (players.unwrap_or(4).min(balance::LARGEST), hours.unwrap_or(6));
        return balance_report(&balance::Plan { seed: Seed(seed), largest, careers, hours }, out);
    }
    let players = players.unwrap_or(50);
    let minutes = minutes.unwrap_or_else(|| hours.unwrap_or(1) * 60);
    let plan = Plan::new(players, minutes, seed, crashes);
    show(out, &format!("{}\n", plan.command_line()))?;
    let report = simulate::run(&plan).map_err(Failure::Violation)?;
    show(out, &format!("{report}\n"))
}

fn balance_report(plan: &balance::Plan, out: &mut dyn Write) -> Result<(), Failure> {
    show(out, &format!("{}\n\n", plan.command_line()))?;
    let table = balance::play(plan).map_err(Failure::Violation)?;
    show(out, &table.to_string())
}

#[cfg(test)]
mod tests {
    use crate::server::cli::tests::typed;

    #[test]
    fn a_run_says_how_to_repeat_it() {
        let line = ["simulate", "--players", "3", "--minutes", "2", "--seed", "5", "--crashes", "1"];
        let (shown, result) = typed(&line);
        result.unwrap();
        assert!(shown.starts_with(&format!("deepwell {}\nsteps: ", line.join(" "))), "{shown}");
        assert_eq!(typed(&line).0, shown);
    }
}
