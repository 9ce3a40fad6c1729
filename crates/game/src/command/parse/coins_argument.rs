//! Amounts of money as typed: "5 gold", "2 gold 3 silver", "30", "all".

use crate::command::parse::actor::Actor;
use crate::command::parse::argument::{Argument, Packed};
use crate::command::parse::words::Words;
use crate::item::money::{MoneyPart, Sum};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ItemId, amount};
use deepwell_core::catalog::{ItemClass, ItemPrototype};

impl Argument<'_> for MoneyPart {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        if words.text().eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        let mut total = 0_i64;
        let mut words = words.text().split_whitespace().filter(|word| *word != "and").peekable();
        if words.peek().is_none() {
            return Err(no_sum());
        }
        while let Some(number) = words.next() {
            let count = amount::parse(number)?;
            let worth = match words.next() {
                Some(metal) => i64::from(coin_named(turn, metal).ok_or_else(no_sum)?.value),
                None if total == 0 => 1,
                None => return Err(no_sum()),
            };
            words.next_if(|word| matches!(*word, "coin" | "coins" | "piece" | "pieces"));
            let sum = i64::from(count).checked_mul(worth).and_then(|sum| total.checked_add(sum));
            total = sum.ok_or_else(no_sum)?;
        }
        Ok(Self::Coppers(total))
    }
}

/// Money or items to hand over.
#[derive(Debug)]
pub(crate) enum Holding {
    /// Money from the purse.
    Coins(Sum),
    /// Carried items with their counts.
    Items(Vec<(ItemId, u32)>),
}

impl<'a> Argument<'a> for Holding {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let name = words.required()?.bare();
        if let Some(sum) = sum_of(turn, name)? {
            return Ok(Self::Coins(sum));
        }
        let packed = Packed::read(turn, actor, words);
        packed.map(|packed| Self::Items(packed.items)).map_err(|no| without_number(turn, name, no))
    }
}

/// Parses words such as "5 gold" or "3 silver coins"; `None` if they name no money.
fn sum_of(turn: &Turn, phrase: &str) -> Result<Option<Sum>, Refusal> {
    let Some((number, rest)) = phrase.split_once(char::is_whitespace) else { return Ok(None) };
    if !amount::is_meant(number) {
        return Ok(None);
    }
    let Some(coin) = coin_named(turn, rest) else { return Ok(None) };
    let count = amount::parse(number)?;
    let copper = i64::from(count) * i64::from(coin.value);
    Ok(Some(Sum { copper, coin: coin.key.clone(), worth: coin.value, count }))
}

/// Returns `true` if words mean money: "coins", "gold" or "5 gold".
pub(crate) fn is_money(turn: &Turn, phrase: &str) -> bool {
    let is_any = ["coin", "coins", "money"].iter().any(|word| phrase.eq_ignore_ascii_case(word));
    is_any || coin_named(turn, phrase).is_some() || matches!(sum_of(turn, phrase), Ok(Some(_)))
}

/// Returns a more helpful refusal if the words name a coin without a number, otherwise `no`.
fn without_number(turn: &Turn, phrase: &str, no: Refusal) -> Refusal {
    match coin_named(turn, phrase) {
        Some(coin) => refuse!("Say how many: 5 {}, for instance.", coin.plural),
        None => no,
    }
}

/// Finds the coin named by words such as "gold", "golds" or "gold coins".
fn coin_named<'a>(turn: &'a Turn, phrase: &str) -> Option<&'a ItemPrototype> {
    let phrase = phrase.trim().to_lowercase();
    let mut parts = phrase.split_whitespace();
    let metal = parts.next()?.trim_end_matches('s');
    let rest = parts.next().unwrap_or("coin").trim_end_matches('s');
    if parts.next().is_some() || metal.len() < 2 || !matches!(rest, "coin" | "piece") {
        return None;
    }
    let is_named =
        |coin: &&ItemPrototype| coin.name.split(' ').next().is_some_and(|name| name.starts_with(metal));
    let mut coins = turn.catalog.items.values().filter(|item| item.class == ItemClass::Coin);
    coins.find(is_named)
}

/// Returns the refusal of words that are no sum of money.
fn no_sum() -> Refusal {
    refuse!("Say how much: a number and a coin, such as 5 gold, or all.")
}
