//! Refusals about fighting, helping, resting and being held.

use deepwell_core::base::Span;
use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a combat action is refused. Texts are names with their article.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum FightRefusal {
    #[error("You have to find your feet first; the next round comes in {next}.")]
    RoundSpent { next: Span },
    #[error("You are stunned and cannot run.")]
    TooStunnedToRun,
    #[error("You are stunned and can help nobody.")]
    TooStunnedToHelp,
    #[error("Somebody else has to do that for you.")]
    RescuesSelf,
    #[error("Nothing threatens {0}.")]
    NotThreatened(String),
    #[error("{0} needs no help of yours.")]
    NeedsNoHelp(String),
    #[error("That one is on your side.")]
    OnYourSide,
    #[error("{} does not let you stop; flee instead.", grammar::capitalise(.enemy))]
    CannotStop { enemy: String },
    #[error("Nothing holds you.")]
    NotHeld,
    #[error("You have no strength left to struggle for another {0}.")]
    TooWeakToStruggle(Span),
    #[error("{} is nothing to sit on.", grammar::capitalise(.0))]
    NoSeat(String),
    #[error("There is no room left on {0}.")]
    SeatTaken(String),
    #[error("You are resting already.")]
    AlreadyResting,
    #[error("You are on your feet.")]
    AlreadyStanding,
    #[error("Nobody fights {0} here.")]
    NobodyFights(String),
    #[error("A number from 0 to {most}: at how many percent of your hit points you run by yourself.")]
    UnfitNerve { most: u32 },
    #[error("You would have to stand up for that.")]
    NotOnFeet,
}
