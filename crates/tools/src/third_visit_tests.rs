//! Tests of variety between branches of the same exit. A player who returns to an exit should read mostly new sentences.

use crate::branch::PlannedBranch;
use deepwell_core::base::Seed;
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::BranchSpec;
use deepwell_core::text::sentence::marks;
use std::collections::BTreeSet;

/// Number of rooms of one visit.
const ROOMS: u32 = 30;

/// Maximum share of repeated statements on the third visit, in percent. The shipped themes have 20 to 30.
const REPEATED_PERCENT: usize = 33;

/// Returns the level types behind the branch exits of the shipped areas.
fn level_types(catalog: &Catalog) -> BTreeSet<&str> {
    let exits = catalog.areas.values().flat_map(|area| &area.rooms).flat_map(|room| &room.exits);
    exits.filter_map(|exit| exit.settings.set.exits.theme.as_deref()).collect()
}

/// Returns the marks of all statements in the descriptions of a branch.
fn statements_of(catalog: &Catalog, level_type: &str, seed: u64) -> Vec<u32> {
    let branch = PlannedBranch::walk(BranchSpec::of(catalog, level_type, Seed(seed)), catalog, ROOMS, 1);
    branch.rooms.iter().flat_map(|room| marks(&room.plan.sheet.description)).collect()
}

/// Counts the statements of the third branch of each triple, and those of them that occur in the first two branches.
fn repeated_on_third_visit(catalog: &Catalog, level_type: &str, triples: u64) -> (usize, usize) {
    let mut counts = (0, 0);
    for first in (0..triples).map(|triple| 1_000 + 50 * triple) {
        let read: BTreeSet<u32> =
            [first, first + 1].iter().flat_map(|seed| statements_of(catalog, level_type, *seed)).collect();
        let third = statements_of(catalog, level_type, first + 2);
        counts.0 += third.len();
        counts.1 += third.iter().filter(|mark| read.contains(mark)).count();
    }
    counts
}

/// At each exit, at most a third of the sentences of a third visit of thirty rooms were in the first two. Sentences that
/// differ only in numbers, directions and sides are equal.
#[test]
fn third_visit_repeats_at_most_a_third() {
    let catalog = Catalog::builtin();
    let level_types = level_types(&catalog);
    assert!(level_types.len() > 1, "{level_types:?}");
    for level_type in level_types {
        let (sentences, repeated) = repeated_on_third_visit(&catalog, level_type, 10);
        assert!(sentences > 0, "{level_type}");
        let percent = repeated * 100 / sentences;
        assert!(percent <= REPEATED_PERCENT, "{level_type}: {repeated} of {sentences}, {percent} %");
    }
}

/// A branch that is visited again repeats all of its statements.
#[test]
fn same_branch_repeats_everything() {
    let catalog = Catalog::builtin();
    let once = statements_of(&catalog, "well", 7);
    let again: BTreeSet<u32> = statements_of(&catalog, "well", 7).into_iter().collect();
    assert!(!once.is_empty() && once.iter().all(|mark| again.contains(mark)));
}
