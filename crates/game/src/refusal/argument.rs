//! Refusals about command arguments that are absent, too many or ambiguous.

use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a command argument is invalid. Texts are words as typed, or names with their article.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum ArgumentRefusal {
    #[error("{0} of what?")]
    NameMissing(u32),
    #[error("Say how many: buy 3 potions.")]
    CountMissing,
    #[error("There {} only {} of that.", if *.0 == 1 { "is" } else { "are" }, grammar::number(*.0))]
    OnlySoMany(u32),
    #[error("You carry nothing{}.", like(.0))]
    CarriesNone(String),
    #[error("Nothing{} lies here.", like(.0))]
    NoneHere(String),
    #[error("There is nothing{} in {container}.", like(.kind))]
    NoneIn { kind: String, container: String },
    #[error("There is no \"{name}\" in {container}.")]
    NotIn { name: String, container: String },
    #[error("{} holds nothing.", grammar::capitalise(.0))]
    HoldsNothing(String),
    #[error("More than one climber's name begins with \"{0}\".")]
    AmbiguousPlayer(String),
    #[error("Nobody is called \"{0}\".")]
    NoSuchPlayer(String),
    #[error("There is no room called \"{0}\".")]
    NoSuchRoom(String),
}

/// Returns " like that" for a named kind of item, or an empty string.
const fn like(kind: &str) -> &'static str {
    if kind.is_empty() { "" } else { " like that" }
}
