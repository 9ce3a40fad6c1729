//! Puzzle gates: the seed of the puzzle, the guard inside, and the reward by tier.

use crate::base::{Point, Seed};
use crate::catalog::rules::by_number;
use crate::catalog::{Catalog, Theme};
use crate::dungeon::encounter::Encounter;

/// Returns the seed of the puzzle behind the gate at a position. It does not depend on the time of entry.
pub fn puzzle_seed(branch: Seed, floor: u32, at: Point) -> Seed {
    let axis = |n: i32| u64::from(n.cast_unsigned());
    branch.named("gate").numbered(floor.into()).numbered(axis(at.x)).numbered(axis(at.y))
}

/// Returns a creature to guard an item in a puzzle, one that guards at this difficulty.
pub fn puzzle_guard(theme: &Theme, catalog: &Catalog, difficulty: u32, seed: Seed) -> Option<String> {
    let encounter = Encounter { theme, catalog, difficulty };
    encounter.guards(1, &mut seed.named("guard").rng()).into_iter().next()
}

/// Reward for solving a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reward {
    /// Prototype keys of the items.
    pub items: Vec<String>,
    /// Number of coppers.
    pub coins: u32,
}

/// Returns the reward of a puzzle after a number of losses. Fewer losses give the same items and more.
pub fn puzzle_reward(theme: &Theme, catalog: &Catalog, difficulty: u32, losses: u32, seed: Seed) -> Reward {
    let rules = &catalog.rules.puzzles;
    let tier = (losses as usize).saturating_add(1);
    let number = by_number(&rules.things, tier);
    let encounter = Encounter { theme, catalog, difficulty };
    let items = encounter.things(number, &mut seed.named("reward").rng());
    let coins = encounter.coins(&mut seed.named("coins").rng());
    let least = difficulty.saturating_add(1).saturating_mul(5);
    let percent = u64::from(by_number(&rules.coins_percent, tier));
    let coins = u64::from(coins.max(least)).saturating_mul(percent) / 100;
    Reward { items, coins: u32::try_from(coins).unwrap_or(u32::MAX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H18: each loss lowers the reward by one tier and changes nothing else.
    #[test]
    fn each_loss_lowers_reward_by_one_tier() {
        let catalog = Catalog::builtin();
        let theme = &catalog.themes["well"];
        for seed in (0..40).map(Seed) {
            let rewards: Vec<Reward> =
                (0..6).map(|losses| puzzle_reward(theme, &catalog, 6, losses, seed)).collect();
            assert_eq!(
                rewards.iter().map(|reward| reward.items.len()).collect::<Vec<_>>(),
                [3, 2, 1, 1, 1, 1]
            );
            assert!(rewards.windows(2).all(|pair| pair[0].items.starts_with(&pair[1].items)), "{rewards:?}");
            assert!(rewards.windows(2).all(|pair| pair[0].coins >= pair[1].coins), "{rewards:?}");
            assert!(rewards[0].coins > rewards[3].coins && rewards[5].coins > 0, "{rewards:?}");
        }
    }

    /// C3: gates at different positions have different puzzles, regardless of the order of exploration.
    #[test]
    fn gates_have_distinct_seeds() {
        let seeds = [(1, 0, 1), (1, 1, 0), (2, 0, 1), (1, 0, -1)]
            .map(|(floor, x, y)| puzzle_seed(Seed(7), floor, Point::new(x, y)));
        let distinct: std::collections::BTreeSet<u64> = seeds.iter().map(|seed| seed.0).collect();
        assert_eq!(distinct.len(), seeds.len());
    }
}
