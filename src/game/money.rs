//! Money: made, spent and handed over, and never otherwise changed. It is counted in coppers; coins are what it
//! is while it lies about.

use crate::base::amount;
use crate::base::{CharacterId, ItemId};
use crate::catalog::{ItemClass, ItemPrototype};
use crate::game::command::Refusal;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::text::grammar;
use crate::world::{Item, Place};

const LAY: Template = Template::new("{actor} {lays|lay} down {object}.");
const PAY: Template = Template::new("{actor} {gives|give} {target} {object}.");

/// How money is said, the greatest first. A test proves that the coins of the content agree.
const NAMES: [(&str, i64); 4] = [("platinum", 1_000), ("gold", 100), ("silver", 10), ("copper", 1)];

/// "three gold, four silver and two copper".
pub(crate) fn money_words(copper: i64) -> String {
    let mut rest = copper.max(0);
    let mut parts = Vec::new();
    for (name, worth) in NAMES {
        let count = rest / worth;
        rest %= worth;
        if count > 0 {
            let number = u32::try_from(count).map_or_else(|_| count.to_string().into(), grammar::number);
            parts.push(format!("{number} {name}"));
        }
    }
    if parts.is_empty() { "no money".into() } else { grammar::list(&parts) }
}

impl Game {
    /// Coppers come into the world and into a purse; as many as it holds. Below they are loot of the run.
    pub(crate) fn mint(&mut self, who: CharacterId, copper: i64, why: &str) {
        let most = i64::from(self.config.limits.coins);
        let Some(body) = self.world.characters.get(who) else { return };
        let copper = copper.min(most - body.money.purse);
        if copper <= 0 {
            return;
        }
        let below = body.is_player() && self.world.rooms[body.room].branch.is_some();
        if let Some(body) = self.world.characters.edit(who) {
            body.money.purse += copper;
            body.money.run += if below { copper } else { 0 };
        }
        let now = self.now;
        self.world.book_money(now, copper, why, Some(who));
    }

    /// Coppers leave a purse and the world.
    pub(crate) fn sink(&mut self, who: CharacterId, copper: i64, why: &str) -> Result<(), Refusal> {
        self.afford(who, copper)?;
        if let Some(body) = self.world.characters.edit(who) {
            body.money.spend(copper);
        }
        let now = self.now;
        self.world.book_money(now, -copper, why, Some(who));
        Ok(())
    }

    /// Refuses whoever has not so much.
    pub(crate) fn afford(&self, who: CharacterId, copper: i64) -> Result<(), Refusal> {
        let purse = self.world.characters[who].money.purse;
        if copper < 0 || copper > purse { Err(Refusal::TooPoor(copper)) } else { Ok(()) }
    }

    /// Refuses money that a purse has no room for.
    pub(super) fn has_room_for(&self, who: CharacterId, copper: i64) -> Result<(), Refusal> {
        let body = &self.world.characters[who];
        let most = i64::from(self.config.limits.coins);
        if body.money.purse.saturating_add(copper) <= most {
            return Ok(());
        }
        Err(Refusal::Because(format!("No purse holds more than {}.", money_words(most))))
    }

    /// Coppers go from purse to purse. What was not safe yet is not made safe by it.
    pub(crate) fn pay(&mut self, from: CharacterId, to: CharacterId, copper: i64) -> Result<(), Refusal> {
        self.afford(from, copper)?;
        self.has_room_for(to, copper)?;
        let loot = self.world.characters[from].money.loot_in(copper);
        let below = self.world.characters[to].branch.is_some();
        if let Some(body) = self.world.characters.edit(from) {
            body.money.spend(copper);
        }
        if let Some(body) = self.world.characters.edit(to) {
            body.money.purse += copper;
            body.money.run += if below { loot } else { 0 };
        }
        Ok(())
    }

    /// Coppers go from purse to purse in the sight of all.
    pub(crate) fn hand_money(
        &mut self,
        who: CharacterId,
        to: CharacterId,
        copper: i64,
    ) -> Result<(), Refusal> {
        self.pay(who, to, copper)?;
        self.act(Class::Notice, &PAY, who, Some(to), &money_words(copper));
        Ok(())
    }

    /// Coins that lie about go into a purse.
    pub(super) fn pocket(&mut self, who: CharacterId, coins: ItemId, count: u32) -> Result<(), Refusal> {
        let row = &self.world.items[coins];
        let count = count.min(row.count);
        let worth = self.kind_of(coins).map_or(0, |coin| i64::from(coin.value) * i64::from(count));
        let below = self.world.rooms[self.world.characters[who].room].branch.is_some();
        if row.copper == 0 {
            // A coin from before there were purses: it becomes money now.
            self.has_room_for(who, worth)?;
            self.world.lessen_item(coins, count, "purse");
            self.mint(who, worth, "coin");
            return Ok(());
        }
        self.has_room_for(who, i64::from(row.copper) * i64::from(count))?;
        let loot = below && row.found_in.is_some();
        self.world.purse_coins(coins, count, who, loot);
        Ok(())
    }

