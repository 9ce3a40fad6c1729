//! Terms of trade of a shop: prices and limited stock of its wares, the items that it buys, and its hours. A builder
//! types each part as a zone file has it.

use crate::base::rare::Usual;
use crate::catalog::ItemClass;
use crate::text::{coins, nearest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

/// Hours of a day of the town.
pub const DAY_HOURS: u32 = 24;

/// Highest price of one item, in coppers.
const PRICE_MAX: u32 = 1_000_000;

/// Valid limits of a ware.
const MOST: RangeInclusive<u32> = 1..=1_000;

/// Valid percentages of an item's value.
const PERCENT: RangeInclusive<u32> = 0..=1_000;

/// Maximum number of opening times in a day.
const OPEN_MAX: usize = 4;

/// Price and stock of a ware; absent values are those of all shops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WareTerms {
    /// Price in coppers; `None` for the usual price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<u32>,
    /// Number for sale until the next refill; `None` for unlimited stock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
}

/// Ware with its terms, written `bread 2 copper x10`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ware {
    /// Item: its key, or in a typed line its key or name.
    pub item: String,
    /// Price and stock.
    pub terms: WareTerms,
}

/// Items that a shop buys, and for how much.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Bid {
    /// Percentage of the value of items of a class, or of all items: `40%`, `30% weapon`.
    Rate {
        /// Percentage.
        percent: u32,
        /// Class; `None` for all items.
        class: Option<ItemClass>,
    },
    /// One kind of item for a price in coppers, or for the usual price: `rope 3 copper`.
    Item {
        /// Item: its key, or in a typed line its key or name.
        item: String,
        /// Price in coppers.
        price: Option<u32>,
    },
}

/// Opening time by the clock of the town. It goes past midnight if it ends before it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hours {
    /// First hour.
    pub from: u32,
    /// Hour at which the shop closes.
    pub to: u32,
}

/// Terms of trade of a shop. The default ones are those of all shops.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ShopTerms {
    /// Wares with terms of their own, by item.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub wares: BTreeMap<String, WareTerms>,
    /// Items that it buys; empty for everything at the usual price.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buys: Vec<Bid>,
    /// Opening times; empty for always.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Hours>,
    /// Sentence for players while it is closed; empty for the usual one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub closed: String,
    /// Hour at which limited stock is refilled.
    #[serde(skip_serializing_if = "is_midnight")]
    pub refill: u32,
}

impl Usual for ShopTerms {
    const USUAL: &'static Self = &Self {
        wares: BTreeMap::new(),
        buys: Vec::new(),
        open: Vec::new(),
        closed: String::new(),
        refill: 0,
    };
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_midnight(hour: &u32) -> bool {
    *hour == 0
}

/// Mistake in the terms of a shop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShopMistake {
    /// Not a number and a coin.
    #[error("The price \"{words}\" is no number and a coin, such as 30 copper or 2 silver.{}", asking(.meant.as_ref()))]
    Price {
        /// Words as typed.
        words: String,
        /// Nearest coin.
        meant: Option<String>,
    },
    /// Price above the maximum.
    #[error("A price is at most {PRICE_MAX} copper.")]
    TooDear,
    /// Limit out of range.
    #[error("\"{words}\" limits a ware to no number from {} to {}, as in x10.", MOST.start(), MOST.end())]
    Limit {
        /// Words as typed.
        words: String,
    },
    /// Percentage out of range.
    #[error("\"{words}\" is no percentage from {} to {}, as in 40%.", PERCENT.start(), PERCENT.end())]
    Percent {
        /// Words as typed.
        words: String,
    },
    /// Unknown class.
    #[error("There is no class \"{word}\" of things.{}", asking(.meant.as_ref()))]
    Class {
        /// Word as typed.
        word: String,
        /// Nearest class.
        meant: Option<String>,
    },
    /// Not an opening time.
    #[error("The hours \"{0}\" are not two of 0 to {DAY_HOURS}, such as 8-20.")]
    Hours(String),
    /// Too many opening times.
    #[error("A shop opens at most {OPEN_MAX} times a day.")]
    TooManyHours,
    /// Not an hour.
    #[error("\"{0}\" is no hour from 0 to 23.")]
    Hour(String),
    /// Missing item.
    #[error("The name of a thing is missing.")]
    NoItem,
}

