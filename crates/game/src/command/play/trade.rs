//! Commands for shops, banks and healers.

use crate::command::parse::pick::Wish;
use crate::command::parse::{Actor, NameArgument, Packed, resolve};
use crate::command::play::gear;
use crate::command::spec::{CommandSpec, run, show};
use crate::item::{bank, healer, shop, trade};
use crate::message::naming::{self, means};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "list",
        aliases: &["wares"],
        summary: "Lists what is for sale here, and for how much. look, compare and buy take the name of a ware.",
        example: "list: a health potion, one silver and two copper.",
        teaches: Some(Lesson::SawWares),
        run: show!(list),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "buy",
        summary: "Buys a thing that is for sale here, or several.",
        example: "buy 3 potions: you carry three potions more.",
        teaches: Some(Lesson::Traded),
        missing: "buy and the name of a thing, or list for what there is",
        run: run!(buy),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "sell",
        syntax: "sell [NUMBER] THING, or sell all.THING",
        summary: "Sells a thing you carry to whoever trades here, or several.",
        example: "sell club: the club is gone, and you have its price.",
        teaches: Some(Lesson::Traded),
        missing: "sell and the name of a thing you carry",
        run: run!(sell),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "value",
        summary: "Asks what you would get here for a thing you carry.",
        example: "value club: you would get two copper.",
        missing: "value and the name of a thing you carry",
        run: show!(value),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "deposit",
        syntax: "deposit NUMBER COIN, or deposit all",
        summary: "Puts money from your purse into the bank.",
        example: "deposit 2 gold: the bank keeps them for you.",
        run: run!(|turn, actor, amount| bank::deposit(turn, actor.who, amount)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "withdraw",
        syntax: "withdraw NUMBER COIN, or withdraw all",
        summary: "Fetches money from the bank into your purse.",
        example: "withdraw 5 silver: they are in your purse.",
        run: run!(|turn, actor, amount| bank::withdraw(turn, actor.who, amount)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "balance",
        aliases: &["money", "purse"],
        summary: "Tells how much is in your purse and at the bank.",
        example: "balance: in your purse: three silver.",
        run: show!(balance),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "heal",
        aliases: &["treatment"],
        syntax: "heal [WHAT]",
        summary: "At a healer's: lists what can be done for you and its price, or has it done.",
        example: "heal wounds: your wounds are closed.",
        run: run!(heal),
        ..CommandSpec::GUEST
    },
];

fn list(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let wares = trade::wares(turn, actor.who)?;
    let mut page =
        Markup::plain(if wares.is_empty() { "Nothing is for sale here." } else { "For sale here:" });
    let room = turn.world.characters[actor.who].room;
    for trade::PricedWare { item, price, count } in wares {
        let name = match count {
            Some(count) if count > 0 => naming::item_words(turn, &item.key, count as usize),
            _ => item.with_article.clone(),
        };
        page.line(Style::Item, &name);
        let each = if count.is_some_and(|count| count > 1) { " each" } else { "" };
        page.push(
            Style::Plain,
            &format!(": {}{each}", if price == 0 { "free".to_owned() } else { money_words(price) }),
        );
        if count == Some(0) {
            page.push(Style::Plain, &format!(", sold out until {}", shop::refill_words(turn, room)));
        }
    }
    if let Some(hours) = shop::hours_words(turn, room) {
        page.line(Style::Plain, &hours);
    }
    page.line(
        Style::Plain,
        &format!("In your purse: {}.", money_words(turn.world.characters[actor.who].money.purse)),
    );
    Ok(page)
}

fn buy(turn: &mut Turn, actor: Actor, wish: Wish<'_>) -> Result<(), Refusal> {
    let (count, name) = match wish {
        Wish::Some(count, name) => (count, name),
        Wish::One(name) => (1, name),
        Wish::All(_) => return Err(refuse!("Say how many: buy 3 potions.")),
    };
    trade::wares(turn, actor.who)?;
    let key = resolve::ware_here(turn, actor.who, name).map(|ware| ware.item.key.clone());
    let key = key.ok_or_else(|| refuse!("There is no \"{name}\" for sale here."))?;
    trade::buy(turn, actor.who, &key, count)
}

/// Describes a ware for sale here, with its price.
pub(super) fn ware_view(turn: &Turn, who: CharacterId, name: &str) -> Option<Markup> {
    let ware = resolve::ware_here(turn, who, name)?;
    let mut view = gear::prototype_view(turn, ware.item);
    let price = if ware.price == 0 { "free".to_owned() } else { money_words(ware.price) };
    let sold_out = if ware.count == Some(0) { ", and sold out" } else { "" };
    view.line(Style::Plain, &format!("For sale here: {price}{sold_out}."));
    Some(view)
}

fn sell(turn: &mut Turn, actor: Actor, Packed { wish, items }: Packed<'_>) -> Result<(), Refusal> {
    let all = matches!(wish, Wish::All(_));
    let mut sold = false;
    let mut no = Ok(());
    for (item, count) in items {
        match trade::sell(turn, actor.who, item, count) {
            Ok(()) => sold = true,
            Err(other) if no.is_ok() => no = Err(other),
            Err(_) => {}
        }
    }
    // With "all", items that the shop does not buy are skipped silently.
    if all && sold { Ok(()) } else { no }
}

fn value(turn: &Turn, actor: Actor, Packed { items, .. }: Packed<'_>) -> Result<String, Refusal> {
    let mut total = 0_i64;
    let mut names = Vec::new();
    for (item, count) in items {
        total = total.saturating_add(trade::bid(turn, actor.who, item, count)?);
        names.push(naming::stack_words(turn, item, count));
    }
    Ok(format!("For {} you would get {}.", grammar::list(&names), money_words(total)))
}

fn balance(turn: &Turn, actor: Actor, (): ()) -> Result<String, Refusal> {
    let money = turn.world.characters[actor.who].money;
    let mut message =
        format!("In your purse: {}. At the bank: {}.", money_words(money.purse), money_words(money.bank));
    if money.run > 0 {
        let run = money_words(money.run);
        message = format!("{message} Of your purse, {run} was found on this run and is not safe yet.");
    }
    Ok(message)
}

fn heal(turn: &mut Turn, actor: Actor, what: Option<NameArgument<'_>>) -> Result<(), Refusal> {
    let offers = healer::treatments(turn, actor.who)?;
    if offers.is_empty() {
        return actor.answer(turn, "The healer looks you over and finds nothing to do.");
    }
    let Some(NameArgument(name)) = what else {
        let mut page = Markup::plain("The healer could do this for you:");
        for offer in offers {
            page.line(Style::Command, &format!("heal {}", offer.name));
            page.push(Style::Plain, &format!(": {}", money_words(offer.price)));
        }
        return actor.answer(turn, page);
    };
    let typed = name.to_lowercase();
    let wanted: Vec<_> =
        offers.into_iter().filter(|offer| typed == "all" || means(&typed, &offer.name)).collect();
    if wanted.is_empty() {
        return Err(refuse!("The healer finds no \"{name}\" on you."));
    }
    wanted.iter().try_for_each(|offer| healer::treat(turn, actor.who, offer))
}
