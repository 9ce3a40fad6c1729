//! Terms of trade of shops: hours, own prices, and limited stock. Stock is refilled at an hour of the town's clock; it is
//! computed from the time of the last sale, so it needs no timer.

use crate::refusal::{Refusal, refuse};
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::ItemPrototype;
use deepwell_core::text::grammar;
use deepwell_core::world::Sold;
use std::collections::BTreeMap;

/// Refuses while the shop of a room is closed to a character.
pub(crate) fn require_open(turn: &Turn, room: RoomId, who: CharacterId) -> Result<(), Refusal> {
    let terms = &turn.world.rooms[room].shop;
    let now = time_of_day::hour(time_of_day::time_for(turn, Some(who)));
    if terms.open.is_empty() || terms.open.iter().any(|hours| hours.contains(now)) {
        return Ok(());
    }
    if !terms.closed.is_empty() {
        return Err(Refusal::Said(terms.closed.clone().into()));
    }
    let opens = terms.open.iter().map(|hours| hours.from);
    let next = opens.clone().filter(|hour| *hour > now).min().or_else(|| opens.min()).unwrap_or_default();
    Err(refuse!("The shop is closed. It opens at {}.", time_of_day::hour_words(next)))
}

/// Describes the hours of a shop; `None` if it is always open.
pub(crate) fn hours_words(turn: &Turn, room: RoomId) -> Option<String> {
    let hours = turn.world.rooms[room].shop.open.iter().map(|hours| {
        format!("from {} to {}", time_of_day::hour_words(hours.from), time_of_day::hour_words(hours.to))
    });
    let hours: Vec<String> = hours.collect();
    (!hours.is_empty()).then(|| format!("Open {}.", grammar::list(&hours)))
}

/// Returns the buying price of an item in coppers in a shop or from a merchant.
pub(crate) fn price(turn: &Turn, room: RoomId, item: &ItemPrototype) -> i64 {
    turn.world.rooms[room].shop.ware(&item.key).price.map_or_else(|| usual_price(turn, item), i64::from)
}

/// Returns the buying price of an item in coppers where no other is set.
fn usual_price(turn: &Turn, item: &ItemPrototype) -> i64 {
    let percent = i64::from(turn.catalog.rules.trade.buy_percent);
    ((i64::from(item.value) * percent + 99) / 100).max(1)
}

/// Returns the selling price of an item in coppers in a shop or to a merchant.
pub(crate) fn offer(turn: &Turn, room: RoomId, item: &ItemPrototype) -> i64 {
    let usual = turn.catalog.rules.trade.sell_percent;
    turn.world.rooms[room].shop.offer(&item.key, item.class, item.value, usual)
}

/// Returns the number of an item that a shop still has; `None` for unlimited stock.
pub(super) fn left(turn: &Turn, room: RoomId, key: &str) -> Option<u32> {
    let row = &turn.world.rooms[room];
    let most = row.shop.ware(key).most?;
    let sold = sold_since_refill(turn, room).get(key).copied().unwrap_or_default();
    Some(most.saturating_sub(sold))
}

fn sold_since_refill(turn: &Turn, room: RoomId) -> BTreeMap<String, u32> {
    let row = &turn.world.rooms[room];
    let is_valid = row.sold.at >= time_of_day::last_time(turn.now, row.shop.refill);
    if is_valid { row.sold.counts.clone() } else { BTreeMap::new() }
}

/// Describes when the shop has its sold-out wares again.
pub(crate) fn refill_words(turn: &Turn, room: RoomId) -> String {
    time_of_day::hour_words(turn.world.rooms[room].shop.refill)
}

/// Records the sale of items with limited stock.
pub(super) fn note_sale(turn: &mut Turn, room: RoomId, key: &str, count: u32) {
    let mut counts = sold_since_refill(turn, room);
    counts.retain(|item, _| turn.world.rooms[room].stock.contains(item));
    let sold = counts.entry(key.to_owned()).or_default();
    *sold = sold.saturating_add(count);
    let at = turn.now;
    turn.world.rooms.change(room, |row| row.sold = Sold { at, counts }.into());
}
