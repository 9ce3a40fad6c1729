//! `deepwell dungeon verify`: proofs over many seeds, on all cores. The proofs are in `deepwell_tools::verify` and
//! `deepwell_core::puzzle`.

use super::{BranchSelection, CliFailure, first_spec, show};
use deepwell_core::base::Seed;
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::BranchSpec;
use deepwell_core::puzzle::{self, PuzzleEntry};
use deepwell_game::DungeonConfig;
use deepwell_tools::verify::{Extent, RuleViolation, VerificationReport, verify};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Value of `--theme` that selects every level type and every puzzle.
pub(super) const ALL: &str = "all";

/// Number of seeds that a thread takes at a time.
const CHUNK: u64 = 32;

/// Proves the requested branches and puzzles, and prints the results in the order of their seeds.
pub(super) fn prove(
    catalog: &Catalog,
    config: &DungeonConfig,
    branches: &BranchSelection,
    puzzles: bool,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let all = branches.theme == ALL;
    let extent = Extent { rooms: branches.rooms, floors: branches.floors, puzzles };
    let BranchSelection { seed, seeds, rooms, floors, .. } = *branches;
    let mut broken = 0;
    let mut themes = BTreeSet::new();
    for name in level_types(catalog, branches) {
        let first = first_spec(catalog, config, name)?;
        let report =
            over_seeds(seed, seeds, &|seed| verify(&BranchSpec { seed, ..first.clone() }, catalog, extent));
        let again = |seed: Seed| {
            format!("deepwell dungeon map --theme \"{name}\" --seed {seed} --rooms {rooms} --floors {floors}")
        };
        broken += report.violations.len();
        let done = format!("{} rooms on {} floors", report.rooms, report.floors);
        let gates = if puzzles { format!(", {} gates", report.gates) } else { String::new() };
        tell(&format!("level type {name}"), branches, &(done + &gates), &report, &again, out)?;
        themes.insert(first.theme);
    }
    if all || puzzles {
        for (entry, listed) in entries(catalog, &themes) {
            let name = entry.puzzle.name();
            let report = over_seeds(seed, seeds, &|seed| {
                let mut report = VerificationReport::default();
                report.add_puzzle(seed, 0, puzzle::verify(entry, seed));
                report
            });
            let theme = listed.first().copied().unwrap_or_default();
            let again =
                |seed: Seed| format!("deepwell dungeon map --puzzle {name} --theme {theme} --seed {seed}");
            broken += report.violations.len();
            let done = format!("{} solved", report.gates);
            tell(&format!("puzzle {name} of {}", listed.join(", ")), branches, &done, &report, &again, out)?;
        }
    }
    if broken > 0 { Err(CliFailure::Found(broken)) } else { Ok(()) }
}

/// Returns the requested level types: one, or all.
pub(super) fn level_types<'a>(catalog: &'a Catalog, branches: &'a BranchSelection) -> Vec<&'a str> {
    if branches.theme == ALL {
        catalog.level_types.keys().map(String::as_str).collect()
    } else {
        vec![&branches.theme]
    }
}

/// Returns the puzzles of some themes, each distinct configuration once, with the themes that list it.
fn entries<'a>(catalog: &'a Catalog, themes: &BTreeSet<String>) -> Vec<(&'a PuzzleEntry, Vec<&'a str>)> {
    let mut found: BTreeMap<String, (&PuzzleEntry, Vec<&str>)> = BTreeMap::new();
    for theme in catalog.themes.values().filter(|theme| themes.contains(&theme.key)) {
        for entry in &theme.puzzles {
            // Goal text and sound do not affect the proof.
            let mut config = entry.config.clone();
            (config.goal, config.sound) = (String::new(), None);
            let key = format!("{} {config:?}", entry.puzzle.name());
            found.entry(key).or_insert_with(|| (entry, Vec::new())).1.push(&theme.key);
        }
    }
    found.into_values().collect()
}