fn asking(meant: Option<&String>) -> String {
    meant.map_or_else(String::new, |meant| format!(" Did you mean {meant}?"))
}

/// Splits the price off the end of a text: `coil of rope 30 copper`.
fn split_price(terms: &str) -> Result<(&str, Option<u32>), ShopMistake> {
    let terms = terms.trim();
    let Some((before, coin)) = terms.rsplit_once(' ') else { return Ok((terms, None)) };
    let (item, number) = before.trim_end().rsplit_once(' ').unwrap_or(("", before.trim_end()));
    if !number.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Ok((terms, None));
    }
    let Some(worth) = coins::worth_of(coin) else {
        let meant = nearest(coin, coins::names()).map(str::to_owned);
        return Err(ShopMistake::Price { words: format!("{number} {coin}"), meant });
    };
    let unclear = || ShopMistake::Price { words: format!("{number} {coin}"), meant: None };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { number } else { return Err(unclear()) };
    let price = number.parse::<i64>().ok().and_then(|number| number.checked_mul(worth));
    let price = price.and_then(|price| u32::try_from(price).ok()).filter(|price| *price <= PRICE_MAX);
    price.map(|price| (item.trim_end(), Some(price))).ok_or(ShopMistake::TooDear)
}

fn price_words(price: Option<u32>) -> String {
    price.map_or_else(String::new, |price| format!(" {price} copper"))
}

impl Ware {
    /// Parses a ware as typed: `lantern`, `lantern 30 copper`, `bread 2 copper x10`.
    ///
    /// # Errors
    /// If the price or the limit is invalid, or the item is missing.
    pub fn parse(terms: &str) -> Result<Self, ShopMistake> {
        let terms = terms.trim();
        let (rest, most) = match terms.rsplit_once(' ') {
            Some((rest, last)) if is_limit(last) => {
                let most = last[1..].parse().ok().filter(|most| MOST.contains(most));
                (rest, Some(most.ok_or_else(|| ShopMistake::Limit { words: last.to_owned() })?))
            }
            _ => (terms, None),
        };
        let (item, price) = split_price(rest)?;
        let item = if item.is_empty() { return Err(ShopMistake::NoItem) } else { item.to_owned() };
        Ok(Self { item, terms: WareTerms { price, most } })
    }
}

/// Returns `true` if a word is a limit such as `x10`.
fn is_limit(word: &str) -> bool {
    word.strip_prefix('x').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && rest.bytes().all(|byte| byte.is_ascii_graphic())
    })
}

impl fmt::Display for Ware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.item, price_words(self.terms.price))?;
        self.terms.most.map_or(Ok(()), |most| write!(f, " x{most}"))
    }
}

impl Bid {
    /// Offer of a shop that buys nothing.
    pub const NOTHING: Self = Self::Rate { percent: 0, class: None };

    /// Parses an offer as typed: `40%`, `30% weapon`, `rope`, `rope 3 copper`.
    ///
    /// # Errors
    /// If the percentage, the class or the price is invalid, or the item is missing.
    pub fn parse(terms: &str) -> Result<Self, ShopMistake> {
        let terms = terms.trim();
        let Some((percent, class)) = terms.split_once('%') else {
            let (item, price) = split_price(terms)?;
            let item = if item.is_empty() { return Err(ShopMistake::NoItem) } else { item.to_owned() };
            return Ok(Self::Item { item, price });
        };
        let number = Some(percent).filter(|percent| percent.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|percent| percent.parse().ok()).filter(|n| PERCENT.contains(n));
        let percent = number.ok_or_else(|| ShopMistake::Percent { words: format!("{percent}%") })?;
        let class = match class.trim() {
            "" => None,
            word => Some(class_named(word)?),
        };
        Ok(Self::Rate { percent, class })
    }
}

