//! Ledger of money and items entering and leaving the world. Transfers are not recorded; sources and sinks are, each in
//! the batch in which it happens.

use crate::base::{CharacterId, GameTime};
use crate::world::{LedgerRecord, World};
use std::collections::{BTreeMap, BTreeSet};

/// Ledger name of money.
pub const COPPER: &str = "copper";

impl World {
    /// Records money entering the world or, if negative, leaving it.
    pub fn record_money(&mut self, at: GameTime, amount: i64, why: &str, who: Option<CharacterId>) {
        let money = &mut self.meta_mut().money;
        money.made = money.made.saturating_add(amount.max(0));
        money.gone = money.gone.saturating_add(amount.min(0).saturating_neg());
        write_line(self, at, COPPER, amount, why, who);
    }

    /// Records items of a kind entering the world or, if negative, leaving it.
    pub fn record_items(
        &mut self,
        at: GameTime,
        what: &str,
        amount: i64,
        why: &str,
        who: Option<CharacterId>,
    ) {
        count_items(self, what, amount);
        write_line(self, at, what, amount, why, who);
    }

    /// Lets the next batch delete some of the oldest records written before a moment; totals are kept.
    pub const fn forget_ledger(&mut self, before: GameTime) {
        self.ledger_kept_from = Some(before);
    }
}

/// Counts coins that start or cease to exist as items. As money they neither enter nor leave the world, so no ledger
/// record is written. Otherwise a player could fill the ledger by dropping and picking up a coin.
pub(super) fn count_items(world: &mut World, what: &str, amount: i64) {
    let stock = world.meta_mut().stock.entry(what.to_owned()).or_default();
    stock.made = stock.made.saturating_add(amount.max(0));
    stock.gone = stock.gone.saturating_add(amount.min(0).saturating_neg());
}

fn write_line(world: &mut World, at: GameTime, what: &str, amount: i64, why: &str, who: Option<CharacterId>) {
    let (what, why) = (what.to_owned(), why.to_owned());
    world.ledger.push(LedgerRecord { at, what, amount, why, who });
}

/// Checks that the totals of sources minus sinks match what exists in the world, and that no purse is negative.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
    let meta = world.meta();
    let mut present: BTreeMap<&str, i64> = BTreeMap::new();
    for (_, item) in world.items.iter() {
        *present.entry(&item.prototype).or_default() += i64::from(item.count);
    }
    let kinds: BTreeSet<&str> =
        meta.stock.keys().map(String::as_str).chain(present.keys().copied()).collect();
    for kind in kinds {
        let stock = meta.stock.get(kind).copied().unwrap_or_default();
        let there = present.get(kind).copied().unwrap_or_default();
        if stock.made - stock.gone != there {
            let (made, gone) = (stock.made, stock.gone);
            wrong.push(format!("items: {made} {kind} made, {gone} gone, {there} there (D8)"));
        }
    }
    let purses = world.characters.iter().map(|(_, c)| c.money.purse.saturating_add(c.money.bank));
    let piles = world.items.iter().map(|(_, item)| item.money());
    let owned = purses.chain(piles).fold(0_i64, i64::saturating_add);
    if meta.money.made - meta.money.gone != owned {
        let (made, gone) = (meta.money.made, meta.money.gone);
        wrong.push(format!("money: {made} made, {gone} gone, {owned} in purses, banks and piles (D8)"));
    }
    for (id, c) in world.characters.iter() {
        let money = c.money;
        if money.purse < 0 || money.bank < 0 || money.run < 0 || money.run > money.purse {
            wrong.push(format!("characters {id}: {money:?}"));
        }
    }
}
