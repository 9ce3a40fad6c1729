//! What guards a room and what it guards: creatures bought from a budget of threat, things drawn by difficulty (T19).

use crate::base::Dice;
use crate::catalog::furnishing::guards_at;
use crate::catalog::{Catalog, ItemPrototype, MobPrototype, Theme};

/// Buys the guards of a room. There is at least one, as far as any may appear at the difficulty.
pub(super) fn guards(
    theme: &Theme,
    catalog: &Catalog,
    difficulty: u32,
    most: u32,
    dice: &mut impl Dice,
) -> Vec<String> {
    let fitting: Vec<&MobPrototype> = guards_at(theme, catalog, difficulty).collect();
    let (least, greatest) = theme.threat.budget(difficulty);
    let mut left = dice.between(least, greatest);
    let pack = dice.percent(theme.threat.pack_percent);
    let mut bought: Vec<&MobPrototype> = Vec::new();
    for room_for in (1..=most).rev() {
        let kin = bought.first().filter(|_| pack).map_or("", |first| first.key.as_str());
        let Some(next) = next_guard(&fitting, kin, left, room_for, difficulty, dice) else { break };
        left = left.saturating_sub(next.threat);
        bought.push(next);
    }
    if bought.is_empty() {
        // No budget pays for any of them: the cheapest one comes all the same.
        bought.extend(fitting.iter().min_by_key(|mob| (mob.threat, &mob.key)));
    }
    bought.into_iter().map(|mob| mob.key.clone()).collect()
}

/// A creature that moves about and bars nothing, if any may appear at the difficulty (E57).
pub(super) fn roamer(
    theme: &Theme,
    catalog: &Catalog,
    difficulty: u32,
    dice: &mut impl Dice,
) -> Option<String> {
    let known = theme.creatures.iter().filter_map(|key| catalog.mobs.get(key));
    let fitting: Vec<&MobPrototype> = known.filter(|mob| !mob.guards()).collect();
    dice.weighted(&fitting, |mob| weight_at(mob, difficulty)).map(|mob| mob.key.clone())
}

/// One creature that the rest of the budget pays for: of a kind, if there is one already and they come in packs.
/// Those too slight to make a difference are passed over as long as there are others.
fn next_guard<'c>(
    fitting: &[&'c MobPrototype],
    kin: &str,
    left: u32,
    room_for: u32,
    difficulty: u32,
    dice: &mut impl Dice,
) -> Option<&'c MobPrototype> {
    let paid = |mob: &&MobPrototype| mob.threat <= left && (kin.is_empty() || mob.key == kin);
    let counts = |mob: &MobPrototype| u64::from(mob.threat) * u64::from(room_for) * 2 >= u64::from(left);
    let any = fitting.iter().filter(|mob| paid(mob)).any(|mob| counts(mob));
    let weight =
        |mob: &&MobPrototype| if paid(mob) && (counts(mob) || !any) { weight_at(mob, difficulty) } else { 0 };
    dice.weighted(fitting, weight).copied()
}

/// How often a creature is chosen at a difficulty: rare where it first appears and where it is about to be gone.
pub(super) fn weight_at(mob: &MobPrototype, difficulty: u32) -> u32 {
    let (first, last) = mob.difficulty;
    if !mob.appears_at(difficulty) {
        return 0;
    }
    let ramp = (difficulty - first).min(last - difficulty).min(3) + 1;
    mob.weight.saturating_mul(ramp)
}

/// Draws things that may be found at a difficulty: from the loot table of its hoards, else from all there are.
pub(super) fn things(
    theme: &Theme,
    catalog: &Catalog,
    difficulty: u32,
    number: u32,
    dice: &mut impl Dice,
) -> Vec<String> {
    let found = |difficulties: (u32, u32)| (difficulties.0..=difficulties.1).contains(&difficulty);
    let table = theme.hoard_at(difficulty).and_then(|key| catalog.loot.get(key));
    let weights: Vec<(&str, u32)> = match table {
        Some(table) => {
            let items = table.items.iter().filter(|item| found(item.difficulty));
            items.map(|item| (item.item.as_str(), item.weight)).collect()
        }
        None => by_rarity(catalog, difficulty, |_| true),
    };
    if weights.is_empty() {
        return (0..number).filter_map(|_| dice.pick(&theme.treasure).cloned()).collect();
    }
    let draw = |dice: &mut _| {
        Dice::weighted(dice, &weights, |(_, weight)| *weight).map(|(key, _)| (*key).to_owned())
    };
    (0..number).filter_map(|_| draw(dice)).collect()
}

/// How many coppers lie in a hoard of a difficulty, by its loot table.
pub(super) fn coins(theme: &Theme, catalog: &Catalog, difficulty: u32, dice: &mut impl Dice) -> u32 {
    let Some(table) = theme.hoard_at(difficulty).and_then(|key| catalog.loot.get(key)) else {
        return dice.between(difficulty, difficulty.saturating_mul(3));
    };
    if !dice.percent(table.coins_percent) {
        return 0;
    }
    let drawn = dice.between(table.coins.0, table.coins.1);
    drawn.saturating_mul(4_u32.saturating_add(difficulty)) / 4
}

/// What a merchant of a difficulty has to sell: different things, by their rarity.
pub(super) fn wares(catalog: &Catalog, difficulty: u32, number: u32, dice: &mut impl Dice) -> Vec<String> {
    let mut left = by_rarity(catalog, difficulty, |item| item.value > 0);
    let mut wares = Vec::new();
    for _ in 0..number {
        let Some(key) = dice.weighted(&left, |(_, weight)| *weight).map(|(key, _)| *key) else { break };
        left.retain(|(other, _)| *other != key);
        wares.push(key.to_owned());
    }
    wares
}

fn by_rarity(catalog: &Catalog, difficulty: u32, fits: impl Fn(&ItemPrototype) -> bool) -> Vec<(&str, u32)> {
    let found = |item: &&ItemPrototype| (item.difficulty.0..=item.difficulty.1).contains(&difficulty);
    let items = catalog.items.values().filter(|item| item.rarity > 0).filter(found);
    items.filter(|item| fits(item)).map(|item| (item.key.as_str(), item.rarity)).collect()
}