impl Bid {
    /// Returns the item; `None` for a rate.
    pub fn item(&self) -> Option<&str> {
        match self {
            Self::Item { item, .. } => Some(item),
            Self::Rate { .. } => None,
        }
    }
}

fn class_named(word: &str) -> Result<ItemClass, ShopMistake> {
    let classes = || ItemClass::NAMES.iter().filter(|(_, class)| class.may_be_placed());
    let found = classes().find(|(name, _)| *name == word).map(|(_, class)| *class);
    found.ok_or_else(|| {
        let meant = nearest(word, classes().map(|(name, _)| *name)).map(str::to_owned);
        ShopMistake::Class { word: word.to_owned(), meant }
    })
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { percent, class: None } => write!(f, "{percent}%"),
            Self::Rate { percent, class: Some(class) } => write!(f, "{percent}% {}", class.name()),
            Self::Item { item, price } => write!(f, "{item}{}", price_words(*price)),
        }
    }
}

impl Hours {
    /// Parses an opening time: `8-20`.
    ///
    /// # Errors
    /// If it is not two different hours from 0 to 24.
    pub fn parse(text: &str) -> Result<Self, ShopMistake> {
        let number = |word: &str| word.trim().parse::<u32>().ok().filter(|hour| *hour <= DAY_HOURS);
        let hours = text.split_once('-').and_then(|(from, to)| Some((number(from)?, number(to)?)));
        let hours = hours.filter(|(from, to)| from != to && *from < DAY_HOURS);
        hours.map(|(from, to)| Self { from, to }).ok_or_else(|| ShopMistake::Hours(text.trim().to_owned()))
    }

    /// Returns `true` if an hour is within the opening time.
    pub const fn contains(self, hour: u32) -> bool {
        if self.from < self.to {
            self.from <= hour && hour < self.to
        } else {
            self.from <= hour || hour < self.to
        }
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

/// Parses all opening times of a day.
///
/// # Errors
/// If one is invalid, or there are too many.
pub fn opening_times<'w>(texts: impl IntoIterator<Item = &'w str>) -> Result<Vec<Hours>, ShopMistake> {
    let hours: Vec<Hours> = texts.into_iter().map(Hours::parse).collect::<Result<_, _>>()?;
    if hours.len() > OPEN_MAX { Err(ShopMistake::TooManyHours) } else { Ok(hours) }
}

/// Parses an hour of the day.
///
/// # Errors
/// If it is not a number from 0 to 23.
pub fn hour(text: &str) -> Result<u32, ShopMistake> {
    let hour = text.trim().parse().ok().filter(|hour| *hour < DAY_HOURS);
    hour.ok_or_else(|| ShopMistake::Hour(text.trim().to_owned()))
}

impl TryFrom<String> for Bid {
    type Error = ShopMistake;

    fn try_from(terms: String) -> Result<Self, ShopMistake> {
        Self::parse(&terms)
    }
}

impl From<Bid> for String {
    fn from(bid: Bid) -> Self {
        bid.to_string()
    }
}

impl TryFrom<String> for Hours {
    type Error = ShopMistake;

    fn try_from(terms: String) -> Result<Self, ShopMistake> {
        Self::parse(&terms)
    }
}

impl From<Hours> for String {
    fn from(hours: Hours) -> Self {
        hours.to_string()
    }
}

impl ShopTerms {
    /// Returns the terms of a ware.
    pub fn ware(&self, item: &str) -> WareTerms {
        self.wares.get(item).copied().unwrap_or_default()
    }

    /// Returns the wares of a shop with their terms, in their order.
    pub fn wares_of<'s>(&'s self, stock: &'s [String]) -> impl Iterator<Item = Ware> + 's {
        stock.iter().map(|item| Ware { item: item.clone(), terms: self.ware(item) })
    }

