//! Hours of play in seconds: bots, crashes, and an auditor that must find every deliberate fault.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod faults;
#[path = "../figures/mod.rs"]
mod figures;
#[path = "../pair/mod.rs"]
mod pair;
mod whole;

use deepwell::base::Span;
use deepwell::tools::simulate::{SimulationPlan, SimulationReport, run};
use std::thread;

fn played(plan: &SimulationPlan) -> SimulationReport {
    match run(plan) {
        Ok(report) => report,
        Err(violation) => panic!("{violation}"),
    }
}

/// Plays each plan on a thread of its own; returns the reports in the order of the plans.
fn played_together(plans: impl IntoIterator<Item = SimulationPlan>) -> Vec<SimulationReport> {
    let runs: Vec<_> = plans.into_iter().map(|plan| thread::spawn(move || played(&plan))).collect();
    runs.into_iter().map(|run| run.join().unwrap()).collect()
}

/// Reliability 10: many players, one hour, and repeated crashes.
#[test]
fn thirty_players_survive_an_hour_of_crashes() {
    let report = played(&SimulationPlan::new(30, 60, 2, 40));
    assert!(report.crashes > 30 && report.branches_collapsed > 20 && report.kills > 50, "{report}");
    assert!(
        report.gifts > 0 && report.takeovers > 10 && report.links_lost > 10 && report.read_only > 0,
        "{report}"
    );
}

/// E46 to E50: few players, with many branches created, unlinked and expired.
#[test]
fn three_players_see_many_branches_expire() {
    let report = played(&SimulationPlan::new(3, 4 * 60, 4, 15));
    assert!(report.branches_collapsed > 30, "{report}");
}

#[test]
fn two_hundred_players_survive_crashes() {
    let report = played(&SimulationPlan::new(200, 8, 3, 4));
    assert!(report.crashes > 0 && report.commands > 2_000, "{report}");
}

/// Damage varies by seed; over several seeds, players are defeated and continue in the start room.
#[test]
fn defeated_players_continue() {
    let plans = (20..26).map(|seed| SimulationPlan::new(5, 45, seed, 6));
    let deaths: u64 = played_together(plans).iter().map(|report| report.deaths).sum();
    assert!(deaths > 0, "nobody fell");
}

/// H16 to H18: bots find gates, and lose and solve puzzles, across crashes.
#[test]
fn bots_solve_puzzles() {
    // Rare: not every seed has one.
    let solved = |seed| played(&SimulationPlan::new(8, 60, seed, 6)).puzzles > 0;
    assert!((36..60).any(solved), "nobody solved a puzzle");
}

/// H2: in a full branch, a gate is waived, and its room becomes an ordinary one.
#[test]
fn h2_gates_in_full_branches_are_waived() {
    // Rare: not every seed has one.
    let waived = |seed| {
        let mut plan = SimulationPlan::new(8, 60, seed, 6);
        plan.config.limits.rooms_per_branch = 12;
        played(&plan).puzzles_waived > 0
    };
    assert!((35..60).any(waived), "no gate was waived");
}

/// C3, style 3: time and randomness are inputs, so the same plan gives the same bytes.
#[test]
fn c3_same_seed_gives_same_bytes() {
    let plan = SimulationPlan::new(8, 30, 7, 8);
    let reports = played_together([plan.clone(), plan, SimulationPlan::new(8, 30, 8, 8)]);
    assert_eq!(reports[0], reports[1]);
    assert_ne!(reports[0].digest, reports[2].digest, "another seed is another run");
}

/// Branches and accounts that sleep and wake leave the same world and show players the same as those that stay in memory.
#[test]
fn parts_that_sleep_do_not_change_the_world() {
    let plan = |seed, after| {
        let mut plan = SimulationPlan { reads_at_once: true, ..SimulationPlan::new(6, 240, seed, 0) };
        // The number of slices depends on the rows in memory, and each is a step of the simulation.
        (plan.config.limits.collapse_rows, plan.config.limits.slice_work) = (100_000, 100_000);
        (plan.config.dungeon.sleep_after, plan.config.limits.absent_after) = (after, after);
        plan
    };
    let plans = [40, 41, 46].iter().flat_map(|seed| [plan(*seed, Span::secs(5)), plan(*seed, Span::ZERO)]);
    for reports in played_together(plans).chunks(2) {
        let (sleeping, sleepless) = (&reports[0], &reports[1]);
        assert!(sleeping.woken > 0 && sleeping.returned > 0, "{sleeping}");
        assert_eq!((sleepless.woken, sleepless.returned), (0, 0));
        let outcome = |report: &SimulationReport| (report.digest, report.world);
        assert_eq!(outcome(sleeping), outcome(sleepless), "{sleeping}");
    }
}
