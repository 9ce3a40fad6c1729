//! Shops, travelling merchants, banks and healers. A shop sells of its stock without end; a merchant has a pack, each
//! thing in it once, and what one sells goes into it. Whoever sells gets less than whoever buys pays.

use crate::base::{CharacterId, ItemId, RoomId};
use crate::catalog::{AffectPrototype, ItemClass, ItemPrototype};
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::money::money_words;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::text::grammar;
use crate::world::{Item, Place, RoomKind};

const BUY: Template = Template::new("{actor} {buys|buy} {object}.");
const SELL: Template = Template::new("{actor} {sells|sell} {object}.");

/// Something a healer does, and its price.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Treatment {
    /// What one types: "wounds", or the name of an affect.
    pub(crate) name: String,
    /// The affect it ends; none for wounds.
    pub(crate) affect: Option<String>,
    /// Hit points it gives.
    pub(crate) hp: i32,
    /// In coppers.
    pub(crate) price: i64,
}

impl Game {
    /// The room, if things are bought and sold in it.
    fn market(&self, who: CharacterId) -> Result<RoomId, Refusal> {
        let room = self.world.characters[who].room;
        match self.world.rooms[room].kind {
            RoomKind::Shop | RoomKind::Merchant => Ok(room),
            _ => Err(Refusal::Because("Nobody trades here.".into())),
        }
    }

    /// What one pays for a thing of a kind, in coppers.
    pub(crate) fn price(&self, item: &ItemPrototype) -> i64 {
        let percent = i64::from(self.catalog.rules.trade.buy_percent);
        ((i64::from(item.value) * percent + 99) / 100).max(1)
    }

    /// What one gets for a thing of a kind, in coppers.
    pub(crate) fn offer(&self, item: &ItemPrototype) -> i64 {
        i64::from(item.value) * i64::from(self.catalog.rules.trade.sell_percent) / 100
    }

    /// What is for sale here: each kind once, with how many of it there are; none for no end.
    pub(crate) fn wares(&self, who: CharacterId) -> Result<Vec<(&ItemPrototype, Option<u32>)>, Refusal> {
        let room = &self.world.rooms[self.market(who)?];
        let mut wares: Vec<(&ItemPrototype, Option<u32>)> = Vec::new();
        for item in room.stock.iter().filter_map(|key| self.catalog.items.get(key)) {
            match wares.iter_mut().find(|(other, _)| other.key == item.key) {
                Some((_, count)) => *count = count.map(|count| count + 1),
                None => wares.push((item, (room.kind == RoomKind::Merchant).then_some(1))),
            }
        }
        Ok(wares)
    }

    /// Buys so many of a kind.
    pub(crate) fn buy(&mut self, who: CharacterId, key: &str, count: u32) -> Result<(), Refusal> {
        let room = self.market(who)?;
        let wares = self.wares(who)?;
        let Some((item, there)) = wares.into_iter().find(|(item, _)| item.key == key) else {
            return Err(Refusal::Because("That is not for sale here.".into()));
        };
        if let Some(there) = there.filter(|there| *there < count) {
            let left = grammar::number(there);
            return Err(Refusal::Because(format!(
                "There {} only {left} of it.",
                if there == 1 { "is" } else { "are" }
            )));
        }
        let cost = self.price(item) * i64::from(count);
        let stack = if item.stacks { self.config.limits.stack.max(1) } else { 1 };
        let rows = count.div_ceil(stack) as usize;
        self.afford(who, cost)?;
        let carried = self.world.carried(who).len();
        if carried.saturating_add(rows) > self.config.limits.items_carried as usize {
            return Err(Refusal::HandsFull);
        }
        self.sink(who, cost, "shop")?;
        if there.is_some() {
            self.take_from_pack(room, key, count);
        }
        let mut left = count;
        while left > 0 {
            let part = left.min(stack);
            left -= part;
            let id = self.world.new_item_id();
            let bought = Item { count: part, ..Item::new(id, key, Place::Holder(who), self.now) };
            self.world.add_item(bought, "shop");
            self.stack_up(id);
        }
        let what = format!("{} for {}", self.item_words(key, count as usize), money_words(cost));
        self.act(Class::Notice, &BUY, who, None, &what);
        self.learns(who, Lesson::Traded);
        Ok(())
    }

    fn take_from_pack(&mut self, room: RoomId, key: &str, count: u32) {
        let Some(row) = self.world.rooms.edit(room) else { return };
        for _ in 0..count {
            if let Some(at) = row.stock.iter().position(|other| other == key) {
                row.stock.remove(at);
            }
        }
    }

    /// What one would get here for so many of a thing, or why nothing.
    pub(crate) fn bid(&self, who: CharacterId, item: ItemId, count: u32) -> Result<i64, Refusal> {
        self.market(who)?;
        let because = |words: String| Err(Refusal::Because(words));
        let name = self.the_thing(item);
        if self.world.items[item].worn.is_some() {
            return because(format!("You wear {name}; remove it first."));
        }
        if !self.world.contents(item).is_empty() {
            return because(format!("There is still something in {name}."));
        }
        let offer = self.kind_of(item).filter(|p| p.class != ItemClass::Coin).map_or(0, |p| self.offer(p));
        if offer == 0 {
            return because(format!("Nobody here gives anything for {name}."));
        }
        Ok(offer * i64::from(count))
    }

