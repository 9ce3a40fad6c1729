//! Checks of room contents: guards cost no more than the room's difficulty allows, and loot comes from the tables for
//! that difficulty. The checks are written from the tables alone, independently of the furnishing code.

use deepwell_core::catalog::room_kind::Loot;
use deepwell_core::catalog::theme::guards::guards_at;
use deepwell_core::catalog::{Catalog, CreaturePrototype, Theme};
use deepwell_core::dungeon::RoomPlan;
use deepwell_core::dungeon::gate::Reward;

/// Returns every violation of the theme's budgets in a room. The plan must not contain additions of the level type.
pub(super) fn overdrafts(plan: &RoomPlan, theme: &Theme, catalog: &Catalog) -> Vec<String> {
    let more = if plan.out_of_depth { theme.out_of_depth.difficulty } else { 0 };
    let place = Budget { theme, catalog, difficulty: plan.difficulty.saturating_add(more) };
    let mut violations = Vec::new();
    place.check_guards(plan, &mut violations);
    place.check_loot(plan, &mut violations);
    if let Some(number) = plan.puzzle()
        && !theme.puzzles.get(number as usize).is_some_and(|entry| entry.is_for(place.difficulty))
    {
        violations
            .push(format!("puzzle {number} of the theme is not allowed at difficulty {}", place.difficulty));
    }
    violations
}

/// Returns every violation of the theme's tables in the reward of a puzzle.
pub(super) fn reward_overdrafts(
    reward: &Reward,
    theme: &Theme,
    catalog: &Catalog,
    difficulty: u32,
) -> Vec<String> {
    let place = Budget { theme, catalog, difficulty };
    let mut violations = Vec::new();
    let rules = &catalog.rules.puzzles;
    let things = rules.things.iter().max().copied().unwrap_or(0);
    let percent = rules.coins_percent.iter().max().copied().unwrap_or(0);
    let least = difficulty.saturating_add(1).saturating_mul(5);
    let coins = u64::from(place.most_coins().max(least)) * u64::from(percent) / 100;
    place.check_hoard(&reward.items, things, reward.coins, coins, &mut violations);
    violations
}

/// Limits of a theme at one difficulty.
struct Budget<'a> {
    theme: &'a Theme,
    catalog: &'a Catalog,
    difficulty: u32,
}

