//! Refusals about taking, carrying, giving, wearing and using items.

use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why an action on items is refused. Texts are names (those of items with their article) or words as typed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum ThingRefusal {
    #[error("{} is nothing to wear or wield.", grammar::capitalise(.0))]
    NotWearable(String),
    #[error("You have {thing} {place} already.")]
    AlreadyWorn { thing: String, place: &'static str },
    #[error("You wear {0}; remove it first.")]
    Worn(String),
    #[error("{} is no weapon.", grammar::capitalise(.0))]
    NoWeapon(String),
    #[error("You carry nothing that fits a place that is free.")]
    NothingFits,
    #[error("You wear nothing that you could take off.")]
    WearsNothing,
    #[error("You wear no \"{0}\".")]
    NotWorn(String),
    #[error("{} is {owner}'s for now.", grammar::capitalise(.thing))]
    Owned { thing: String, owner: String },
    #[error("Nobody would carry {0}. Type get all from corpse for what is in it.")]
    TooHeavy(String),
    #[error("{} cannot be moved.", grammar::capitalise(.0))]
    Fixed(String),
    #[error("Dice are out for that; wait until it is settled.")]
    RolledFor,
    #[error("{0} cannot carry any more.")]
    CarriesTooMuch(String),
    #[error("You pass it from one hand to the other.")]
    GivenToSelf,
    #[error("{0} has no use for it.")]
    NoUseFor(String),
    #[error("{0} takes nothing from you.")]
    Ignored(String),
    #[error("Nothing can be put into {0}.")]
    NoContainer(String),
    #[error("However you turn it, {0} does not go into itself.")]
    IntoItself(String),
    #[error("Bags within bags within bags: {0} takes no more of them.")]
    NestedTooDeep(String),
    #[error("{} is full.", grammar::capitalise(.0))]
    Full(String),
    #[error("{} is not there to be used up.", grammar::capitalise(.0))]
    NotUsable(String),
    #[error("{} is there to be worn or wielded.", grammar::capitalise(.0))]
    ToBeWorn(String),
    /// `container` is set if the object holds items; `key` is its kind if a builder may turn it into a container.
    #[error("{}", no_door(what.as_deref(), typed, container.as_deref(), key.as_deref(), doors))]
    NoDoor {
        what: Option<String>,
        typed: String,
        container: Option<String>,
        key: Option<String>,
        doors: Vec<String>,
    },
    #[error("You are whole: {0} would be wasted on you.")]
    NothingToHeal(String),
}

/// Explains why an object cannot be opened or closed, what to type instead, and which doors are here.
fn no_door(
    what: Option<&str>,
    typed: &str,
    container: Option<&str>,
    key: Option<&str>,
    doors: &[String],
) -> String {
    let mut words = match (what, container) {
        (Some(what), Some(typed)) => format!(
            "{} needs no opening: look in {typed} tells what is in it, and get all from {typed} takes it.",
            grammar::capitalise(what)
        ),
        (Some(what), None) => format!("{} neither opens nor closes.", grammar::capitalise(what)),
        (None, _) => format!("There is no \"{typed}\" here to open or to close."),
    };
    if let Some(key) = key {
        words = format!(
            "{words} set thing {key} holds = NUMBER and then set thing {key} class = container make it hold things."
        );
    }
    if !doors.is_empty() {
        words = format!("{words} {}.", grammar::capitalise(&grammar::list(doors)));
    }
    words
}
