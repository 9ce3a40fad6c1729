//! The book of what comes into the world and leaves it. Money and things are moved between places without it;
//! only sources and sinks are written down, each in the batch in which it happens.

use crate::base::{CharacterId, GameTime};
use crate::world::{LedgerRecord, World};

/// What the ledger calls money.
pub const COPPER: &str = "copper";

impl World {
    /// Writes down money that comes into the world, or, below zero, leaves it.
    pub fn book_money(&mut self, at: GameTime, amount: i64, why: &str, who: Option<CharacterId>) {
        let money = &mut self.meta_mut().money;
        money.made = money.made.saturating_add(amount.max(0));
        money.gone = money.gone.saturating_add(amount.min(0).saturating_neg());
        self.write_ledger(at, COPPER, amount, why, who);
    }

    /// Writes down things of a kind that come into the world, or, below zero, leave it.
    pub fn book_items(&mut self, at: GameTime, what: &str, amount: i64, why: &str, who: Option<CharacterId>) {
        self.count_items(what, amount);
        self.write_ledger(at, what, amount, why, who);
    }

    /// Counts coins that lie about as things, or no longer do. As money they neither came nor went, so that the book has
    /// no line of it: else anybody could fill it by dropping one coin and taking it up again.
    pub(super) fn count_items(&mut self, what: &str, amount: i64) {
        let stock = self.meta_mut().stock.entry(what.to_owned()).or_default();
        stock.made = stock.made.saturating_add(amount.max(0));
        stock.gone = stock.gone.saturating_add(amount.min(0).saturating_neg());
    }

    /// Some of the oldest lines go with the next batch, if they were written before a moment; the sums stay.
    pub const fn forget_ledger(&mut self, before: GameTime) {
        self.ledger_kept_from = Some(before);
    }

    fn write_ledger(&mut self, at: GameTime, what: &str, amount: i64, why: &str, who: Option<CharacterId>) {
        let (what, why) = (what.to_owned(), why.to_owned());
        self.ledger.push(LedgerRecord { at, what, amount, why, who });
    }
}
