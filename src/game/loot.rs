//! What creatures leave behind, and when what was found is safe.

use crate::base::{CharacterId, Dice, ItemId, Rng};
use crate::catalog::{ItemClass, LootTable};
use crate::game::Game;
use crate::game::money::money_words;
use crate::text::grammar;
use crate::world::Place;

/// What a draw from a loot table gave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Haul {
    /// Coppers.
    pub(crate) copper: i64,
    /// Things, by prototype.
    pub(crate) items: Vec<String>,
}

impl Game {
    /// What a loot table gives at a difficulty. Coins grow by a quarter with each difficulty.
    pub(crate) fn draw_loot(&self, table: &LootTable, difficulty: u32, dice: &mut Rng) -> Haul {
        let mut haul = Haul::default();
        if dice.percent(table.coins_percent) {
            let coins = i64::from(dice.between(table.coins.0, table.coins.1));
            haul.copper = coins * (4 + i64::from(difficulty)) / 4;
        }
        if dice.percent(table.item_percent) {
            let fitting: Vec<_> = table
                .items
                .iter()
                .filter(|found| (found.difficulty.0..=found.difficulty.1).contains(&difficulty))
                .collect();
            if let Some(found) = dice.weighted(&fitting, |found| found.weight) {
                match self.catalog.items.get(&found.item) {
                    Some(coin) if coin.class == ItemClass::Coin => haul.copper += i64::from(coin.value),
                    Some(item) => haul.items.push(item.key.clone()),
                    None => {}
                }
            }
        }
        haul
    }

    /// A creature has fallen: its coins are shared, its things lie in its corpse. What nobody's hand slew leaves
    /// nothing.
    pub(crate) fn drop_loot(&mut self, victim: CharacterId, slayer: CharacterId) {
        let by = &self.world.characters[slayer];
        let winner = if by.is_player() { Some(slayer) } else { by.master };
        let Some(winner) =
            winner.filter(|who| self.world.characters.get(*who).is_some_and(|c| c.is_player()))
        else {
            return;
        };
        let body = &self.world.characters[victim];
        let room = body.room;
        let table = body.mob.as_ref().and_then(|key| self.catalog.mobs.get(key)?.loot.as_ref());
        let haul = table.and_then(|key| self.catalog.loot.get(key)).map(|table| {
            // The dice hang on the creature alone: whatever else is drawn, it had what it had.
            let mut dice = self.world.meta().seed.named("loot").numbered(victim.0).rng();
            self.draw_loot(table, self.world.rooms[room].difficulty, &mut dice)
        });
        let haul = haul.unwrap_or_default();
        if haul.copper > 0 {
            self.split_coins(winner, room, haul.copper);
        }
        if haul.items.is_empty() && self.world.carried(victim).is_empty() {
            return;
        }
        self.leave_corpse(victim, winner, &haul.items);
    }

    /// Everything somebody carries, with what is in it.
    fn belongings(&self, who: CharacterId) -> Vec<ItemId> {
        self.world.carried(who).iter().flat_map(|item| self.world.with_contents(*item)).collect()
    }

    /// What somebody found in this run is safe from here on.
    pub(crate) fn secure_run(&mut self, who: CharacterId) {
        let found = |item: &ItemId| self.world.items[*item].found_in.is_some();
        for item in self.belongings(who).into_iter().filter(found).collect::<Vec<_>>() {
            if let Some(row) = self.world.items.edit(item) {
                row.found_in = None;
            }
        }
        if self.world.characters[who].money.run > 0
            && let Some(body) = self.world.characters.edit(who)
        {
            body.money.run = 0;
        }
    }

    /// Somebody is out: a share of what was found in this run is lost, things by draw and coins rounded down; the
    /// rest is safe. Says what, as a sentence; empty if nothing.
    pub(crate) fn lose_run_share(&mut self, who: CharacterId) -> String {
        let percent = self.catalog.rules.down.lost_percent;
        let found = |item: &ItemId| {
            let row = &self.world.items[*item];
            row.found_in.is_some() && row.worn.is_none()
        };
        let mut things: Vec<ItemId> = self.belongings(who).into_iter().filter(found).collect();
        let seed = crate::game::moment_seed(self.world.meta().seed, "lost", who.0, self.now);
        let mut dice = seed.rng();
        dice.shuffle(&mut things);
        let parts = u64::try_from(things.len()).unwrap_or(0) * u64::from(percent);
        let rest = u32::try_from(parts % 100).unwrap_or(0);
        let count = parts / 100 + u64::from(dice.percent(rest));
        things.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        let mut words = Vec::new();
        for item in things {
            // What was put into a thing that is lost is not lost with it.
            for inside in self.world.contents(item).to_vec() {
                self.world.move_item(inside, Place::Holder(who));
            }
            words.push(self.thing_words(item, self.world.items[item].count));
            self.world.remove_item(item, "lost");
        }
        let coins = self.world.characters[who].money.run * i64::from(percent) / 100;
        if coins > 0 && self.sink(who, coins, "lost").is_ok() {
            words.push(money_words(coins));
        }
        self.secure_run(who);
        if words.is_empty() {
            return String::new();
        }
        format!("Of what you found on this run you lost {}.", grammar::list(&words))
    }
}
