//! Hit and damage formulas of the two rule sets, `powers` and `racket`; the theme selects one. This module only
//! computes numbers. The choice of targets and the text are in other modules.

use crate::character::stats;
use crate::turn::Turn;
use crate::turn::prototypes::points;
use deepwell_core::base::{CharacterId, Dice};
use deepwell_core::catalog::RuleSet;
use deepwell_core::catalog::rules::{Fights, RacketScale};

/// Parameters of one attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Odds {
    rules: RuleSet,
    fights: Fights,
    attack: i32,
    defence: i32,
    /// Damage is multiplied by the first number, divided by the second, and rounded up.
    scale: (i32, i32),
}

impl Odds {
    /// Rolls the damage of one attack; `None` if it misses.
    pub(crate) fn draw(&self, dice: &mut impl Dice) -> Option<i32> {
        match self.rules {
            RuleSet::Powers => {
                let hits = dice.percent(self.fights.hit_percent);
                let swing = points(dice.up_to(self.fights.spread * 2)) - points(self.fights.spread);
                hits.then(|| (self.attack - self.defence).saturating_add(swing).max(1))
            }
            RuleSet::Racket => {
                let mut below = |most: i32| match u32::try_from(most) {
                    Ok(most @ 1..) => points(dice.up_to(most - 1)),
                    _ => 0,
                };
                let harm = below(self.attack) - below(self.defence);
                (harm > 0).then(|| self.scaled(harm))
            }
        }
    }

    /// Returns the average damage of one attack, in hundredths of a hit point.
    pub(crate) fn expected(&self) -> i64 {
        match self.rules {
            RuleSet::Powers => {
                let spread = i64::from(self.fights.spread);
                let base = i64::from(self.attack) - i64::from(self.defence);
                let sum: i64 = (-spread..=spread).map(|swing| (base + swing).max(1)).sum();
                i64::from(self.fights.hit_percent) * sum / (2 * spread + 1)
            }
            RuleSet::Racket => {
                let (attack, defence) = (i64::from(self.attack.max(0)), i64::from(self.defence.max(1)));
                let sum: i64 = (0..attack)
                    .map(|a| {
                        let least = a.min(defence - 1);
                        (least + 1) * a - least * (least + 1) / 2
                    })
                    .sum();
                let (from, to) = (i64::from(self.scale.0.max(1)), i64::from(self.scale.1));
                sum * 100 * to / (attack * defence * from).max(1)
            }
        }
    }

    fn scaled(&self, harm: i32) -> i32 {
        let (from, to) = (i64::from(self.scale.0.max(1)), i64::from(self.scale.1));
        let harm = (i64::from(harm) * to + from - 1) / from;
        i32::try_from(harm).unwrap_or(i32::MAX).max(1)
    }
}

/// Converts a stat to the scale of the rule set `racket`. A beginner's value maps to `scale`; later gains are added to
/// it.
fn on_racket_scale(number: i32, beginner: u32, scale: u32) -> i32 {
    number.saturating_sub(points(beginner)).saturating_add(points(scale))
}

/// Computes the parameters of an attack by one character on another.
pub(crate) fn odds(turn: &Turn, who: CharacterId, target: CharacterId) -> Odds {
    let rules = stats::rules_of(turn, turn.world.characters[who].room);
    let all = &turn.catalog.rules;
    let (mut attack, mut defence, mut scale) =
        (stats::attack_of(turn, who), stats::defence_of(turn, target), (1, 1));
    if rules == RuleSet::Racket {
        let RacketScale { attack: fist, defence: skin, hp } = all.racket;
        if !has_racket_numbers(turn, who) {
            attack = on_racket_scale(attack, all.beginner.attack, fist);
        }
        if !has_racket_numbers(turn, target) {
            defence = on_racket_scale(defence, all.beginner.defence, skin);
        }
        if turn.world.characters[target].is_player() {
            scale = (points(hp), points(all.beginner.hp));
        }
    }
    Odds { rules, fights: all.fights, attack, defence, scale }
}

