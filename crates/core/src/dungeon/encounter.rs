//! Guards and loot of a room: creatures bought from a threat budget, and items picked by difficulty.

use crate::base::Dice;
use crate::catalog::theme::guards::guards_at;
use crate::catalog::{Catalog, CreaturePrototype, ItemPrototype, LootTable, Theme};

/// Source of the creatures and items of a difficulty.
#[derive(Clone, Copy)]
pub(super) struct Encounter<'a> {
    pub(super) theme: &'a Theme,
    pub(super) catalog: &'a Catalog,
    pub(super) difficulty: u32,
}

impl<'a> Encounter<'a> {
    /// Buys at most `most` guards of a room. Returns at least one if any guard may appear at the difficulty.
    pub(super) fn guards(self, most: u32, dice: &mut impl Dice) -> Vec<String> {
        let threat = &self.theme.threat;
        let fitting: Vec<&CreaturePrototype> = guards_at(self.theme, self.catalog, self.difficulty).collect();
        let (least, greatest) = threat.budget(self.difficulty);
        let mut left = dice.between(least, greatest);
        let pack = dice.percent(threat.pack_percent);
        let mut bought: Vec<&CreaturePrototype> = Vec::new();
        for room_for in (1..=most).rev() {
            let kin = bought.first().filter(|_| pack).map_or("", |first| first.key.as_str());
            let Some(next) = self.next_guard(&fitting, kin, left, room_for, dice) else { break };
            left = left.saturating_sub(next.threat);
            bought.push(next);
        }
        if bought.is_empty() {
            // The budget pays for none: use the cheapest.
            bought.extend(fitting.iter().min_by_key(|creature| (creature.threat, &creature.key)));
        }
        bought.into_iter().map(|creature| creature.key.clone()).collect()
    }

    /// Picks a creature that roams and does not block exits, if any may appear at the difficulty.
    pub(super) fn roamer(self, dice: &mut impl Dice) -> Option<String> {
        let known = self.theme.creatures.iter().filter_map(|key| self.catalog.creatures.get(key));
        let fitting: Vec<&CreaturePrototype> = known.filter(|creature| !creature.guards()).collect();
        dice.weighted(&fitting, |creature| weight_at(creature, self.difficulty))
            .map(|creature| creature.key.clone())
    }

    /// Picks a creature that the remaining budget pays for; in a pack, of the same kind as the first. Creatures too weak
    /// to use up the budget are skipped while stronger ones are available.
    fn next_guard(
        self,
        fitting: &[&'a CreaturePrototype],
        kin: &str,
        left: u32,
        room_for: u32,
        dice: &mut impl Dice,
    ) -> Option<&'a CreaturePrototype> {
        let paid = |creature: &&CreaturePrototype| {
            creature.threat <= left && (kin.is_empty() || creature.key == kin)
        };
        let counts = |creature: &CreaturePrototype| {
            u64::from(creature.threat) * u64::from(room_for) * 2 >= u64::from(left)
        };
        let any = fitting.iter().filter(|creature| paid(creature)).any(|creature| counts(creature));
        let fits = |creature: &&CreaturePrototype| paid(creature) && (counts(creature) || !any);
        dice.weighted(
            fitting,
            |creature| if fits(creature) { weight_at(creature, self.difficulty) } else { 0 },
        )
        .copied()
    }

    /// Picks items from the loot table of the theme's hoards. Without such a table, all items of the difficulty are
    /// weighted by rarity.
    pub(super) fn things(self, number: u32, dice: &mut impl Dice) -> Vec<String> {
        let found = |(least, most): (u32, u32)| (least..=most).contains(&self.difficulty);
        let weights: Vec<(&str, u32)> = match self.hoard() {
            Some(table) => {
                let items = table.items.iter().filter(|item| found(item.difficulty));
                items.map(|item| (item.item.as_str(), item.weight)).collect()
            }
            None => self.by_rarity(|_| true),
        };
        if weights.is_empty() {
            return (0..number).filter_map(|_| dice.pick(&self.theme.treasure).cloned()).collect();
        }
        let draw = |dice: &mut _| {
            Dice::weighted(dice, &weights, |(_, weight)| *weight).map(|(key, _)| (*key).to_owned())
        };
        (0..number).filter_map(|_| draw(dice)).collect()
    }

