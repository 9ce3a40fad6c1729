//! Refusals of the game rules, as sentences that also work read aloud. A rule writes its refusal where it refuses, with
//! [`refuse!`]. A variant is for refusals that code distinguishes, that are styled, or that many rules share.

mod limit;
#[cfg(test)]
mod sentence_form;
#[cfg(test)]
mod tests;

pub(crate) use limit::{at_limit, require_at_most, require_below};

use crate::effect::Declined;
use deepwell_core::base::RuleLimit;
use deepwell_core::base::amount::AmountError;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::WorldPart;
use std::borrow::Cow;
use std::fmt;

/// Returns a [`Refusal`] with a sentence, in the syntax of `format!`.
macro_rules! refuse {
    ($($sentence:tt)+) => {
        $crate::refusal::Refusal::from_sentence(format_args!($($sentence)+))
    };
}
pub(crate) use refuse;

/// Reason why a command was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// Whole sentences, as [`refuse!`] writes them.
    Said(Cow<'static, str>),
    /// No exit in that direction. Mappers match this sentence; do not change it.
    NoWay,
    /// Unexplored exits are closed until the room is clear; names the obstacle.
    Blocked(String),
    /// A search has found no hidden exit.
    NothingFound,
    /// The character is in combat.
    InCombat,
    /// Nothing here is what the command acts on; whole sentences.
    NothingThere(Cow<'static, str>),
    /// No character or item of that name is here.
    NotHere(String),
    /// A missing argument; says what to type.
    Missing(&'static str),
    /// The item is not carried.
    NotCarried(String),
    /// Unknown command, with the nearest known one.
    Unknown(String, Option<String>),
    /// Unknown command, with a hint about the probable intention.
    Hint(Markup),
    /// The character is held in place.
    Held,
    /// Missing permission.
    NotAllowed,
    /// The server is read-only.
    ReadOnly,
    /// The zone belongs to other builders.
    NotAuthor { zone: String, owner: String },
    /// A kind of coins in place of an item; names its key.
    CoinsAreMoney(String),
    /// Mistakes in content, without full stops.
    Mistakes(Vec<String>),
    /// The rows of a part of the world are to be read from storage.
    Asleep(WorldPart),
    /// The rows of a part of the world cannot be read from storage.
    Unreadable(WorldPart),
    /// A limit is reached, with the refusal that the player reads.
    AtLimit(RuleLimit, Box<Refusal>),
    /// Invalid amount.
    Amount(AmountError),
}

impl From<AmountError> for Refusal {
    fn from(error: AmountError) -> Self {
        Self::Amount(error)
    }
}

impl From<Refusal> for Declined {
    fn from(refusal: Refusal) -> Self {
        Self::Reason(refusal.markup().text().to_owned())
    }
}

impl Refusal {
    /// Returns a refusal with a sentence. One without arguments allocates nothing: many refusals only answer a question
    /// of a rule.
    pub(crate) fn from_sentence(sentence: fmt::Arguments<'_>) -> Self {
        Self::Said(sentence.as_str().map_or_else(|| Cow::Owned(sentence.to_string()), Cow::Borrowed))
    }

    /// Marks a sentence as the refusal of a command that finds nothing to act on.
    pub(crate) fn of_nothing(self) -> Self {
        match self {
            Self::Said(sentence) => Self::NothingThere(sentence),
            other => other,
        }
    }

    /// Returns `true` if a command was refused because nothing in reach is what it acts on.
    pub(crate) const fn finds_nothing(&self) -> bool {
        matches!(self, Self::NothingThere(_) | Self::NotHere(_) | Self::NotCarried(_) | Self::Missing(_))
    }

    /// Adds the name of the setting to a refusal because of a limit, for those who can change it.
    pub(crate) fn with_setting(self) -> Self {
        match self {
            Self::AtLimit(limit, refusal) => {
                let message = format!(" The setting is {}.", limit.setting());
                Self::AtLimit(limit, Box::new(Self::Hint(refusal.markup().and(&message))))
            }
            other => other,
        }
    }

    /// Returns the refusal as text.
    pub(crate) fn markup(&self) -> Markup {
        match self {
            Self::Blocked(what) => {
                Markup::styled(Style::Blocked, &format!("You cannot go that way yet. {what}"))
            }
            Self::InCombat => {
                Markup::plain("You are locked in combat; ").with(Style::Command, "flee").and(" first.")
            }
            Self::Held => Markup::plain("You are held fast. ")
                .with(Style::Command, "struggle")
                .and(" to come loose sooner."),
            Self::Unknown(word, nearest) => {
                let sentence = Markup::plain(&format!("There is no command \"{word}\". "));
                match nearest {
                    Some(nearest) => sentence.and("Did you mean ").with(Style::Command, nearest).and("?"),
                    None => sentence.and("Type ").with(Style::Command, "commands").and(" for the list."),
                }
            }
            Self::Hint(hint) => hint.clone(),
            Self::AtLimit(_, refusal) => refusal.markup(),
            other => Markup::plain(&other.sentence()),
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::Said(sentence) | Self::NothingThere(sentence) => sentence.clone().into_owned(),
            Self::NoWay => "You can't go that way.".into(),
            Self::NothingFound => "You search the place, and find nothing that you did not know.".into(),
            Self::NotHere(what) => format!("There is no \"{what}\" here."),
            Self::Missing(what) => format!("Type {what}."),
            Self::NotCarried(what) => format!("You have no \"{what}\"."),
            Self::NotAllowed => "You may not do that.".into(),
            Self::ReadOnly => {
                "The server cannot write just now, so nothing can change. Looking and talking work.".into()
            }
            Self::NotAuthor { zone, owner } => {
                format!("You do not build in the zone {zone}: ask {owner}, who says who may.")
            }
            Self::CoinsAreMoney(key) => format!(
                "{key} is money, and money is no thing to lay out or sell. A script pays it: \
                 trigger enter = give {key}."
            ),
            Self::Mistakes(mistakes) => format!("Nothing is changed{}", mistakes_words(mistakes)),
            Self::Asleep(part) => {
                of_part(*part, "is asleep and is being woken. Please repeat that in a moment.")
            }
            Self::Unreadable(part) => {
                of_part(*part, "cannot be read from the disk. The operator finds the reason in the log.")
            }
            Self::Amount(reason) => reason.sentence().into(),
            Self::Blocked(_)
            | Self::InCombat
            | Self::Held
            | Self::Unknown(..)
            | Self::Hint(_)
            | Self::AtLimit(..) => String::new(),
        }
    }
}

/// Returns a sentence that begins with a part of the world.
fn of_part(part: WorldPart, rest: &str) -> String {
    format!("{} {rest}", grammar::capitalise(&part.to_string()))
}

/// Formats one mistake after a colon, or several on lines of their own.
fn mistakes_words(mistakes: &[String]) -> String {
    match mistakes {
        [mistake] => format!(": {}", ended(mistake)),
        mistakes => {
            let lines: Vec<String> = mistakes.iter().map(|mistake| format!("\n{}", ended(mistake))).collect();
            format!(", for these mistakes:{}", lines.concat())
        }
    }
}

/// Adds a full stop unless the text ends with a question mark.
fn ended(sentence: &str) -> String {
    let stop = if sentence.ends_with('?') { "" } else { "." };
    format!("{sentence}{stop}")
}

/// Returns a question about the nearest name, to follow a sentence, or an empty string.
pub(crate) fn did_you_mean(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" Did you mean {name}?"))
}
