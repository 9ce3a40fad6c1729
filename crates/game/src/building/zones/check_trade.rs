//! Check of the prices of shops: free wares, and items that players can buy in one shop and sell in another for more.

use super::check::doubt;
use crate::item::shop;
use crate::state::sweeps::{SearchStage, SearchTarget, Sweep};
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::text::coins::money_words;
use deepwell_core::world::{Room, RoomKind};

/// Records the lowest price of each ware of a shop, and shops that set what they pay. Reports free wares.
pub(super) fn note_prices(turn: &Turn, sweep: &mut Sweep, room: &Room) {
    if room.sheet.kind != RoomKind::Shop {
        return;
    }
    for item in room.stock.iter().filter_map(|key| turn.catalog.items.get(key)) {
        turn.world.note_work(1);
        let price = shop::price(turn, room.id, item);
        let known = sweep.asks.entry(item.key.clone()).or_insert((price, room.id));
        *known = (*known).min((price, room.id));
        if price == 0 && is_checked(sweep, room) {
            doubt(turn, sweep, room.id, format!("{} costs nothing here.", item.key));
        }
    }
    // Of the shops that pay the usual prices, one stands for all.
    if !room.shop.buys.is_empty() || !sweep.has_usual_buyer {
        sweep.has_usual_buyer |= room.shop.buys.is_empty();
        sweep.buyers.push(room.id);
    }
}

fn is_checked(sweep: &Sweep, room: &Room) -> bool {
    matches!(&sweep.sought, SearchTarget::Mistakes { zones, .. } if zones.contains(&room.area))
}

/// Reports the next item that a shop pays more for than another, or the same one, asks.
pub(super) fn report_profit(turn: &Turn, sweep: &mut Sweep) {
    let Some((key, (price, seller))) = sweep.asks.pop_first() else {
        sweep.stage = SearchStage::Done;
        return;
    };
    let Some(item) = turn.catalog.items.get(&key) else { return };
    turn.world.note_work(sweep.buyers.len());
    let there = |room: &&RoomId| turn.world.rooms.get(**room).is_some();
    let offers = sweep.buyers.iter().filter(there).map(|room| (shop::offer(turn, *room, item), *room));
    let Some((offer, buyer)) = offers.max_by_key(|(offer, room)| (*offer, std::cmp::Reverse(*room))) else {
        return;
    };
    let (Some(from), Some(to)) = (turn.world.rooms.get(seller), turn.world.rooms.get(buyer)) else { return };
    if offer <= price {
        return;
    }
    let (price, offer) = (money_words(price), money_words(offer));
    if is_checked(sweep, from) {
        let problem =
            format!("players buy {key} here for {price}, and {} pays {offer} for it.", name(to, seller));
        doubt(turn, sweep, seller, problem);
    } else if is_checked(sweep, to) {
        let problem = format!(
            "this shop pays {offer} for {key}, and players buy it in {} for {price}.",
            from.sheet.name
        );
        doubt(turn, sweep, buyer, problem);
    }
}

fn name(room: &Room, here: RoomId) -> String {
    if room.id == here {
        "this shop itself".to_owned()
    } else {
        format!("{}, room {},", room.sheet.name, room.id)
    }
}
