//! Money: created, spent and transferred, and changed only by these functions. Amounts are in coppers; coins are items
//! only while they are on the ground.

use crate::effect::Class;
use crate::item::stacks;
use crate::message::{naming, notices, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RuleLimit};
use deepwell_core::text::act::Template;
use deepwell_core::text::coins::money_words;
use deepwell_core::world::{Item, Place};

const LAY: Template = Template::new("{actor} {lays|lay} down {object}.");

const PAY: Template = Template::new("{actor} {gives|give} {target} {object}.");

/// Creates coppers in a purse, up to its limit. In the dungeon a player's new coppers count as loot of the run.
pub(crate) fn mint(turn: &mut Turn, who: CharacterId, copper: i64, why: &str) {
    let most = i64::from(turn.config.limits.coins);
    let Some(body) = turn.world.characters.get(who) else { return };
    let copper = copper.min(most - body.money.purse);
    if copper <= 0 {
        return;
    }
    let below = body.is_player() && turn.world.rooms[body.room].branch.is_some();
    if let Some(body) = turn.world.characters.edit(who) {
        body.money.purse += copper;
        body.money.run += if below { copper } else { 0 };
    }
    let now = turn.now;
    turn.world.record_money(now, copper, why, Some(who));
}

/// Removes coppers from a purse and from the world.
pub(crate) fn sink(turn: &mut Turn, who: CharacterId, copper: i64, why: &str) -> Result<(), Refusal> {
    afford(turn, who, copper)?;
    turn.world.characters.change(who, |body| body.money.spend(copper));
    let now = turn.now;
    turn.world.record_money(now, -copper, why, Some(who));
    Ok(())
}

/// Refuses if the purse holds less than `copper`.
pub(crate) fn afford(turn: &Turn, who: CharacterId, copper: i64) -> Result<(), Refusal> {
    let purse = turn.world.characters[who].money.purse;
    if copper < 0 || copper > purse { Err(too_poor(copper)) } else { Ok(()) }
}

/// Refuses if the purse cannot hold `copper` more.
pub(crate) fn has_room_for(turn: &Turn, who: CharacterId, copper: i64) -> Result<(), Refusal> {
    let body = &turn.world.characters[who];
    let most = i64::from(turn.config.limits.coins);
    if body.money.purse.saturating_add(copper) <= most {
        return Ok(());
    }
    Err(refusal::at_limit(RuleLimit::Coins, refuse!("No purse holds more than {}.", money_words(most))))
}

/// Transfers coppers between purses, those found on the run first. They are not yet safe, and remain so.
fn pay(turn: &mut Turn, from: CharacterId, to: CharacterId, copper: i64) -> Result<(), Refusal> {
    afford(turn, from, copper)?;
    has_room_for(turn, to, copper)?;
    let loot = turn.world.characters[from].money.loot_in(copper);
    let below = turn.world.characters[to].branch.is_some();
    turn.world.characters.change(from, |body| body.money.hand_over(copper));
    if let Some(body) = turn.world.characters.edit(to) {
        body.money.purse += copper;
        body.money.run += if below { loot } else { 0 };
    }
    Ok(())
}

/// Transfers coppers between purses and shows it to the room.
pub(crate) fn hand_money(
    turn: &mut Turn,
    who: CharacterId,
    to: CharacterId,
    copper: i64,
) -> Result<(), Refusal> {
    pay(turn, who, to, copper)?;
    tell::act(turn, Class::Notice, &PAY, who, Some(to), &money_words(copper));
    notices::keep_gift(turn, who, to);
    Ok(())
}

/// Gives money to a creature, which uses it up.
pub(crate) fn give_away(
    turn: &mut Turn,
    who: CharacterId,
    to: CharacterId,
    copper: i64,
) -> Result<(), Refusal> {
    sink(turn, who, copper, "given")?;
    tell::act(turn, Class::Notice, &PAY, who, Some(to), &money_words(copper));
    Ok(())
}