/// Runs `work` for each seed on all cores and merges the reports in seed order.
fn over_seeds(
    first: u64,
    seeds: u64,
    work: &(dyn Fn(Seed) -> VerificationReport + Sync),
) -> VerificationReport {
    let next = AtomicU64::new(0);
    let take_chunks = || {
        let mut done = Vec::new();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let from = chunk.saturating_mul(CHUNK);
            if from >= seeds {
                return done;
            }
            let mut report = VerificationReport::default();
            for number in from..(from + CHUNK).min(seeds) {
                report.add(work(Seed(first.wrapping_add(number))));
            }
            done.push((chunk, report));
        }
    };
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut done: Vec<(u64, VerificationReport)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(take_chunks)).collect();
        let ends = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        ends.flatten().collect()
    });
    done.sort_by_key(|(chunk, _)| *chunk);
    let mut all = VerificationReport::default();
    for (_, report) in done {
        all.add(report);
    }
    all
}

/// Prints the report of one level type or puzzle: each violation with a command that shows it, each fallback, and
/// totals.
fn tell(
    what: &str,
    BranchSelection { seed, seeds, .. }: &BranchSelection,
    done: &str,
    report: &VerificationReport,
    again: &dyn Fn(Seed) -> String,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    for violation in &report.violations {
        show(out, &format!("{what}: {violation}\n  show it with: {}\n", again(violation.seed)))?;
    }
    for RuleViolation { seed, what: why, .. } in &report.plain {
        show(out, &format!("{what}: seed {seed} uses the fallback: {why}\n"))?;
    }
    let end = match report.violations.len() {
        0 => "all rules hold".to_owned(),
        broken => format!("{broken} violations"),
    };
    let (redrawn, plain) = (report.redrawn, report.plain.len());
    show(
        out,
        &format!(
            "{what}: {seeds} seeds from {seed}, {done}, {redrawn} regenerated, {plain} fallbacks: {end}\n"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::cli::tests::typed;

    /// C3: reports are in seed order for any number of threads.
    #[test]
    fn reports_are_in_seed_order() {
        let report = over_seeds(7, 1_000, &|seed| VerificationReport {
            rooms: 1,
            violations: vec![RuleViolation { seed, step: 0, what: String::new() }],
            ..VerificationReport::default()
        });
        assert_eq!(report.rooms, 1_000);
        assert!((7..1_007).eq(report.violations.iter().map(|violation| violation.seed.0)));
    }

    /// H17, P4: one command proves all shipped level types, and each puzzle with the themes' parameters.
    #[test]
    fn all_shipped_content_verifies() {
        let line = ["dungeon", "verify", "--theme", "all", "--seed", "1", "--seeds", "8"];
        let (shown, result) = typed(&line);
        assert!(result.is_ok(), "{shown}");
        let catalog = Catalog::builtin();
        assert_eq!(shown.matches("level type ").count(), catalog.level_types.len(), "{shown}");
        for puzzle in catalog.puzzles.names() {
            assert!(shown.contains(&format!("\npuzzle {puzzle} of ")), "{shown}");
        }
        assert!(shown.lines().all(|line| line.ends_with(" 0 fallbacks: all rules hold")), "{shown}");
    }

    /// Puzzles behind gates are proved on request, and each violation is printed with a command that shows it.
    #[test]
    fn violations_are_printed_with_a_map_command() {
        let (shown, result) =
            typed(&["dungeon", "verify", "--puzzles", "--seed", "1", "--seeds", "3", "--rooms", "120"]);
        assert!(result.is_ok() && shown.contains(" gates, "), "{shown}");
        assert_eq!(shown.matches("puzzle vault of well: 3 seeds from 1, 3 solved").count(), 1, "{shown}");
        let mut out = Vec::new();
        let violation = RuleViolation { seed: Seed(9), step: 4, what: "a hole".into() };
        let report = VerificationReport { violations: vec![violation], ..VerificationReport::default() };
        let branches = BranchSelection {
            theme: "well".into(),
            seed: 1,
            rooms: 60,
            floors: 1,
            seeds: 10,
            moves: None,
            generator: None,
        };
        tell("level type well", &branches, "60 rooms", &report, &|seed| format!("show {seed}"), &mut out)
            .unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "level type well: seed 9, room 4: a hole\n  show it with: show 9\n\
             level type well: 10 seeds from 1, 60 rooms, 0 regenerated, 0 fallbacks: 1 violations\n"
        );
    }
}
