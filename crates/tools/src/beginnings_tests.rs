//! Tests of variety in the first rooms of branches. Frequent players see these rooms most, so they must vary most.

use crate::branch::PlannedBranch;
use deepwell_core::base::{Direction, Seed};
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::{BranchSpec, Recent};
use deepwell_core::text::sentence::sentences;
use std::collections::{BTreeMap, BTreeSet};

/// Counts of the openings, room kinds and shapes of the first rooms of many branches.
#[derive(Clone, Debug, Default)]
struct Beginnings {
    branches: u64,
    openings: BTreeMap<Vec<String>, u64>,
    kinds: BTreeMap<Vec<String>, u64>,
    shapes: BTreeMap<Vec<BTreeSet<Direction>>, u64>,
}

impl Beginnings {
    /// Adds a branch to the counts.
    fn add(&mut self, branch: &PlannedBranch) {
        let first = || branch.rooms.iter().take(Recent::FIRST as usize);
        self.branches += 1;
        let opening = |text: &str| sentences(text).next().unwrap_or_default().to_owned();
        let openings = first().map(|room| opening(&room.plan.sheet.description)).collect();
        *self.openings.entry(openings).or_default() += 1;
        let kinds = first().map(|room| {
            let fight = if room.plan.clear { "" } else { ", barred" };
            format!("{}{fight}", room.plan.sheet.kind.name())
        });
        *self.kinds.entry(kinds.collect()).or_default() += 1;
        let shapes = first().map(|room| room.exits.keys().copied().collect());
        *self.shapes.entry(shapes.collect()).or_default() += 1;
    }

    /// Returns, per million pairs of branches, the pairs with equal opening sentences, room kinds and shapes, in this
    /// order.
    fn alike_per_million(&self) -> [u64; 3] {
        let pairs = |number: u64| number * number.saturating_sub(1);
        let of = |counts: Vec<u64>| {
            counts.into_iter().map(pairs).sum::<u64>() * 1_000_000 / pairs(self.branches).max(1)
        };
        [
            of(self.openings.values().copied().collect()),
            of(self.kinds.values().copied().collect()),
            of(self.shapes.values().copied().collect()),
        ]
    }
}

/// The first five rooms vary most. Of 300 branches of each level type, almost no two begin with the same sentences.
/// Among the first rooms no kind occurs twice, except fights and empty rooms. Where floors grow, few pairs begin with
/// the same five kinds or the same five shapes. Floors generated whole begin with corridors and are exempt from these
/// two limits.
#[test]
fn first_rooms_differ_between_branches() {
    let catalog = Catalog::builtin();
    for level_type in catalog.level_types.values() {
        let mut beginnings = Beginnings::default();
        for seed in 0..300 {
            let branch = PlannedBranch::walk(
                BranchSpec::of(&catalog, &level_type.name, Seed(seed)),
                &catalog,
                Recent::FIRST,
                1,
            );
            let special = branch.rooms.iter().map(|room| room.plan.sheet.kind);
            let special: Vec<_> =
                special.filter(|kind| !matches!(kind.name(), "dungeon" | "corridor")).collect();
            let different: BTreeSet<_> = special.iter().collect();
            assert_eq!(special.len(), different.len(), "{}: {special:?}", level_type.name);
            beginnings.add(&branch);
        }
        let [openings, kinds, shapes] = beginnings.alike_per_million();
        let key = &level_type.name;
        assert!(openings <= 100, "{key}: {openings} pairs of a million begin with the same sentences");
        if level_type.layout.is_none() {
            continue;
        }
        assert!(kinds <= 15_000, "{key}: {kinds} pairs of a million begin with the same kinds");
        assert!(shapes <= 15_000, "{key}: {shapes} pairs of a million begin with the same shapes");
    }
}

/// The measure is 1,000,000 for identical branches and 0 for an empty set.
#[test]
fn alike_per_million_covers_identical_and_empty_sets() {
    let catalog = Catalog::builtin();
    let theme = &catalog.themes["well"];
    let branch = |seed| PlannedBranch::walk(BranchSpec::of(&catalog, &theme.key, Seed(seed)), &catalog, 5, 1);
    let mut same = Beginnings::default();
    (0..3).for_each(|_| same.add(&branch(1)));
    assert_eq!(same.alike_per_million(), [1_000_000; 3]);
    assert_eq!(Beginnings::default().alike_per_million(), [0; 3]);
}