    /// Rolls the number of coppers in a hoard, by its loot table.
    pub(super) fn coins(self, dice: &mut impl Dice) -> u32 {
        let Some(table) = self.hoard() else {
            return dice.between(self.difficulty, self.difficulty.saturating_mul(3));
        };
        if !dice.percent(table.coins_percent) {
            return 0;
        }
        let drawn = dice.between(table.coins.0, table.coins.1);
        drawn.saturating_mul(4_u32.saturating_add(self.difficulty)) / 4
    }

    /// Picks the stock of a merchant: distinct items, weighted by rarity.
    pub(super) fn wares(self, number: u32, dice: &mut impl Dice) -> Vec<String> {
        let mut left = self.by_rarity(|item| item.value > 0);
        let mut wares = Vec::new();
        for _ in 0..number {
            let Some(key) = dice.weighted(&left, |(_, weight)| *weight).map(|(key, _)| *key) else { break };
            left.retain(|(other, _)| *other != key);
            wares.push(key.to_owned());
        }
        wares
    }

    /// Returns the loot table of the theme's hoards.
    fn hoard(self) -> Option<&'a LootTable> {
        self.catalog.loot.get(self.theme.hoard_at(self.difficulty)?)
    }

    fn by_rarity(self, fits: impl Fn(&ItemPrototype) -> bool) -> Vec<(&'a str, u32)> {
        let found =
            |item: &&ItemPrototype| (item.difficulty.0..=item.difficulty.1).contains(&self.difficulty);
        let items = self.catalog.items.values().filter(|item| item.rarity > 0).filter(found);
        items.filter(|item| fits(item)).map(|item| (item.key.as_str(), item.rarity)).collect()
    }
}

