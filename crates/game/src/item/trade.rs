//! Shops and travelling merchants. A shop has unlimited stock, apart from its own terms. A merchant has a pack of single
//! items, to which sold items are added. The selling price is lower than the buying price.

use crate::effect::Class;
use crate::item::{equipment, inventory, money, shop, stacks};
use crate::message::{naming, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RoomId, RuleLimit};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::room_kind::WareStock;
use deepwell_core::catalog::{ItemClass, ItemPrototype};
use deepwell_core::text::act::Template;
use deepwell_core::text::coins::money_words;
use deepwell_core::text::grammar;
use deepwell_core::world::{Item, Place};

const BUY: Template = Template::new("{actor} {buys|buy} {object}.");

const SELL: Template = Template::new("{actor} {sells|sell} {object}.");

/// Item for sale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PricedWare<'t> {
    pub(crate) item: &'t ItemPrototype,
    /// Price of one in coppers.
    pub(crate) price: i64,
    /// Quantity; `None` for unlimited stock.
    pub(crate) count: Option<u32>,
}

/// Returns the character's room if it has a shop that is open, or a merchant.
fn market(turn: &Turn, who: CharacterId) -> Result<RoomId, Refusal> {
    let room = turn.world.characters[who].room;
    if turn.world.rooms[room].sheet.kind.spec().sells.is_none() {
        return Err(refuse!("Nobody trades here."));
    }
    shop::require_open(turn, room, who)?;
    Ok(room)
}

/// Returns the items for sale here, each kind once.
pub(crate) fn wares(turn: &Turn, who: CharacterId) -> Result<Vec<PricedWare<'_>>, Refusal> {
    let room = &turn.world.rooms[market(turn, who)?];
    let is_pack = room.sheet.kind.spec().sells == Some(WareStock::Pack);
    let mut wares: Vec<PricedWare<'_>> = Vec::new();
    for item in room.stock.iter().filter_map(|key| turn.catalog.items.get(key)) {
        match wares.iter_mut().find(|other| other.item.key == item.key) {
            Some(ware) if is_pack => ware.count = ware.count.map(|count| count + 1),
            Some(_) => {}
            None => {
                let count = if is_pack { Some(1) } else { shop::left(turn, room.id, &item.key) };
                wares.push(PricedWare { item, price: shop::price(turn, room.id, item), count });
            }
        }
    }
    Ok(wares)
}

/// Buys a number of items of a kind.
pub(crate) fn buy(turn: &mut Turn, who: CharacterId, key: &str, count: u32) -> Result<(), Refusal> {
    let room = market(turn, who)?;
    let wares = wares(turn, who)?;
    let Some(PricedWare { item, price, count: there }) = wares.into_iter().find(|ware| ware.item.key == key)
    else {
        return Err(refuse!("That is not for sale here."));
    };
    if there == Some(0) {
        let refill = shop::refill_words(turn, room);
        return Err(refuse!(
            "{}: sold out. More comes at {refill}.",
            grammar::capitalise(&item.with_article)
        ));
    }
    if let Some(left) = there.filter(|there| *there < count) {
        return Err(refuse!(
            "There {} only {} of it.",
            if left == 1 { "is" } else { "are" },
            grammar::number(left)
        ));
    }
    let cost = price * i64::from(count);
    let stack = if item.stacks { turn.config.limits.stack.max(1) } else { 1 };
    let rows = count.div_ceil(stack) as usize;
    money::afford(turn, who, cost)?;
    let (limits, wants) = (&turn.config.limits, turn.world.carried(who).len().saturating_add(rows));
    refusal::require_at_most(limits, RuleLimit::ItemsCarried, wants, |_| inventory::hands_full())?;
    money::sink(turn, who, cost, "shop")?;
    if turn.world.rooms[room].sheet.kind.spec().sells == Some(WareStock::Pack) {
        take_from_pack(turn, room, key, count);
    } else if there.is_some() {
        shop::note_sale(turn, room, key, count);
    }
    let mut left = count;
    while left > 0 {
        let part = left.min(stack);
        left -= part;
        let id = turn.world.new_item_id();
        let bought = Item { count: part, ..Item::new(id, key, Place::Holder(who), turn.now) };
        turn.world.add_item(bought, "shop");
        stacks::stack_up(turn, id);
    }
    let what = format!("{} for {}", naming::item_words(turn, key, count as usize), money_words(cost));
    tell::act(turn, Class::Notice, &BUY, who, None, &what);
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Traded });
    Ok(())
}

fn take_from_pack(turn: &mut Turn, room: RoomId, key: &str, count: u32) {
    let Some(row) = turn.world.rooms.edit(room) else { return };
    for _ in 0..count {
        if let Some(at) = row.stock.iter().position(|other| other == key) {
            row.stock.remove(at);
        }
    }
}

/// Returns the selling price of a number of items here, or the reason why they cannot be sold.
pub(crate) fn bid(turn: &Turn, who: CharacterId, item: ItemId, count: u32) -> Result<i64, Refusal> {
    let room = market(turn, who)?;
    let name = naming::the_item(turn, item);
    if turn.world.items[item].worn.is_some() {
        return Err(equipment::still_worn(&name));
    }
    if !turn.world.contents(item).is_empty() {
        return Err(refuse!("There is still something in {name}."));
    }
    let offer = prototypes::kind_of(turn, item)
        .filter(|p| p.class != ItemClass::Coin)
        .map_or(0, |p| shop::offer(turn, room, p));
    if offer == 0 {
        return Err(refuse!("Nobody here gives anything for {name}."));
    }
    Ok(offer * i64::from(count))
}

/// Sells a number of items.
pub(crate) fn sell(turn: &mut Turn, who: CharacterId, item: ItemId, count: u32) -> Result<(), Refusal> {
    let room = market(turn, who)?;
    let pay = bid(turn, who, item, count)?;
    money::has_room_for(turn, who, pay)?;
    let what = format!("{} for {}", naming::stack_words(turn, item, count), money_words(pay));
    let key = turn.world.items[item].prototype.clone();
    let below = turn.world.items[item].found_in.is_some();
    turn.world.remove_from_stack(item, count, "shop");
    money::mint(turn, who, pay, "shop");
    if !below {
        forget_loot(turn, who, pay);
    }
    put_into_pack(turn, room, &key, count);
    tell::act(turn, Class::Notice, &SELL, who, None, &what);
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Traded });
    Ok(())
}

/// Excludes proceeds from items brought into the branch from the loot of the run.
fn forget_loot(turn: &mut Turn, who: CharacterId, copper: i64) {
    turn.world.characters.change(who, |body| body.money.run = (body.money.run - copper).max(0));
}

/// Adds sold items to a merchant's pack. The oldest are dropped when the pack is full.
fn put_into_pack(turn: &mut Turn, room: RoomId, key: &str, count: u32) {
    let most = turn.config.limits.shop_stock as usize;
    if turn.world.rooms[room].sheet.kind.spec().sells != Some(WareStock::Pack) {
        return;
    }
    if let Some(row) = turn.world.rooms.edit(room) {
        let count = (count as usize).min(most);
        row.stock.extend(std::iter::repeat_n(key.to_owned(), count));
        let over = row.stock.len().saturating_sub(most);
        row.stock.drain(..over);
    }
}