/// Moves coins from the ground into a purse.
pub(crate) fn pocket(turn: &mut Turn, who: CharacterId, coins: ItemId, count: u32) -> Result<(), Refusal> {
    let row = &turn.world.items[coins];
    let count = count.min(row.count);
    let worth = prototypes::kind_of(turn, coins).map_or(0, |coin| i64::from(coin.value) * i64::from(count));
    let below = turn.world.rooms[turn.world.characters[who].room].branch.is_some();
    if row.copper == 0 {
        // A stored coin without a value in coppers: its value is minted from its prototype.
        has_room_for(turn, who, worth)?;
        turn.world.remove_from_stack(coins, count, "purse");
        mint(turn, who, worth, "coin");
        return Ok(());
    }
    has_room_for(turn, who, i64::from(row.copper) * i64::from(count))?;
    let loot = below && row.found_in.is_some();
    turn.world.move_coins_to_purse(coins, count, who, loot);
    Ok(())
}

/// Puts coins from a purse on the ground: those found on the run in one pile, the others in another, so that they are told
/// apart when they are taken up.
pub(crate) fn lay_down(turn: &mut Turn, who: CharacterId, sum: &Sum) -> Result<(), Refusal> {
    afford(turn, who, sum.copper)?;
    let body = &turn.world.characters[who];
    let (room, run) = (body.room, body.money.run.unsigned_abs());
    let what = naming::item_words(turn, &sum.coin, sum.count as usize);
    tell::act(turn, Class::Notice, &LAY, who, None, &what);
    let found = u32::try_from(run.div_ceil(u64::from(sum.worth.max(1)))).unwrap_or(u32::MAX).min(sum.count);
    for count in [found, sum.count - found].into_iter().filter(|count| *count > 0) {
        let copper = i64::from(sum.worth) * i64::from(count);
        let part = Sum { copper, coin: sum.coin.clone(), worth: sum.worth, count };
        let id = take_out(turn, who, &part, Place::Room(room))?;
        let pile = stacks::stack_up(turn, id);
        stacks::trim_ground(turn, room, pile);
    }
    Ok(())
}

/// Turns money of a purse into a pile of coins at a place.
pub(crate) fn take_out(turn: &mut Turn, who: CharacterId, sum: &Sum, to: Place) -> Result<ItemId, Refusal> {
    afford(turn, who, sum.copper)?;
    let body = &turn.world.characters[who];
    let found_in = body.branch.filter(|_| body.money.loot_in(sum.copper) > 0);
    let id = turn.world.new_item_id();
    let pile =
        Item { count: sum.count, copper: sum.worth, found_in, ..Item::new(id, &sum.coin, to, turn.now) };
    if turn.world.take_coins_from_purse(who, pile) { Ok(id) } else { Err(too_poor(sum.copper)) }
}

/// Part of a sum of money.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MoneyPart {
    /// Everything.
    All,
    /// Amount in coppers.
    Coppers(i64),
}

impl MoneyPart {
    /// Returns the amount in coppers, given the total. Refuses `All` of nothing.
    pub(crate) fn out_of(self, all: i64) -> Result<i64, Refusal> {
        match self {
            Self::All if all <= 0 => Err(refuse!("There is nothing there.")),
            Self::All => Ok(all),
            Self::Coppers(coppers) => Ok(coppers),
        }
    }
}

/// Amount of one kind of coin.
#[derive(Debug)]
pub(crate) struct Sum {
    /// Amount in coppers.
    pub(crate) copper: i64,
    /// Key of the coin.
    pub(crate) coin: String,
    /// Value of each coin in coppers.
    pub(crate) worth: u32,
    /// Number of coins.
    pub(crate) count: u32,
}

/// Returns an amount in copper coins.
pub(crate) fn coppers(copper: i64) -> Sum {
    let count = u32::try_from(copper).unwrap_or(u32::MAX);
    Sum { copper: count.into(), coin: "copper_coin".to_owned(), worth: 1, count }
}

fn too_poor(copper: i64) -> Refusal {
    refuse!("You have not got {}.", money_words(copper))
}

#[cfg(test)]
mod tests {
    use deepwell_core::catalog::{Catalog, ItemClass};
    use deepwell_core::text::coins::money_words;

    /// Copper, silver, gold and platinum coins are worth 0.01, 0.1, 1 and 10 gold, and they stack.
    #[test]
    fn r5_coin_values_match_content() {
        let catalog = Catalog::builtin();
        for (name, value) in [("copper", 1), ("silver", 10), ("gold", 100), ("platinum", 1_000)] {
            let coin = &catalog.items[&format!("{name}_coin")];
            assert_eq!((coin.class, coin.stacks, coin.value), (ItemClass::Coin, true, value), "{name}");
            assert_eq!(money_words(value.into()), format!("one {name}"));
        }
    }
}
