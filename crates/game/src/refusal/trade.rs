//! Refusals about buying, selling and transferring money.

use deepwell_core::text::coins::money_words;
use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a trade or payment is refused. Sums are in coppers; texts are names, or words as typed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum TradeRefusal {
    #[error("No purse holds more than {}.", money_words(*.most))]
    PurseFull { most: i64 },
    #[error("Say how many: 5 {coins}, for instance.")]
    NumberMissing { coins: String },
    #[error("Say how much: a number and a coin, such as 5 gold, or all.")]
    NoSum,
    #[error("There is nothing there.")]
    NoMoney,
    #[error("Nobody trades here.")]
    NoMarket,
    #[error("There is no bank here.")]
    NoBank,
    #[error("There is no healer here.")]
    NoHealer,
    #[error("The bank keeps only {} for you.", money_words(*.kept))]
    BankTooPoor { kept: i64 },
    #[error("That is not for sale here.")]
    NotForSale,
    #[error("There is no \"{0}\" for sale here.")]
    NoSuchWare(String),
    #[error("There {} only {} of it.", if *.left == 1 { "is" } else { "are" }, grammar::number(*.left))]
    TooFew { left: u32 },
    #[error("{}: sold out. More comes at {refill}.", grammar::capitalise(.what))]
    SoldOut { what: String, refill: String },
    #[error("{0}")]
    Closed(String),
    #[error("There is still something in {0}.")]
    NotEmpty(String),
    #[error("Nobody here gives anything for {0}.")]
    Worthless(String),
    #[error("The healer finds no \"{0}\" on you.")]
    NoSuchAilment(String),
}
