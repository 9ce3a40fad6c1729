//! The safe pocket, and what a recall out of an expedition leaves behind.

use crate::effect::Class;
use crate::item::{light, money, stacks};
use crate::message::{naming, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RuleLimit};
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Place;

/// Returns the things in the safe pocket of a character.
fn pocketed(turn: &Turn, who: CharacterId) -> Vec<ItemId> {
    turn.world.carried(who).iter().copied().filter(|item| turn.world.items[*item].is_pocketed).collect()
}

/// Lists the safe pocket.
pub(crate) fn list(turn: &Turn, who: CharacterId) -> String {
    let (has, most) = (pocketed(turn, who), turn.config.limits.pocket_slots);
    let names = naming::grouped(turn, &has).into_iter().map(|(name, _)| name);
    format!(
        "In your safe pocket, which has room for {}: {}.",
        grammar::counted(most, "thing"),
        grammar::list_or("nothing", names)
    )
}

/// Puts a carried thing into the safe pocket, or takes it out of there.
pub(crate) fn put(turn: &mut Turn, who: CharacterId, item: ItemId) -> Result<(), Refusal> {
    let row = &turn.world.items[item];
    let name = match row.count {
        1 => naming::the_item(turn, item),
        count => naming::stack_words(turn, item, count),
    };
    if row.is_pocketed {
        turn.world.items.change(item, |row| row.is_pocketed = false);
        tell::tell(turn, who, Class::Reply, format!("You take {name} out of your safe pocket."));
        return Ok(());
    }
    if row.worn.is_some() {
        return Err(refuse!("What you wear stays with you anyway."));
    }
    if !turn.world.contents(item).is_empty() {
        return Err(refuse!("It has to be empty to go into a pocket."));
    }
    let has = pocketed(turn, who).len();
    refusal::require_below(&turn.config.limits, RuleLimit::PocketSlots, has, |most| {
        refuse!("Your safe pocket has room for {}, and it is full.", grammar::counted(most, "thing"))
    })?;
    turn.world.items.change(item, |row| row.is_pocketed = true);
    tell::tell(turn, who, Class::Reply, format!("You put {name} into your safe pocket."));
    Ok(())
}

/// Items and coins that a recall leaves behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Toll {
    things: Vec<ItemId>,
    /// Coppers found since the character came down.
    copper: i64,
}

/// Returns what a recall out of the present room leaves behind; `None` outside of expeditions, and if it is nothing.
pub(crate) fn toll(turn: &Turn, who: CharacterId) -> Option<Toll> {
    let body = &turn.world.characters[who];
    turn.world.expeditions.get(turn.world.rooms[body.room].branch?)?;
    // A bag that has been filled since is not in the pocket any more.
    let is_left = |item: &ItemId| {
        let row = &turn.world.items[*item];
        row.worn.is_none() && !(row.is_pocketed && turn.world.contents(*item).is_empty())
    };
    let things: Vec<ItemId> = turn.world.carried(who).iter().copied().filter(is_left).collect();
    let copper = body.money.run;
    (!things.is_empty() || copper > 0).then_some(Toll { things, copper })
}

/// Tells what a recall leaves behind.
pub(crate) fn toll_words(turn: &Turn, toll: &Toll) -> Markup {
    let names = naming::grouped(turn, &toll.things).into_iter().map(|(name, _)| name);
    let coins = (toll.copper > 0).then(|| money_words(toll.copper));
    let message = format!(
        "A recall out of an expedition leaves behind what you carry and do not wear, outside of your safe pocket, and the \
         coins that you have found: {}. All of it stays here, on the ground. On foot you bring home everything. To recall \
         all the same, type ",
        grammar::list(names.chain(coins))
    );
    Markup::plain(&message).with(Style::Command, "recall now").and(".")
}

/// Lays down what a recall leaves behind.
pub(crate) fn pay(turn: &mut Turn, who: CharacterId, toll: &Toll) -> Result<(), Refusal> {
    let room = turn.world.characters[who].room;
    light::put_out_all(turn, who);
    let mut last = None;
    if toll.copper > 0 {
        let pile = money::take_out(turn, who, &money::coppers(toll.copper), Place::Room(room))?;
        last = Some(stacks::stack_up(turn, pile));
    }
    for item in &toll.things {
        let count = turn.world.items[*item].count;
        last = Some(stacks::move_and_stack(turn, *item, count, Place::Room(room)));
    }
    if let Some(last) = last {
        stacks::trim_ground_if_present(turn, room, last);
    }
    Ok(())
}
