//! Hours of play in seconds: bots, crashes, and an auditor that must find every deliberate fault.

use deepwell::simulate::{Fault, Plan, Report, run};

fn played(plan: &Plan) -> Report {
    match run(plan) {
        Ok(report) => report,
        Err(violation) => panic!("{violation}"),
    }
}

#[test]
fn thirty_players_for_an_hour_with_crashes() {
    let report = played(&Plan::new(30, 60, 1, 40));
    println!("{report}");
    assert!(report.crashes == 40 && report.branches_collapsed > 0 && report.kills > 0, "{report}");
    assert!(report.deaths > 0 && report.gifts > 0 && report.takeovers > 0, "{report}");
}

#[test]
fn faults() {
    for fault in Fault::ALL {
        match run(&Plan::new(12, 30, 5, 40).with(fault)) {
            Ok(_) => println!("{fault:?}: NOT FOUND"),
            Err(violation) => println!("{fault:?}: {} {}", violation.step, violation.message),
        }
    }
}
