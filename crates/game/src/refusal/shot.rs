//! Refusals about shooting and lighting explosives.

use deepwell_core::base::Span;
use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a shot is refused. Texts are items with their article.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum ShotRefusal {
    #[error("You have nothing in hand that shoots. The chandler in the town sells bows; wield one.")]
    NoBow,
    #[error("It is too close for that: somebody fights you.")]
    TooClose,
    #[error("Nothing is shot or lit in a room where people rest.")]
    Peaceful,
    #[error("You are stunned and see three of everything.")]
    Stunned,
    #[error("Your hands need a moment: {0}.")]
    NotReady(Span),
    #[error(
        "An arrow needs a way to fly: shoot north, for one. For whoever stands before you, type kill and a creature's name."
    )]
    NotAWay,
    #[error("You see nobody to shoot at that way.")]
    NobodyThere,
    #[error("You can shoot only along the ways that you know, and in the dungeon.")]
    NoSight,
    #[error("{} is nothing to light.", grammar::capitalise(.0))]
    NothingToLight(String),
}
