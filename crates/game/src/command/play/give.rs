//! Gifts of items and coins, to players and to creatures that have a use for them.

use crate::command::parse::coins_argument::Holding;
use crate::command::parse::{Actor, Argument, Being, Words};
use crate::creature::script::hooks;
use crate::item::{inventory, money};
use crate::message::naming;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::catalog::CreatureEvent;

/// Key of coins in the event `receive`.
const COINS: &str = "coins";

/// Items and recipient: "sword to bera", "sword bera" or "bera sword".
pub(super) struct Handing {
    what: Holding,
    to: CharacterId,
}

impl Handing {
    fn of(turn: &Turn, actor: Actor, what: Words<'_>, to: Words<'_>) -> Result<Self, Refusal> {
        Ok(Self { what: Holding::read(turn, actor, what)?, to: Being::read(turn, actor, to)?.0 })
    }

    /// Parses the form with the name first. `None` if no prefix of the words names a character here.
    fn name_first(turn: &Turn, actor: Actor, words: Words<'_>) -> Option<Result<Self, Refusal>> {
        let named = |name: &Words<'_>| Being::read(turn, actor, *name).is_ok();
        let mut readings = words
            .partings()
            .filter(|(name, _)| named(name))
            .map(|(name, what)| Self::of(turn, actor, what, name));
        let first = readings.next()?;
        Some(if first.is_ok() { first } else { readings.find(Result::is_ok).unwrap_or(first) })
    }
}

impl Argument<'_> for Handing {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        if let Some((what, name)) = words.around("to") {
            return Self::of(turn, actor, what, name);
        }
        let (what, name) = words.last_word().ok_or_else(|| words.missing())?;
        if Being::read(turn, actor, name).is_err()
            && let Some(handing) = Self::name_first(turn, actor, words)
        {
            return handing;
        }
        Self::of(turn, actor, what, name)
    }
}

pub(super) fn give(turn: &mut Turn, actor: Actor, Handing { what, to }: Handing) -> Result<(), Refusal> {
    if to == actor.who {
        return Err(refuse!("You pass it from one hand to the other."));
    }
    if !turn.world.characters[to].is_player() {
        return give_to_creature(turn, actor.who, what, to);
    }
    if turn.world.is_ignoring(to, actor.who) {
        return Err(refuse!("{} takes nothing from you.", turn.world.characters[to].name));
    }
    match what {
        Holding::Coins(sum) => money::hand_money(turn, actor.who, to, sum.copper),
        Holding::Items(items) => items
            .into_iter()
            .try_for_each(|(item, count)| inventory::give_item(turn, actor.who, item, count, to)),
    }
}

/// Gives items or coins to a creature that has a use for all of them. Coins count as items of the key `coins`.
fn give_to_creature(
    turn: &mut Turn,
    who: CharacterId,
    what: Holding,
    to: CharacterId,
) -> Result<(), Refusal> {
    let takes = |turn: &Turn, key: &str| hooks::has_trigger(turn, to, |on| is_received(on, key));
    let no_use = |turn: &Turn| refuse!("{} has no use for it.", naming::name_of(turn, to).text());
    match what {
        Holding::Coins(sum) => {
            if !takes(turn, COINS) {
                return Err(no_use(turn));
            }
            money::give_away(turn, who, to, sum.copper)?;
            hooks::run_creature_triggers(turn, to, Some(who), &sum.copper.to_string(), |on| {
                is_received(on, COINS)
            });
        }
        Holding::Items(items) => {
            let is_wanted = |(item, _): &(ItemId, u32)| takes(turn, &turn.world.items[*item].prototype);
            if !items.iter().all(is_wanted) {
                return Err(no_use(turn));
            }
            for (item, count) in items {
                let Some(key) = turn.world.items.get(item).map(|row| row.prototype.clone()) else { continue };
                inventory::give_to_creature(turn, who, item, count, to);
                turn.emit_event(GameEvent::Gave { who, item: &key, to, count });
                hooks::run_creature_triggers(turn, to, Some(who), &key, |on| is_received(on, &key));
            }
        }
    }
    Ok(())
}

/// Returns `true` if an event is the receipt of an item of a kind.
fn is_received(on: &CreatureEvent, key: &str) -> bool {
    matches!(on, CreatureEvent::Receive(keys) if keys.is_empty() || hooks::is_named(keys, key))
}