    /// Sells so many of a thing.
    pub(crate) fn sell(&mut self, who: CharacterId, item: ItemId, count: u32) -> Result<(), Refusal> {
        let room = self.market(who)?;
        let pay = self.bid(who, item, count)?;
        self.has_room_for(who, pay)?;
        let what = format!("{} for {}", self.thing_words(item, count), money_words(pay));
        let key = self.world.items[item].prototype.clone();
        let below = self.world.items[item].found_in.is_some();
        self.world.lessen_item(item, count, "shop");
        self.mint(who, pay, "shop");
        if !below {
            self.forget_loot(who, pay);
        }
        self.put_into_pack(room, &key, count);
        self.act(Class::Notice, &SELL, who, None, &what);
        self.learns(who, Lesson::Traded);
        Ok(())
    }

    /// Money that was got for what was brought along is no loot of the run.
    fn forget_loot(&mut self, who: CharacterId, copper: i64) {
        if let Some(body) = self.world.characters.edit(who) {
            body.money.run = (body.money.run - copper).max(0);
        }
    }

    /// A merchant keeps what is sold to them; the oldest goes first when the pack is full.
    fn put_into_pack(&mut self, room: RoomId, key: &str, count: u32) {
        let most = self.config.limits.shop_stock as usize;
        if self.world.rooms[room].kind != RoomKind::Merchant {
            return;
        }
        if let Some(row) = self.world.rooms.edit(room) {
            let count = (count as usize).min(most);
            row.stock.extend(std::iter::repeat_n(key.to_owned(), count));
            let over = row.stock.len().saturating_sub(most);
            row.stock.drain(..over);
        }
    }

    fn need_room(&self, who: CharacterId, kind: RoomKind, none: &str) -> Result<(), Refusal> {
        let here = self.world.rooms[self.world.characters[who].room].kind;
        if here == kind { Ok(()) } else { Err(Refusal::Because(none.into())) }
    }

    /// Puts coppers into the bank.
    pub(crate) fn deposit(&mut self, who: CharacterId, words: &str) -> Result<(), Refusal> {
        self.need_room(who, RoomKind::Bank, "There is no bank here.")?;
        let copper = self.coppers(words, self.world.characters[who].money.purse)?;
        self.afford(who, copper)?;
        if let Some(body) = self.world.characters.edit(who) {
            body.money.spend(copper);
            body.money.bank = body.money.bank.saturating_add(copper);
        }
        let bank = money_words(self.world.characters[who].money.bank);
        let words = format!("You put {} into the bank. It keeps {bank} for you.", money_words(copper));
        self.tell(who, Class::Notice, words);
        Ok(())
    }

    /// Fetches coppers from the bank.
    pub(crate) fn withdraw(&mut self, who: CharacterId, words: &str) -> Result<(), Refusal> {
        self.need_room(who, RoomKind::Bank, "There is no bank here.")?;
        let money = self.world.characters[who].money;
        let copper = self.coppers(words, money.bank)?;
        if copper > money.bank {
            let words = format!("The bank keeps only {} for you.", money_words(money.bank));
            return Err(Refusal::Because(words));
        }
        self.has_room_for(who, copper)?;
        if let Some(body) = self.world.characters.edit(who) {
            body.money.bank -= copper;
            body.money.purse += copper;
        }
        let left = money_words(self.world.characters[who].money.bank);
        let words = format!("The bank hands you {}. It still keeps {left} for you.", money_words(copper));
        self.tell(who, Class::Notice, words);
        Ok(())
    }

    /// What a healer would do for somebody, and for how much.
    pub(crate) fn treatments(&self, who: CharacterId) -> Result<Vec<Treatment>, Refusal> {
        self.need_room(who, RoomKind::Healer, "There is no healer here.")?;
        let trade = self.catalog.rules.trade;
        let mut list = Vec::new();
        let hurt = self.max_hp_of(who) - self.hp(who);
        if hurt > 0 {
            let price = i64::from(hurt) * i64::from(trade.hp_price);
            list.push(Treatment { name: "wounds".into(), affect: None, hp: hurt, price });
        }
        let body = &self.world.characters[who];
        for affect in body.affects.iter().filter_map(|affect| self.catalog.affects.get(&affect.key)) {
            if ails(affect) && !list.iter().any(|known| known.affect.as_ref() == Some(&affect.key)) {
                let (name, affect) = (affect.name.clone(), Some(affect.key.clone()));
                list.push(Treatment { name, affect, hp: 0, price: i64::from(trade.cure_price) });
            }
        }
        Ok(list)
    }

    /// A healer does it.
    pub(crate) fn treat(&mut self, who: CharacterId, treatment: &Treatment) -> Result<(), Refusal> {
        self.sink(who, treatment.price, "healer")?;
        let price = money_words(treatment.price);
        if let Some(key) = &treatment.affect {
            self.end_affect(who, key);
            let words = format!("The healer takes {price}, and you are no longer {}.", treatment.name);
            self.tell(who, Class::Notice, words);
        } else {
            self.heal(who, treatment.hp);
            self.tell(who, Class::Notice, format!("The healer takes {price} and closes your wounds."));
        }
        Ok(())
    }
}

/// Whether an affect is one to be rid of.
fn ails(affect: &AffectPrototype) -> bool {
    affect.hp_per_round < 0
        || affect.holds
        || affect.stuns
        || affect.attack < 0
        || affect.defence < 0
        || affect.max_hp < 0
}
