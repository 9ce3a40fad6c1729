//! Refusals about lights and dark rooms.

use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a light is not lit or put out, or nothing is seen. Texts are items with their article.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum LightRefusal {
    #[error("It is too dark to see anything. A burning lamp or torch would help.")]
    TooDark,
    #[error("{} burns already.", grammar::capitalise(.0))]
    BurnsAlready(String),
    #[error("{} does not burn.", grammar::capitalise(.0))]
    BurnsNot(String),
    #[error("{} is empty, and you carry no more of what it burns: {fuel}.", grammar::capitalise(.name))]
    Empty { name: String, fuel: String },
}
