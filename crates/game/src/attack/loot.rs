//! Loot of creatures, and loot of a run until it is safe.

use crate::attack::corpse;
use crate::item::{money, stacks};
use crate::message::naming;
use crate::party::share;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, ItemId, Rng};
use deepwell_core::catalog::{ItemClass, LootTable};
use deepwell_core::text::coins::money_words;
use deepwell_core::text::grammar;
use deepwell_core::world::Place;

/// Result of a roll on a loot table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LootRoll {
    /// Money in copper.
    pub(crate) copper: i64,
    /// Items by prototype key.
    pub(crate) items: Vec<String>,
}

/// Rolls on a loot table. Coins grow by a quarter with each level of difficulty.
fn roll_loot(turn: &Turn, table: &LootTable, difficulty: u32, dice: &mut Rng) -> LootRoll {
    let mut haul = LootRoll::default();
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
            match turn.catalog.items.get(&found.item) {
                Some(coin) if coin.class == ItemClass::Coin => haul.copper += i64::from(coin.value),
                Some(item) => haul.items.push(item.key.clone()),
                None => {}
            }
        }
    }
    haul
}

/// Drops the loot of a dead creature: each side that fought it gets its part of the coins, and items go into a corpse of the
/// side with the greatest part. A creature that no player or companion has fought leaves nothing.
pub(crate) fn drop_loot(turn: &mut Turn, victim: CharacterId, slayer: CharacterId) {
    let sides = share::sides(turn, victim, slayer);
    let Some(winner) = sides.first().map(|side| side.first) else { return };
    let body = &turn.world.characters[victim];
    let room = body.room;
    let table = body.prototype.as_ref().and_then(|key| turn.catalog.creatures.get(key)?.loot.as_ref());
    let haul = table.and_then(|key| turn.catalog.loot.get(key)).map(|table| {
        // Seeded by the creature alone, so its loot does not depend on other random numbers.
        let mut dice = turn.world.meta().seed.named("loot").numbered(victim.0).rng();
        roll_loot(turn, table, turn.world.rooms[room].difficulty, &mut dice)
    });
    let haul = haul.unwrap_or_default();
    for (side, copper) in sides.iter().zip(share::parts(&sides, haul.copper)) {
        if copper > 0 {
            share::split_coins(turn, side.first, room, copper, "You find");
        }
    }
    if haul.items.is_empty() && turn.world.carried(victim).is_empty() {
        return;
    }
    corpse::leave_corpse(turn, victim, winner, &haul.items);
}

/// Returns all carried items with their contents.
fn belongings(turn: &Turn, who: CharacterId) -> Vec<ItemId> {
    turn.world.carried(who).iter().flat_map(|item| turn.world.with_contents(*item)).collect()
}

/// Makes the loot of the present run safe.
pub(crate) fn secure_run(turn: &mut Turn, who: CharacterId) {
    let found = |item: &ItemId| turn.world.items[*item].found_in.is_some();
    for item in belongings(turn, who).into_iter().filter(found).collect::<Vec<_>>() {
        turn.world.items.change(item, |row| row.found_in = None);
    }
    if turn.world.characters[who].money.run > 0 {
        turn.world.characters.change(who, |body| body.money.run = 0);
    }
}

/// Takes a share of the run's loot from a defeated player: random items, and coins rounded down. They stay under a cairn where
/// the player fell. The rest is safe from then on. Returns the losses as a sentence; empty without any.
pub(crate) fn lose_run_share(turn: &mut Turn, who: CharacterId) -> String {
    let percent = turn.catalog.rules.down.lost_percent;
    let found = |item: &ItemId| {
        let row = &turn.world.items[*item];
        row.found_in.is_some() && row.worn.is_none()
    };
    let mut items: Vec<ItemId> = belongings(turn, who).into_iter().filter(found).collect();
    let seed = turn.moment_seed("lost", who.0, turn.now);
    let mut dice = seed.rng();
    dice.shuffle(&mut items);
    let parts = u64::try_from(items.len()).unwrap_or(0) * u64::from(percent);
    let rest = u32::try_from(parts % 100).unwrap_or(0);
    let count = parts / 100 + u64::from(dice.percent(rest));
    items.truncate(usize::try_from(count).unwrap_or(usize::MAX));
    let names = naming::grouped(turn, &items);
    let mut losses: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    let coins = turn.world.characters[who].money.run * i64::from(percent) / 100;
    let cairn = if items.is_empty() && coins == 0 { None } else { corpse::raise_cairn(turn, who) };
    for item in items {
        // The contents of a lost item are kept.
        for inside in turn.world.contents(item).to_vec() {
            turn.world.move_item(inside, Place::Holder(who));
        }
        match cairn {
            Some(cairn) => turn.world.move_item(item, Place::Inside(cairn)),
            None => turn.world.remove_item(item, "lost"),
        }
    }
    if coins > 0 && lose_coins(turn, who, coins, cairn).is_ok() {
        losses.push(money_words(coins));
    }
    secure_run(turn, who);
    if losses.is_empty() {
        return String::new();
    }
    let Some(cairn) = cairn else {
        return format!("Of what you found on this run you lost {}.", grammar::list(&losses));
    };
    stacks::trim_ground(turn, turn.world.characters[who].room, cairn);
    format!(
        "Of what you found on this run, {} stayed below, under a cairn where you fell, for whoever comes first.",
        grammar::list(&losses)
    )
}

