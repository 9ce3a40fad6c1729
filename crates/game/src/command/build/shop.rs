//! Shops: what a room sells and buys, for how much, and when.

use crate::access::draft_names;
use crate::command::build::room::stock;
use crate::command::parse::build_argument::Equation;
use crate::command::parse::{Actor, site};
use crate::command::spec::{CommandSpec, run};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Right, RoomId, RuleLimit};
use deepwell_core::catalog::item::shop::{self, ShopMistake};
use deepwell_core::catalog::{Bid, ShopTerms, Ware};
use deepwell_core::text::{grammar, sanitise};
use deepwell_core::world::RoomKind;
use std::collections::BTreeMap;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "shop",
    right: Some(Right::Creatures),
    syntax: "shop here|#ROOM = THING [PRICE] [xNUMBER][, THING]",
    summary: "Makes a room a shop that sells these items: for a price of its own, such as 30 copper, or the usual one; without end, or so many until more come, such as x10. none makes it an ordinary room again. set here wares does the same; set here buys says what it pays for, such as 40%; rope 3 copper, or none; set here open its hours, such as 8-20; set here closed what is read meanwhile; set here refill the hour at which sold items are there again. default takes each of them back.",
    example: "shop here = rye_loaf 2 copper x10, dried_fish, torch_stub",
    missing: "shop here = THING, THING",
    run: run!(shop),
    ..CommandSpec::BUILDER
}];

impl From<ShopMistake> for Refusal {
    fn from(mistake: ShopMistake) -> Self {
        Self::Said(mistake.to_string().into())
    }
}

fn shop(turn: &mut Turn, actor: Actor, Equation { left, right }: Equation<'_>) -> Result<(), Refusal> {
    let room = site::room(turn, actor.who, left)?;
    set_wares(turn, actor, room, right)
}

/// Changes a setting of a shop.
pub(crate) fn set(
    turn: &mut Turn,
    actor: Actor,
    room: RoomId,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    if setting == "wares" {
        return set_wares(turn, actor, room, value);
    }
    if turn.world.rooms[room].sheet.kind != RoomKind::Shop {
        return Err(refuse!("{setting} is a setting of a shop: shop here = THING, THING makes one."));
    }
    let mut terms = turn.world.rooms[room].shop.to_value();
    let is_default = value.eq_ignore_ascii_case("default");
    match setting {
        "buys" if is_default => terms.buys.clear(),
        "buys" => terms.buys = bids(turn, room, value)?,
        "open" if is_default || value.eq_ignore_ascii_case("always") => terms.open.clear(),
        "open" => terms.open = shop::opening_times(parts(value))?,
        "closed" if is_default || value.eq_ignore_ascii_case("none") => terms.closed.clear(),
        "closed" => {
            terms.closed = sanitise::clean_line(value, turn.config.limits.description_chars as usize);
        }
        _ if is_default => terms.refill = ShopTerms::default().refill,
        _ => terms.refill = shop::hour(value)?,
    }
    turn.world.rooms.change(room, |row| row.shop = terms.into());
    actor.answer(turn, format!("{setting} is {value} now."))
}

/// Splits a typed list at its commas or semicolons.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ';']).map(str::trim).filter(|word| !word.is_empty())
}

fn bids(turn: &Turn, room: RoomId, value: &str) -> Result<Vec<Bid>, Refusal> {
    if value.eq_ignore_ascii_case("none") {
        return Ok(vec![Bid::NOTHING]);
    }
    let bid = |part| match Bid::parse(part)? {
        Bid::Item { item, price } => Ok(Bid::Item { item: stock::item(turn, room, &item)?, price }),
        rate @ Bid::Rate { .. } => Ok(rate),
    };
    let bids: Vec<Bid> = parts(value).map(bid).collect::<Result<_, Refusal>>()?;
    let limits = &turn.config.limits;
    refusal::require_at_most(limits, RuleLimit::ShopStock, bids.len(), |most| {
        refuse!("A shop names at most {most} items that it buys.")
    })?;
    Ok(bids)
}

fn set_wares(turn: &mut Turn, actor: Actor, room: RoomId, value: &str) -> Result<(), Refusal> {
    if !matches!(turn.world.rooms[room].sheet.kind, RoomKind::Room | RoomKind::Shop) {
        return Err(refuse!("Only an ordinary room becomes a shop."));
    }
    let closes = value.eq_ignore_ascii_case("none");
    let typed: Vec<&str> = parts(value).filter(|_| !closes).collect();
    let limits = &turn.config.limits;
    refusal::require_at_most(limits, RuleLimit::ShopStock, typed.len(), |most| {
        refuse!("A shop sells at most {most} kinds of items.")
    })?;
    let (mut stock, mut wares) = (Vec::new(), BTreeMap::new());
    for part in typed {
        let ware = Ware::parse(part)?;
        let item = stock::item(turn, room, &ware.item)?;
        wares.insert(item.clone(), ware.terms);
        if !stock.contains(&item) {
            stock.push(item);
        }
    }
    wares.retain(|_, terms| *terms != shop::WareTerms::default());
    let terms = if stock.is_empty() {
        ShopTerms::default()
    } else {
        ShopTerms { wares, ..turn.world.rooms[room].shop.to_value() }
    };
    let wares: Vec<String> = terms.wares_of(&stock).map(|ware| ware.to_string()).collect();
    let wares: Vec<String> = wares.iter().map(|ware| draft_names::typed(turn, room, ware)).collect();
    let answer = if wares.is_empty() {
        "Nothing is sold there any more.".to_owned()
    } else {
        format!("On sale there: {}.", grammar::list(&wares))
    };
    turn.world.rooms.change(room, |row| {
        row.sheet.kind = if stock.is_empty() { RoomKind::Room } else { RoomKind::Shop };
        row.stock = stock.into();
        row.shop = terms.into();
    });
    actor.answer(turn, answer)
}