/// Returns the weight of a creature at a difficulty: low at both ends of its range.
pub(super) fn weight_at(creature: &CreaturePrototype, difficulty: u32) -> u32 {
    let (first, last) = creature.difficulty;
    if !creature.appears_at(difficulty) {
        return 0;
    }
    let ramp = (difficulty - first).min(last - difficulty).min(3) + 1;
    creature.weight.saturating_mul(ramp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Rng, Seed};

    /// A fighter under the rule set `powers`.
    #[derive(Clone, Copy)]
    struct Fighter {
        hp: u32,
        attack: u32,
        defence: u32,
    }

    /// Rolls the damage of one attack by the rules.
    fn blow(catalog: &Catalog, by: Fighter, on: Fighter, dice: &mut Rng) -> u32 {
        let fights = catalog.rules.fights;
        let swung = by.attack + dice.up_to(2 * fights.spread);
        let harm = swung.saturating_sub(on.defence + fights.spread).max(1);
        if dice.percent(fights.hit_percent) { harm } else { 0 }
    }

    /// Returns `true` if a lone character defeats the guards in turn while all surviving guards attack.
    fn wins(catalog: &Catalog, mut hero: Fighter, guards: &[String], dice: &mut Rng) -> bool {
        let fighter = |key: &String| {
            let creature = &catalog.creatures[key];
            Fighter { hp: creature.hp, attack: creature.attack, defence: creature.defence }
        };
        let mut left: Vec<Fighter> = guards.iter().map(fighter).collect();
        while let Some(first) = left.first().copied() {
            let harm = blow(catalog, hero, first, dice);
            left[0].hp = first.hp.saturating_sub(harm);
            left.retain(|guard| guard.hp > 0);
            for guard in &left {
                hero.hp = hero.hp.saturating_sub(blow(catalog, *guard, hero, dice));
            }
            if hero.hp == 0 {
                return false;
            }
        }
        true
    }

    /// Returns the number of wins out of 1,000 encounters of a difficulty.
    fn win_permille(catalog: &Catalog, hero: Fighter, difficulty: u32) -> u32 {
        let theme = &catalog.themes["well"];
        let mut dice = Seed(19).named("encounters").numbered(difficulty.into()).rng();
        let won = |_| {
            let guards = Encounter { theme, catalog, difficulty }.guards(theme.threat.most, &mut dice);
            u32::from(wins(catalog, hero, &guards, &mut dice))
        };
        (0..1_000).map(won).sum()
    }

    fn beginner(catalog: &Catalog) -> Fighter {
        let beginner = catalog.rules.beginner;
        Fighter { hp: beginner.hp, attack: beginner.attack, defence: beginner.defence }
    }

    /// T19, by Monte Carlo: encounters near the well are usually won by a beginner, and deep ones almost never.
    #[test]
    fn win_rate_falls_with_depth() {
        let catalog = Catalog::builtin();
        let rates = [1, 3, 6, 9].map(|difficulty| win_permille(&catalog, beginner(&catalog), difficulty));
        assert!(rates[0] >= 900, "the first rooms are for beginners: {rates:?}");
        assert!(rates.is_sorted_by(|less_deep, deeper| less_deep > deeper), "{rates:?}");
        assert!(rates[3] * 2 <= rates[0], "{rates:?}");
    }

    /// T19: encounters get harder with depth even for a character who gains a level every other step and takes each
    /// training in turn.
    #[test]
    fn win_rate_falls_with_depth_despite_level_gains() {
        let catalog = Catalog::builtin();
        let mut trainings: Vec<_> = catalog.training.values().collect();
        trainings.sort_by_key(|training| training.order);
        let rate = |difficulty: u32| {
            let mut hero = beginner(&catalog);
            for training in trainings.iter().cycle().take((difficulty / 2) as usize) {
                hero.hp += training.max_hp;
                hero.attack += training.attack;
                hero.defence += training.defence;
            }
            win_permille(&catalog, hero, difficulty)
        };
        let rates = [1, 3, 6, 9].map(rate);
        assert!(rates.is_sorted_by(|less_deep, deeper| less_deep >= deeper), "{rates:?}");
        assert!(rates[0] > rates[3], "{rates:?}");
    }

    /// Guards stay within the budget and the maximum number, suit the difficulty, and often form packs.
    #[test]
    fn guards_stay_within_threat_budget() {
        let catalog = Catalog::builtin();
        let theme = &catalog.themes["well"];
        for difficulty in 0..30 {
            let (_, greatest) = theme.threat.budget(difficulty);
            let cheapest =
                guards_at(theme, &catalog, difficulty).map(|creature| creature.threat).min().unwrap();
            for seed in 0..50 {
                let mut dice = Seed(seed).numbered(difficulty.into()).rng();
                let encounter = Encounter { theme, catalog: &catalog, difficulty };
                let bought = encounter.guards(theme.threat.most, &mut dice);
                let creatures: Vec<&CreaturePrototype> =
                    bought.iter().map(|key| &catalog.creatures[key]).collect();
                let cost: u32 = creatures.iter().map(|creature| creature.threat).sum();
                assert!((1..=theme.threat.most as usize).contains(&creatures.len()), "{bought:?}");
                assert!(cost <= greatest.max(cheapest), "{bought:?} cost {cost} at {difficulty}");
                assert!(
                    creatures.iter().all(|creature| creature.guards() && creature.appears_at(difficulty)),
                    "{bought:?}"
                );
            }
        }
    }

    /// T19: a creature is rarer at the start of its range than in the middle, and absent beyond it.
    #[test]
    fn creature_weight_is_lower_at_ends_of_range() {
        let mut orc = Catalog::builtin().creatures["orc"].clone();
        (orc.difficulty, orc.weight) = ((2, 12), 5);
        let weights = [1, 2, 3, 7, 11, 12, 13].map(|difficulty| weight_at(&orc, difficulty));
        assert_eq!(weights, [0, 5, 10, 20, 10, 5, 0]);
    }

    /// Items suit the difficulty; wares do not repeat.
    #[test]
    fn items_suit_difficulty_and_wares_are_distinct() {
        let mut catalog = Catalog::builtin();
        for (number, item) in (0..).zip(catalog.items.values_mut()) {
            (item.rarity, item.value, item.difficulty) = (1 + number % 3, 1, (number % 8, number % 8 + 4));
        }
        let mut theme = catalog.themes["well"].clone();
        theme.hoards.clear();
        for difficulty in 0..12 {
            let mut dice = Seed(5).numbered(difficulty.into()).rng();
            let found = |key: &String| {
                let (first, last) = catalog.items[key].difficulty;
                (first..=last).contains(&difficulty)
            };
            let encounter = Encounter { theme: &theme, catalog: &catalog, difficulty };
            let things = encounter.things(30, &mut dice);
            assert!(things.len() == 30 && things.iter().all(found), "{difficulty}: {things:?}");
            let mut wares = encounter.wares(5, &mut dice);
            assert!(wares.iter().all(found), "{difficulty}: {wares:?}");
            let number = wares.len();
            wares.sort();
            wares.dedup();
            assert_eq!(wares.len(), number);
        }
    }
}