    /// Coins are counted out onto the floor.
    pub(crate) fn lay_down(&mut self, who: CharacterId, sum: &Sum) -> Result<(), Refusal> {
        self.afford(who, sum.copper)?;
        let body = &self.world.characters[who];
        let (room, found_in) = (body.room, body.branch.filter(|_| body.money.loot_in(sum.copper) > 0));
        let key = &sum.coin;
        let id = self.world.new_item_id();
        let pile = Item {
            count: sum.count,
            copper: sum.worth,
            found_in,
            ..Item::new(id, key, Place::Room(room), self.now)
        };
        if !self.world.lay_coins(who, pile) {
            return Err(Refusal::TooPoor(sum.copper));
        }
        let what = self.item_words(key, sum.count as usize);
        self.act(Class::Notice, &LAY, who, None, &what);
        let pile = self.stack_up(id);
        self.tread(room, pile);
        Ok(())
    }

    /// What words such as "5 gold" or "3 silver coins" mean; none if they name no money.
    pub(crate) fn sum_of(&self, words: &str) -> Result<Option<Sum>, Refusal> {
        let Some((number, rest)) = words.split_once(char::is_whitespace) else { return Ok(None) };
        if !amount::is_meant(number) {
            return Ok(None);
        }
        let Some(coin) = self.coin_named(rest) else { return Ok(None) };
        let count = amount::parse(number).map_err(|error| Refusal::Because(error.sentence().into()))?;
        let copper = i64::from(count) * i64::from(coin.value);
        Ok(Some(Sum { copper, coin: coin.key.clone(), worth: coin.value, count }))
    }

    /// What to say to somebody who names coins without a number, and nothing that they carry.
    pub(crate) fn without_number(&self, words: &str, no: Refusal) -> Refusal {
        match self.coin_named(words) {
            Some(coin) => Refusal::Because(format!("Say how many: 5 {}, for instance.", coin.plural)),
            None => no,
        }
    }

    /// The coin that words such as "gold", "golds" or "gold coins" name.
    fn coin_named(&self, words: &str) -> Option<&ItemPrototype> {
        let words = words.trim().to_lowercase();
        let mut parts = words.split_whitespace();
        let metal = parts.next()?.trim_end_matches('s');
        let rest = parts.next().unwrap_or("coin").trim_end_matches('s');
        if parts.next().is_some() || !matches!(rest, "coin" | "piece") {
            return None;
        }
        let named = |coin: &&ItemPrototype| {
            let name = coin.name.split(' ').next().unwrap_or_default();
            coin.class == ItemClass::Coin && metal.len() >= 2 && name.starts_with(metal)
        };
        self.catalog.items.values().find(named)
    }

    /// Coppers that words such as "5 gold", "2 gold 3 silver", "30" or "all" mean, out of so many.
    pub(crate) fn coppers(&self, words: &str, all: i64) -> Result<i64, Refusal> {
        let wrong = || Refusal::Because("Say how much: a number and a coin, such as 5 gold, or all.".into());
        if words.eq_ignore_ascii_case("all") {
            return if all > 0 { Ok(all) } else { Err(Refusal::Because("There is nothing there.".into())) };
        }
        let mut total = 0_i64;
        let mut words = words.split_whitespace().filter(|word| *word != "and").peekable();
        if words.peek().is_none() {
            return Err(wrong());
        }
        while let Some(number) = words.next() {
            let count = amount::parse(number).map_err(|error| Refusal::Because(error.sentence().into()))?;
            let worth = match words.next() {
                Some(metal) => i64::from(self.coin_named(metal).ok_or_else(wrong)?.value),
                None if total == 0 => 1,
                None => return Err(wrong()),
            };
            words.next_if(|word| matches!(*word, "coin" | "coins" | "piece" | "pieces"));
            total = i64::from(count)
                .checked_mul(worth)
                .and_then(|sum| total.checked_add(sum))
                .ok_or_else(wrong)?;
        }
        Ok(total)
    }
}

/// An amount of one kind of coin.
#[derive(Debug)]
pub(crate) struct Sum {
    /// In coppers.
    pub(crate) copper: i64,
    /// What coin, by key.
    coin: String,
    /// What each of it is worth.
    worth: u32,
    /// How many of it.
    count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn money_is_said_in_the_greatest_coins() {
        assert_eq!(money_words(0), "no money");
        assert_eq!(money_words(1), "one copper");
        assert_eq!(money_words(3_254), "three platinum, two gold, five silver and four copper");
        assert_eq!(money_words(i64::MAX), "9223372036854775 platinum, eight gold and seven copper");
    }

    /// R5: copper, silver, gold and platinum are worth 0.01, 0.1, 1 and 10 gold, and they stack.
    #[test]
    fn the_coins_of_the_content_are_worth_what_is_said() {
        let catalog = Catalog::builtin();
        for (name, worth) in NAMES {
            let coin = &catalog.items[&format!("{name}_coin")];
            assert_eq!(
                (i64::from(coin.value), coin.class, coin.stacks),
                (worth, ItemClass::Coin, true),
                "{name}"
            );
        }
    }
}