impl Budget<'_> {
    /// Checks the guards against the threat budget. A single inhabitant of the halls is allowed instead.
    fn check_guards(&self, plan: &RoomPlan, violations: &mut Vec<String>) {
        let Budget { theme, catalog, difficulty } = *self;
        let mut guards: Vec<&CreaturePrototype> = Vec::new();
        for key in &plan.challenge.creatures {
            match catalog.creatures.get(key) {
                Some(creature) if creature.guards() => guards.push(creature),
                Some(_) => {}
                None => violations.push(format!("there is no creature {key}")),
            }
        }
        let inhabitants = theme.inhabitants.iter().flat_map(|halls| &halls.creatures);
        let lives_here = |creature: &CreaturePrototype| {
            inhabitants.clone().any(|inhabitant| inhabitant.creature == creature.key)
        };
        if let [only] = guards.as_slice()
            && lives_here(only)
        {
            return;
        }
        let cost = guards.iter().fold(0_u32, |sum, creature| sum.saturating_add(creature.threat));
        let (_, most) = theme.threat.budget(difficulty);
        let cheapest =
            || guards_at(theme, catalog, difficulty).map(|creature| creature.threat).min().unwrap_or(0);
        if cost > most && cost > cheapest() {
            violations
                .push(format!("guards of threat {cost} at difficulty {difficulty}, which allows {most}"));
        }
        if guards.len() > theme.threat.most as usize {
            violations.push(format!("{} guards, at most {}", guards.len(), theme.threat.most));
        }
        for creature in guards.iter().filter(|creature| !creature.appears_at(difficulty)) {
            violations.push(format!("{} does not appear at difficulty {difficulty}", creature.key));
        }
    }

    fn check_loot(&self, plan: &RoomPlan, violations: &mut Vec<String>) {
        let (items, coins) = (&plan.challenge.items, plan.challenge.coins);
        let of_hoard = u64::from(self.most_coins());
        match plan.sheet.kind.spec().loot {
            Loot::Hoard => {
                if items.is_empty() {
                    violations.push("a hoard without things".to_owned());
                }
                self.check_hoard(items, (1 + self.difficulty / 4).min(3), coins, of_hoard, violations);
            }
            Loot::Gift => {
                let least = self.difficulty.saturating_mul(3).saturating_add(5);
                self.check_hoard(items, 1, coins, of_hoard.max(least.into()), violations);
            }
            Loot::Key => {
                if *items != [self.catalog.clues.key.clone()] || coins > 0 {
                    violations.push(format!("{} items and {coins} coppers instead of one key", items.len()));
                }
            }
            Loot::Litter => {
                if items.len() > 1 || coins > 0 {
                    violations.push(format!("{} things and {coins} coppers where no hoard is", items.len()));
                }
                let halls = self.theme.inhabitants.as_ref().and_then(|halls| halls.loot.as_ref());
                let table = halls.and_then(|key| self.catalog.loot.get(key));
                let may_be_placed = |item: &String| {
                    table.is_some_and(|table| table.items.iter().any(|found| found.item == *item))
                };
                let strange = items.iter().filter(|item| !may_be_placed(item));
                violations.extend(strange.map(|item| format!("{item} lies where no hoard is")));
            }
        }
    }

    fn check_hoard(
        &self,
        items: &[String],
        most: u32,
        coins: u32,
        most_coins: u64,
        violations: &mut Vec<String>,
    ) {
        let difficulty = self.difficulty;
        if items.len() > most as usize {
            violations.push(format!("{} items in a hoard, at most {most}", items.len()));
        }
        if u64::from(coins) > most_coins {
            violations.push(format!("{coins} coppers at difficulty {difficulty}, of {most_coins} at most"));
        }
        for item in items.iter().filter(|item| !self.is_found(item)) {
            violations.push(format!("{item} is not found at difficulty {difficulty}"));
        }
    }

    /// Returns `true` if a hoard of this difficulty may contain the item.
    fn is_found(&self, key: &str) -> bool {
        let fits = |range: (u32, u32)| (range.0..=range.1).contains(&self.difficulty);
        let table = self.theme.hoard_at(self.difficulty).and_then(|key| self.catalog.loot.get(key));
        let drawn = match table {
            Some(table) => table.items.iter().any(|item| item.item == key && fits(item.difficulty)),
            None => self.catalog.items.get(key).is_some_and(|item| item.rarity > 0 && fits(item.difficulty)),
        };
        drawn || self.theme.treasure.iter().any(|own| own == key)
    }

    fn most_coins(&self) -> u32 {
        let table = self.theme.hoard_at(self.difficulty).and_then(|key| self.catalog.loot.get(key));
        match table {
            Some(table) => table.coins.1.saturating_mul(self.difficulty.saturating_add(4)) / 4,
            None => self.difficulty.saturating_mul(3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::PlannedBranch;
    use deepwell_core::base::Seed;
    use deepwell_core::catalog::{RoomFeature, RoomKind};
    use deepwell_core::dungeon::BranchSpec;

    /// An unmodified room passes; every change for the worse is reported by its own message.
    #[test]
    fn t19_budget_violations_are_reported() {
        let catalog = Catalog::builtin();
        let theme = &catalog.themes["well"];
        let branch = PlannedBranch::walk(BranchSpec::of(&catalog, "well", Seed(7)), &catalog, 200, 1);
        let hoard =
            branch.rooms.iter().map(|room| &room.plan).find(|plan| plan.sheet.kind == RoomKind::Treasure);
        let hoard = hoard.unwrap();
        assert_eq!(overdrafts(hoard, theme, &catalog), Vec::<String>::new());
        let reported = |change: &dyn Fn(&mut RoomPlan)| {
            let mut plan = hoard.clone();
            change(&mut plan);
            overdrafts(&plan, theme, &catalog).join("; ")
        };
        let guard = hoard.challenge.creatures[0].clone();
        let crowd = reported(&|plan| plan.challenge.creatures = vec![guard.clone(); 60]);
        assert!(crowd.contains("guards of threat") && crowd.contains("60 guards, at most"), "{crowd}");
        assert!(reported(&|plan| plan.challenge.coins = u32::MAX).contains("coppers at difficulty"));
        assert!(reported(&|plan| plan.challenge.items.clear()).contains("without things"));
        assert!(reported(&|plan| plan.challenge.items = vec!["moon".into()]).contains("moon is not found"));
        assert!(
            reported(&|plan| plan.challenge.creatures = vec!["moon".into()]).contains("no creature moon")
        );
        assert!(
            reported(&|plan| plan.fixture.feature = Some(RoomFeature::Gate { puzzle: 99 }))
                .contains("puzzle 99")
        );
        let plain = reported(&|plan| plan.sheet.kind = RoomKind::Dungeon);
        assert!(plain.contains("where no hoard is"), "{plain}");
    }
}