fn lose_coins(turn: &mut Turn, who: CharacterId, coins: i64, cairn: Option<ItemId>) -> Result<(), Refusal> {
    match cairn {
        Some(cairn) => {
            money::take_out(turn, who, &money::coppers(coins), Place::Inside(cairn))?;
            Ok(())
        }
        None => money::sink(turn, who, coins, "lost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameConfig;
    use crate::building::built_rooms;
    use crate::character::{spawn, stats};
    use crate::creature::companion;
    use crate::table::{Table, changed_content};
    use deepwell_core::base::Slot;
    use deepwell_core::catalog::{BUILTIN, Catalog};
    use deepwell_core::world::LootChoice;
    use std::sync::Arc;

    const TABLE: &str = "coins_percent = 100\ncoins_least = 8\ncoins_most = 8\nitem_percent = 100\n\
                         [[items]]\nitem = \"clay_lamp\"\nweight = 1\n";

    /// Returns the shipped content, with rats that always leave eight coppers and a lamp, and with a rule set for the
    /// well.
    fn catalog(rules: &str) -> Arc<Catalog> {
        let shipped = |path: &str| BUILTIN.iter().find(|(other, _)| *other == path).expect("shipped").1;
        let without = |path: &str, key: &str| {
            let lines = shipped(path).lines().filter(|line| !line.starts_with(&format!("{key} =")));
            lines.collect::<Vec<_>>().join("\n")
        };
        let rat = format!("loot = \"test\"\n{}", without("mobs/rat.toml", "loot"));
        let well = format!("rules = \"{rules}\"\n{}", without("themes/well.toml", "rules"));
        changed_content(&[("mobs/rat.toml", &rat), ("themes/well.toml", &well), ("loot/test.toml", TABLE)])
    }

    /// Returns a table with Olad in the first room of a branch.
    fn table_with_rules(rules: &str) -> Table {
        let mut play = Table::with_content(GameConfig::default(), &catalog(rules));
        play.sit("Olad");
        play.types_all("Olad", &["down", "north"]);
        play
    }

    impl Table {
        /// Spawns a rat and lets Olad kill it. Returns the output.
        fn kill_rat(&mut self) -> String {
            let (who, room, branch) = (self.id("Olad"), self.room("Olad").id, self.room("Olad").branch);
            let rat = spawn::spawn_creature(&mut self.game.turn, "rat", room, branch).expect("a rat");
            drop_loot(&mut self.game.turn, rat, who);
            self.game.turn.world.remove_character(rat);
            self.types("Olad", "wait for it")
        }

        fn carried(&self) -> Vec<&str> {
            let items = &self.world().items;
            self.world().carried(self.id("Olad")).iter().map(|id| items[*id].prototype.as_str()).collect()
        }

        fn choose_loot(&mut self, choice: LootChoice) {
            let account = self.account("Olad");
            self.game.turn.world.accounts.edit(account).expect("an account").settings.loot = choice;
        }
    }

    /// Coins go to the purse. Items go into a corpse and to the winner with automatic looting; the empty corpse is
    /// removed.
    #[test]
    fn automatic_looting_takes_items_immediately() {
        let mut play = table_with_rules("powers");
        let (purse, difficulty) = {
            let world = &play.game.turn.world;
            (world.characters[play.id("Olad")].money.purse, world.rooms[play.room("Olad").id].difficulty)
        };
        let read = play.kill_rat();
        let lines: Vec<&str> = read.lines().take(2).collect();
        assert!(
            lines[0].starts_with("You find ") && lines[1] == "You take a clay lamp from the corpse of a rat.",
            "{read}"
        );
        let money = play.game.turn.world.characters[play.id("Olad")].money;
        let coins = 8 * (4 + i64::from(difficulty)) / 4;
        assert_eq!((money.purse, money.run), (purse + coins, coins));
        assert_eq!(play.carried(), ["clay_lamp"]);
        assert!(play.game.turn.world.ground(play.room("Olad").id).is_empty(), "no things, no corpse");
    }

    /// With `config loot manual` the items stay in the corpse. It belongs to the winner, expires, and is removed when
    /// emptied.
    #[test]
    fn manual_looting_leaves_items_in_corpse() {
        let mut play = table_with_rules("powers");
        play.choose_loot(LootChoice::Manual);
        play.kill_rat();
        assert!(play.carried().is_empty());
        let corpse = play.game.turn.world.items[play.game.turn.world.ground(play.room("Olad").id)[0]].clone();
        assert_eq!(corpse.label.as_deref(), Some("corpse of a rat"));
        let times = play.game.turn.catalog.rules.corpse;
        let after = |secs: u32| Some(play.game.turn.now + deepwell_core::catalog::Rules::secs(secs));
        assert_eq!(
            (corpse.owner, corpse.owner_until, corpse.gone_at),
            (Some(play.id("Olad")), after(times.owner_secs), after(times.gone_secs))
        );
        let read = play.types("Olad", "get all from corpse");
        assert_eq!(read, "You take a clay lamp from the corpse of a rat.");
        assert!(play.game.turn.world.ground(play.room("Olad").id).is_empty());
    }

    #[test]
    fn corpse_coins_go_to_the_winners_purse() {
        for (choice, line) in [(LootChoice::Auto, "wait for it"), (LootChoice::Manual, "get all from corpse")]
        {
            let mut play = table_with_rules("powers");
            play.choose_loot(choice);
            let (who, room, branch) = (play.id("Olad"), play.room("Olad").id, play.room("Olad").branch);
            let turn = &mut play.game.turn;
            let rat = spawn::spawn_creature(turn, "rat", room, branch).expect("a rat");
            spawn::spawn_item(turn, "gold_coin", Place::Holder(rat), "test").expect("a coin");
            let purse = turn.world.characters[who].money.purse;
            drop_loot(turn, rat, who);
            turn.world.remove_character(rat);
            let read = play.types("Olad", line);
            assert!(read.contains("a gold coin"), "{read}");
            assert!(!play.carried().contains(&"gold_coin"), "{choice:?}: {:?}", play.carried());
            assert!(play.game.turn.world.characters[who].money.purse >= purse + 100, "{choice:?}");
        }
    }

    /// A creature killed by another creature, or without a loot table, leaves nothing.
    #[test]
    fn creature_killed_by_creature_leaves_nothing() {
        let mut play = table_with_rules("powers");
        let (room, branch) = (play.room("Olad").id, play.room("Olad").branch);
        let rat = spawn::spawn_creature(&mut play.game.turn, "rat", room, branch).expect("a rat");
        let other = spawn::spawn_creature(&mut play.game.turn, "rat", room, branch).expect("a rat");
        drop_loot(&mut play.game.turn, rat, other);
        assert!(play.game.turn.world.ground(room).is_empty());
        assert_eq!(play.game.turn.world.characters[play.id("Olad")].money.run, 0);
    }

    /// Loot of a companion's kill stays in the room while its master is elsewhere.
    #[test]
    fn companion_loot_waits_while_master_is_elsewhere() {
        let mut play = table_with_rules("powers");
        let (room, branch, town) =
            (play.room("Olad").id, play.room("Olad").branch, built_rooms::town(&play.game.turn));
        let friend = spawn::spawn_creature(&mut play.game.turn, "rat", room, branch).expect("a rat");
        let olad = play.id("Olad");
        assert!(companion::join_companion(&mut play.game.turn, friend, olad));
        let rat = spawn::spawn_creature(&mut play.game.turn, "rat", room, branch).expect("a rat");
        play.game.turn.world.move_character(play.id("Olad"), town);
        drop_loot(&mut play.game.turn, rat, friend);
        play.game.turn.world.move_character(play.id("Olad"), room);
        play.game.turn.world.remove_character(rat);
        assert!(play.carried().is_empty(), "{:?}", play.carried());
        assert_eq!(play.game.turn.world.ground(room).len(), 1, "the corpse with all that is in it");
        let read = play.types("Olad", "get all from corpse");
        assert!(read.ends_with("You take a clay lamp from the corpse of a rat."), "{read}");
    }

    /// Loot belongs to the run until its finder is home. A finder who is defeated before loses half the loot, but
    /// nothing brought along or worn.
    #[test]
    fn defeat_loses_half_of_the_runs_loot() {
        let mut play = table_with_rules("powers");
        let (who, now) = (play.id("Olad"), play.game.turn.now);
        for _ in 0..4 {
            play.kill_rat();
        }
        let own = play.game.turn.world.new_item_id();
        let place = Place::Holder(who);
        play.game.turn.world.add_item(deepwell_core::world::Item::new(own, "old_key", place, now), "test");
        let worn = spawn::spawn_item(&mut play.game.turn, "miners_pick", place, "test").expect("a pick");
        play.game.turn.world.items.edit(worn).expect("the pick").worn = Some(Slot::Hand);
        let before = play.game.turn.world.characters[who].money;
        let sentence = lose_run_share(&mut play.game.turn, who);
        let after = play.game.turn.world.characters[who].money;
        assert_eq!((after.purse, after.run), (before.purse - before.run / 2, 0));
        let carried = play.carried();
        assert_eq!(carried.iter().filter(|key| **key == "clay_lamp").count(), 2, "half of four");
        assert!(carried.contains(&"old_key") && carried.contains(&"miners_pick"));
        assert!(
            sentence.contains("two clay lamps")
                && sentence.contains("silver")
                && sentence.contains("under a cairn"),
            "{sentence}"
        );
        let run = |id: &ItemId| play.game.turn.world.items[*id].found_in.is_some();
        assert!(!play.game.turn.world.carried(who).iter().any(run), "what is left is safe");
        assert_eq!(lose_run_share(&mut play.game.turn, who), "", "nothing is lost twice");
        let stock = play.game.turn.world.meta().stock["clay_lamp"];
        assert_eq!(stock.made - stock.gone, 4, "D8");
    }

    /// However often a player falls in one room, what is on its ground stays within the limits.
    #[test]
    fn falls_in_one_room_stay_within_the_limits() {
        let mut play = table_with_rules("powers");
        let (who, room, branch) = (play.id("Olad"), play.room("Olad").id, play.room("Olad").branch);
        for _ in 0..60 {
            for _ in 0..10 {
                let lamp = spawn::spawn_item(&mut play.game.turn, "clay_lamp", Place::Holder(who), "test");
                play.game.turn.world.items.edit(lamp.expect("a lamp")).expect("a lamp").found_in = branch;
            }
            assert!(lose_run_share(&mut play.game.turn, who).contains("under a cairn"));
            for kept in play.game.turn.world.carried(who).to_vec() {
                play.game.turn.world.remove_item(kept, "test");
            }
            let turn = &play.game.turn;
            assert!(turn.world.ground(room).len() <= turn.config.limits.items_in_room as usize);
            let nested = stacks::nested_at(turn, Place::Room(room));
            assert!(nested <= turn.config.limits.items_nested as usize, "{nested}");
        }
    }

    /// Coming home makes loot safe; loot given away in the branch stays loot of the run.
    #[test]
    fn run_loot_becomes_safe_at_home() {
        let mut play = table_with_rules("powers");
        play.kill_rat();
        assert!(play.game.turn.world.characters[play.id("Olad")].money.run > 0);
        play.types("Olad", "drop lamp");
        play.types("Olad", "get lamp");
        let lamp = play.game.turn.world.carried(play.id("Olad"))[0];
        assert!(play.game.turn.world.items[lamp].found_in.is_some(), "laying it down makes it no safer");
        assert!(play.types("Olad", "examine lamp").contains("found on this run"));
        assert!(play.types("Olad", "balance").contains("not safe yet"));
        play.types("Olad", "south");
        assert_eq!(play.game.turn.world.items[lamp].found_in, None);
        assert_eq!(play.game.turn.world.characters[play.id("Olad")].money.run, 0);
    }

    /// R25: under the rule set `racket` a better item replaces the worse one when taken, and a worse one does not.
    /// Under `powers` nothing is worn automatically.
    #[test]
    fn better_gear_replaces_worse_gear() {
        for (rules, worn) in
            [("powers", [None; 4]), ("racket", ["club", "longsword", "longsword", "magic_sword"].map(Some))]
        {
            let mut play = table_with_rules(rules);
            for (key, expected) in ["club", "longsword", "dagger", "magic_sword"].into_iter().zip(worn) {
                let room = Place::Room(play.room("Olad").id);
                spawn::spawn_item(&mut play.game.turn, key, room, "test").expect("a weapon");
                let name = play.game.turn.catalog.items[key].name.clone();
                let read = play.types("Olad", &format!("get {name}"));
                let hand = stats::worn_at(&play.game.turn, play.id("Olad"), Slot::Hand);
                let wields = hand.map(|item| play.game.turn.world.items[item].prototype.as_str());
                assert_eq!(wields, expected, "{rules}: {key}");
                assert_eq!(read.contains("You wield"), expected == Some(key), "{read}");
            }
            assert_eq!(play.carried().len(), 4, "the worse ones are still there");
        }
    }

    /// Coins grow with the difficulty; items appear within their range of difficulty.
    #[test]
    fn loot_grows_with_the_difficulty() {
        let play = table_with_rules("powers");
        let table = &play.game.turn.catalog.loot["test"];
        for (difficulty, copper) in [(0, 8), (1, 10), (4, 16), (12, 32)] {
            let mut dice = deepwell_core::base::Seed(1).rng();
            let haul = roll_loot(&play.game.turn, table, difficulty, &mut dice);
            assert_eq!((haul.copper, haul.items), (copper, vec!["clay_lamp".to_owned()]), "{difficulty}");
        }
    }
}