/// Returns the average damage per round by one character to another, in hundredths of a hit point.
pub(crate) fn expected_damage(turn: &Turn, who: CharacterId, target: CharacterId) -> i64 {
    if stats::can_strike(turn, who) { odds(turn, who, target).expected() } else { 0 }
}

/// Returns `true` if a creature defines its own stats for the rule set `racket`.
fn has_racket_numbers(turn: &Turn, who: CharacterId) -> bool {
    let creature = turn.world.characters[who].prototype.as_ref();
    creature.and_then(|key| turn.catalog.creatures.get(key)).is_some_and(|creature| creature.racket.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::Seed;

    const FIGHTS: Fights = Fights { hit_percent: 80, spread: 1 };

    fn powers(attack: i32, defence: i32) -> Odds {
        Odds { rules: RuleSet::Powers, fights: FIGHTS, attack, defence, scale: (1, 1) }
    }

    fn racket(attack: i32, defence: i32, scale: (i32, i32)) -> Odds {
        Odds { rules: RuleSet::Racket, fights: FIGHTS, attack, defence, scale }
    }

    fn draws(odds: Odds, count: usize) -> Vec<Option<i32>> {
        let mut dice = Seed(8).named("blows").rng();
        (0..count).map(|_| odds.draw(&mut dice)).collect()
    }

    /// Damage is attack minus defence, give or take one and at least one; 80 % of attacks hit.
    #[test]
    fn t8_damage_is_attack_minus_defence() {
        for (attack, defence, least, most) in [(5, 0, 4, 6), (3, 2, 1, 2), (4, 2, 1, 3), (1, 9, 1, 1)] {
            let drawn = draws(powers(attack, defence), 10_000);
            let landed: Vec<i32> = drawn.iter().flatten().copied().collect();
            assert_eq!((landed.iter().min(), landed.iter().max()), (Some(&least), Some(&most)), "{attack}");
            assert!((7_850..=8_150).contains(&landed.len()), "80 % plus or minus 1.5: {}", landed.len());
        }
    }

    /// Damage is at most attack - 1, a tie misses, and all smaller values are equally likely.
    #[test]
    fn r25_racket_damage_is_below_attack() {
        let drawn = draws(racket(10, 10, (1, 1)), 100_000);
        let landed = drawn.iter().flatten().count();
        assert_eq!(drawn.iter().flatten().max(), Some(&9));
        assert_eq!(drawn.iter().flatten().min(), Some(&1));
        assert!((44_500..=45_500).contains(&landed), "45 of 100 pairs hurt, plus or minus 0.5: {landed}");
        let sum: i64 = drawn.iter().flatten().map(|harm| i64::from(*harm)).sum();
        assert!((161_000..=169_000).contains(&sum), "1.65 a blow: {sum}");
        assert!(draws(racket(1, 10, (1, 1)), 100).iter().all(Option::is_none), "nothing is below one but 0");
    }

    /// Damage to players is scaled from 100 hit points to 30, rounded up.
    #[test]
    fn r25_racket_damage_to_players_is_scaled() {
        let odds = racket(50, 1, (100, 30));
        let most = draws(odds, 10_000).into_iter().flatten().max();
        assert_eq!(most, Some(15), "49 of 100 are 14.7 of 30");
        assert_eq!(odds.scaled(1), 1);
        assert_eq!(odds.scaled(10), 3);
        assert_eq!(odds.scaled(11), 4);
    }

    /// The averages shown by `consider` match rolled results within 2 %.
    #[test]
    fn expected_damage_matches_rolled_average() {
        for odds in [powers(5, 0), powers(3, 2), powers(2, 5), racket(10, 10, (1, 1)), racket(15, 10, (1, 1))]
        {
            let drawn: i64 = draws(odds, 200_000).into_iter().flatten().map(i64::from).sum();
            let (drawn, expected) = (drawn, odds.expected() * 2_000);
            assert!((drawn - expected).abs() * 50 <= expected.max(1), "{odds:?}: {drawn}, not {expected}");
        }
        assert_eq!(powers(5, 0).expected(), 400);
        assert_eq!(racket(10, 10, (1, 1)).expected(), 165);
    }
}
