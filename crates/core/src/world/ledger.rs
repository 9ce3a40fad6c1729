//! Ledger of money and items entering and leaving the world. Transfers are not recorded; sources and sinks are, each in
//! the batch in which it happens.

use crate::base::{CharacterId, GameTime, ItemId};
use crate::world::{Character, Item, LedgerRecord, Meta, World};
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

    /// Gives an item another prototype: another version of its kind. Items of both are counted, and no record is written.
    pub fn change_prototype(&mut self, item: ItemId, prototype: &str) {
        let Some((before, count)) =
            self.items.get(item).map(|row| (row.prototype.clone(), i64::from(row.count)))
        else {
            return;
        };
        count_items(self, &before, -count);
        count_items(self, prototype, count);
        self.items.change(item, |row| prototype.clone_into(&mut row.prototype));
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

/// Amounts of items and money.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Amounts {
    /// Number of items of each kind.
    pub(super) items: BTreeMap<String, i64>,
    /// Money in purses, banks and piles, in coppers.
    pub(super) money: i64,
}

impl Amounts {
    /// Adds the rows of a part; with `sign` -1 subtracts them.
    pub(super) fn add<'a>(
        &mut self,
        items: impl IntoIterator<Item = &'a Item>,
        characters: impl IntoIterator<Item = &'a Character>,
        sign: i64,
    ) {
        for item in items {
            *self.items.entry(item.prototype.clone()).or_default() += sign * i64::from(item.count);
            self.money = self.money.saturating_add(sign.saturating_mul(item.money()));
        }
        for body in characters {
            let owned = body.money.purse.saturating_add(body.money.bank);
            self.money = self.money.saturating_add(sign.saturating_mul(owned));
        }
    }
}

/// Returns what the totals of sources minus sinks say beyond what exists in memory. Kinds without a difference are left
/// out.
fn unseen(world: &World) -> Amounts {
    let mut unseen = totals(world.meta());
    unseen.add(world.items.iter().map(|(_, item)| item), world.characters.iter().map(|(_, body)| body), -1);
    unseen.items.retain(|_, count| *count != 0);
    unseen
}

/// Comparison of the totals of sources minus sinks with rows that are read one by one.
#[derive(Debug)]
pub struct Stocktaking(Amounts);

impl Stocktaking {
    /// Begins with the totals.
    pub fn of(meta: &Meta) -> Self {
        Self(totals(meta))
    }

    /// Takes an item into account.
    pub fn note_item(&mut self, item: &Item) {
        self.0.add([item], [], -1);
    }

    /// Takes a character into account.
    pub fn note_character(&mut self, body: &Character) {
        self.0.add([], [body], -1);
    }

    /// Returns the differences, once all rows have been taken into account.
    pub fn differences(&self) -> Vec<String> {
        let items = self.0.items.iter().filter(|(_, count)| **count != 0);
        let items = items.map(|(kind, count)| format!("items: the totals of {kind} differ by {count} (D8)"));
        let money = Some(self.0.money).filter(|money| *money != 0);
        items.chain(money.map(|money| format!("money: the totals differ by {money} (D8)"))).collect()
    }
}

/// Returns the totals of sources minus sinks.
fn totals(meta: &Meta) -> Amounts {
    let items = meta.stock.iter().map(|(kind, stock)| (kind.clone(), stock.made - stock.gone)).collect();
    Amounts { items, money: meta.money.made - meta.money.gone }
}

/// Takes the items and the money that are not in memory for those of the parts that are asleep. Their rows are
/// counted when they wake.
pub(super) fn count_asleep(world: &mut World) {
    if !world.asleep.rows.is_empty() {
        world.asleep.amounts = unseen(world);
    }
}

/// Checks that the totals of sources minus sinks match what exists in the world, and that no purse is negative.
pub(super) fn check(world: &World, violations: &mut Vec<String>) {
    let (meta, unseen, asleep) = (world.meta(), unseen(world), &world.asleep.amounts);
    let kinds: BTreeSet<&String> = unseen.items.keys().chain(asleep.items.keys()).collect();
    for kind in kinds {
        let beyond = unseen.items.get(kind).copied().unwrap_or_default();
        let asleep = asleep.items.get(kind).copied().unwrap_or_default();
        if beyond != asleep || asleep < 0 {
            let stock = meta.stock.get(kind).copied().unwrap_or_default();
            let (made, gone, there) = (stock.made, stock.gone, stock.made - stock.gone - beyond + asleep);
            violations.push(format!("items: {made} {kind} made, {gone} gone, {there} there (D8)"));
        }
    }
    if unseen.money != asleep.money || asleep.money < 0 {
        let (made, gone) = (meta.money.made, meta.money.gone);
        let owned = made - gone - unseen.money + asleep.money;
        violations.push(format!("money: {made} made, {gone} gone, {owned} in purses, banks and piles (D8)"));
    }
    for (id, c) in world.characters.iter() {
        let money = c.money;
        if money.purse < 0 || money.bank < 0 || money.run < 0 || money.run > money.purse {
            violations.push(format!("characters {id}: {money:?}"));
        }
    }
}