    /// Returns what the shop pays for an item of that value, given the usual percentage.
    pub fn offer(&self, item: &str, class: ItemClass, value: u32, usual_percent: u32) -> i64 {
        let of_value = |percent: u32| i64::from(value) * i64::from(percent) / 100;
        if self.buys.is_empty() {
            return of_value(usual_percent);
        }
        let rate = |wanted: Option<ItemClass>| {
            self.buys.iter().find_map(|bid| match bid {
                Bid::Rate { percent, class } if *class == wanted => Some(*percent),
                _ => None,
            })
        };
        let own = self.buys.iter().find_map(|bid| match bid {
            Bid::Item { item: other, price } if other == item => Some(*price),
            _ => None,
        });
        match own {
            Some(Some(price)) => price.into(),
            Some(None) => of_value(rate(None).unwrap_or(usual_percent)),
            None => rate(Some(class)).or_else(|| rate(None)).map_or(0, of_value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_as_they_are_read() {
        for terms in
            ["lantern", "lantern 30 copper", "bread 2 copper x10", "coil of rope x3", "rope 0 copper"]
        {
            assert_eq!(Ware::parse(terms).expect(terms).to_string(), terms);
        }
        assert_eq!(Ware::parse("rope 3 silver").unwrap().to_string(), "rope 30 copper");
        for terms in ["40%", "30% weapon", "rope", "rope 3 copper"] {
            assert_eq!(Bid::parse(terms).expect(terms).to_string(), terms);
        }
        for text in ["8-20", "20-4", "0-24"] {
            assert_eq!(Hours::parse(text).expect(text).to_string(), text);
        }
        assert_eq!(
            Bid::parse("40% weapons").unwrap_err().to_string(),
            "There is no class \"weapons\" of things. Did you mean weapon?"
        );
        let mistake_of = |terms| Ware::parse(terms).unwrap_err().to_string();
        assert_eq!(
            mistake_of("rope 3 coper"),
            "The price \"3 coper\" is no number and a coin, such as 30 copper or 2 silver. Did you mean copper?"
        );
        assert_eq!(mistake_of("rope 99999999999999999999 gold"), "A price is at most 1000000 copper.");
        assert!(mistake_of("rope -3 copper").starts_with("The price \"-3 copper\""));
        for (terms, mistake) in
            [("rope x0", "\"x0\" limits"), ("rope x9999", "\"x9999\" limits"), ("3 copper", "The name")]
        {
            assert!(mistake_of(terms).starts_with(mistake), "{}", mistake_of(terms));
        }
        for text in ["", "8", "8-8", "24-3", "8-25", "-1-5", "8-20-22"] {
            assert!(Hours::parse(text).is_err(), "{text}");
        }
        assert!(opening_times(["0-1", "2-3", "4-5", "6-7", "8-9"]).is_err());
    }

    #[test]
    fn hours_may_go_past_midnight() {
        let night = Hours::parse("20-4").unwrap();
        assert_eq!(
            [19, 20, 23, 0, 3, 4].map(|hour| night.contains(hour)),
            [false, true, true, true, true, false]
        );
        let day = Hours::parse("8-20").unwrap();
        assert_eq!([7, 8, 19, 20].map(|hour| day.contains(hour)), [false, true, true, false]);
    }

    /// The price of one kind of item precedes the rate of its class, which precedes the rate of all.
    #[test]
    fn nearest_offer_is_taken() {
        let terms = |bids: &[&str]| ShopTerms {
            buys: bids.iter().map(|bid| Bid::parse(bid).unwrap()).collect(),
            ..ShopTerms::default()
        };
        let offer = |bids: &[&str], item, class| terms(bids).offer(item, class, 200, 40);
        assert_eq!(offer(&[], "rope", ItemClass::Trinket), 80);
        assert_eq!(offer(&["0%"], "rope", ItemClass::Trinket), 0);
        assert_eq!(offer(&["50%", "10% weapon", "rope 3 copper"], "rope", ItemClass::Trinket), 3);
        assert_eq!(offer(&["50%", "10% weapon"], "club", ItemClass::Weapon), 20);
        assert_eq!(offer(&["50%", "10% weapon"], "rope", ItemClass::Trinket), 100);
        assert_eq!(offer(&["rope"], "rope", ItemClass::Trinket), 80);
        assert_eq!(offer(&["rope"], "club", ItemClass::Weapon), 0);
    }
}
