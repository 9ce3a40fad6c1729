//! Shops, travelling merchants, banks and healers. A shop has unlimited stock, apart from its
//! own terms. A merchant has a pack of single items,
//! to which sold items are added. The selling price is lower than the buying price.

use crate::character::{affects, stats, wounds};
use crate::effect::Class;
use crate::item::money::MoneyPart;
use crate::item::{equipment, inventory, money, shop, stacks};
use crate::message::{naming, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RoomId, RuleLimit};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::room_kind::WareStock;
use deepwell_core::catalog::{AffectPrototype, ItemClass, ItemPrototype};
use deepwell_core::text::act::Template;
use deepwell_core::text::coins::money_words;
use deepwell_core::text::grammar;
use deepwell_core::world::{Item, Place, RoomKind};

const BUY: Template = Template::new("{actor} {buys|buy} {object}.");

const SELL: Template = Template::new("{actor} {sells|sell} {object}.");

/// Service of a healer and its price.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Treatment {
    /// Name that the player types: "wounds", or the name of an affect.
    pub(crate) name: String,
    /// Affect that the treatment ends; `None` for wounds.
    pub(crate) affect: Option<String>,
    /// Price in coppers.
    pub(crate) price: i64,
}

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
    if turn.world.rooms[room].kind.spec().sells.is_none() {
        return Err(refuse!("Nobody trades here."));
    }
    shop::require_open(turn, room, who)?;
    Ok(room)
}

/// Returns the items for sale here, each kind once.
pub(crate) fn wares(turn: &Turn, who: CharacterId) -> Result<Vec<PricedWare<'_>>, Refusal> {
    let room = &turn.world.rooms[market(turn, who)?];
    let is_pack = room.kind.spec().sells == Some(WareStock::Pack);
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
    if turn.world.rooms[room].kind.spec().sells == Some(WareStock::Pack) {
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
    if turn.world.rooms[room].kind.spec().sells != Some(WareStock::Pack) {
        return;
    }
    if let Some(row) = turn.world.rooms.edit(room) {
        let count = (count as usize).min(most);
        row.stock.extend(std::iter::repeat_n(key.to_owned(), count));
        let over = row.stock.len().saturating_sub(most);
        row.stock.drain(..over);
    }
}

fn is_in(turn: &Turn, who: CharacterId, kind: RoomKind) -> bool {
    turn.world.rooms[turn.world.characters[who].room].kind == kind
}

fn require_bank(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    if is_in(turn, who, RoomKind::Bank) { Ok(()) } else { Err(refuse!("There is no bank here.")) }
}

/// Deposits coppers into the bank.
pub(crate) fn deposit(turn: &mut Turn, who: CharacterId, amount: MoneyPart) -> Result<(), Refusal> {
    require_bank(turn, who)?;
    let copper = amount.out_of(turn.world.characters[who].money.purse)?;
    money::afford(turn, who, copper)?;
    if let Some(body) = turn.world.characters.edit(who) {
        body.money.spend(copper);
        body.money.bank = body.money.bank.saturating_add(copper);
    }
    let bank = money_words(turn.world.characters[who].money.bank);
    let message = format!("You put {} into the bank. It keeps {bank} for you.", money_words(copper));
    tell::tell(turn, who, Class::Notice, message);
    Ok(())
}

/// Withdraws coppers from the bank.
pub(crate) fn withdraw(turn: &mut Turn, who: CharacterId, amount: MoneyPart) -> Result<(), Refusal> {
    require_bank(turn, who)?;
    let money = turn.world.characters[who].money;
    let copper = amount.out_of(money.bank)?;
    if copper > money.bank {
        return Err(refuse!("The bank keeps only {} for you.", money_words(money.bank)));
    }
    money::has_room_for(turn, who, copper)?;
    if let Some(body) = turn.world.characters.edit(who) {
        body.money.bank -= copper;
        body.money.purse += copper;
    }
    let left = money_words(turn.world.characters[who].money.bank);
    let message = format!("The bank hands you {}. It still keeps {left} for you.", money_words(copper));
    tell::tell(turn, who, Class::Notice, message);
    Ok(())
}

/// Returns the treatments that a healer offers a character, with prices.
pub(crate) fn treatments(turn: &Turn, who: CharacterId) -> Result<Vec<Treatment>, Refusal> {
    if !is_in(turn, who, RoomKind::Healer) {
        return Err(refuse!("There is no healer here."));
    }
    let rules = &turn.catalog.rules;
    let trade = rules.trade;
    let mut list = Vec::new();
    let most = stats::max_hp_of(turn, who);
    let hurt = most - stats::hp(turn, who);
    let wounds = turn.world.characters[who].wounds;
    if hurt > 0 || wounds > 0 {
        let whole = i64::from(trade.hp_price)
            * i64::from(rules.beginner.hp)
            * i64::from(turn.world.characters[who].level);
        let price =
            (whole * i64::from(hurt)).unsigned_abs().div_ceil(u64::from(most.unsigned_abs())).cast_signed();
        let price = price + i64::from(wounds) * i64::from(trade.cure_price);
        list.push(Treatment { name: "wounds".into(), affect: None, price });
    }
    let body = &turn.world.characters[who];
    for affect in body.affects.iter().filter_map(|affect| turn.catalog.affects.get(&affect.key)) {
        if is_harmful(affect) && !list.iter().any(|known| known.affect.as_ref() == Some(&affect.key)) {
            let (name, affect) = (affect.name.clone(), Some(affect.key.clone()));
            list.push(Treatment { name, affect, price: i64::from(trade.cure_price) });
        }
    }
    Ok(list)
}

/// Pays for a treatment and applies it.
pub(crate) fn treat(turn: &mut Turn, who: CharacterId, treatment: &Treatment) -> Result<(), Refusal> {
    money::sink(turn, who, treatment.price, "healer")?;
    let price = money_words(treatment.price);
    if let Some(key) = &treatment.affect {
        affects::end_affect(turn, who, key);
        let message = format!("The healer takes {price}, and you are no longer {}.", treatment.name);
        tell::tell(turn, who, Class::Notice, message);
    } else {
        wounds::set_wounds(turn, who, 0);
        stats::heal(turn, who, i32::MAX);
        tell::tell(turn, who, Class::Notice, format!("The healer takes {price} and closes your wounds."));
    }
    Ok(())
}

/// Returns `true` if an affect is harmful.
fn is_harmful(affect: &AffectPrototype) -> bool {
    affect.hp_per_round < 0
        || affect.holds
        || affect.stuns
        || affect.attack < 0
        || affect.defence < 0
        || affect.max_hp < 0
}
