//! Reward in the last room of a branch that ends.

use crate::base::Seed;
use crate::catalog::{Catalog, Theme};
use crate::dungeon::encounter::Encounter;

/// Returns the items in the last room of a branch with this many rooms: a larger branch gives more and better items.
/// The theme's last treasure is always included.
pub fn finish_reward(
    theme: &Theme,
    catalog: &Catalog,
    rooms: u32,
    difficulty: u32,
    seed: Seed,
) -> Vec<String> {
    let rules = &catalog.rules.finish;
    let shares = (rooms / rules.rooms_per_thing).clamp(1, rules.most_things);
    let mut dice = seed.named("finish").rng();
    let encounter = Encounter { theme, catalog, difficulty: difficulty.saturating_add(shares) };
    let drawn = encounter.things(shares.saturating_sub(1), &mut dice);
    theme.treasure.last().cloned().into_iter().chain(drawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E22: a larger branch has a larger reward.
    #[test]
    fn e22_reward_grows_with_branch_size() {
        let catalog = Catalog::builtin();
        let theme = &catalog.themes["sunken_house"];
        let found = |rooms, seed| finish_reward(theme, &catalog, rooms, 3, Seed(seed));
        for seed in 0..20 {
            let numbers = [5, 14, 24, 36, 400].map(|rooms| found(rooms, seed).len());
            assert_eq!(numbers, [1, 1, 3, 4, 8], "seed {seed}");
        }
        assert_eq!(found(36, 1).first(), theme.treasure.last());
    }
}
