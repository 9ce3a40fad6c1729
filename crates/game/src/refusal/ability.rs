//! Refusals about using abilities.

use deepwell_core::base::Span;
use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why an ability cannot be used. Texts are ability verbs, or names with their article.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum AbilityRefusal {
    #[error(
        "You have not learnt to {word}. It may be among what a new level offers, sooner to those who have {earned_by}."
    )]
    NotLearnt { word: String, earned_by: String },
    /// With the experience that the next level needs.
    #[error("You have nothing to choose now. {0}")]
    NothingToTrain(String),
    #[error("Nobody remembers how to {0}.")]
    Forgotten(String),
    #[error("You cannot {word} again for {left}.")]
    Rests { word: String, left: Span },
    #[error("There is nobody here to {0} in a fight; nobody fights you.")]
    NeedsFight(String),
    #[error("You cannot {0} in the middle of a fight.")]
    NeedsPeace(String),
    #[error("You are stunned and cannot {0}.")]
    TooStunned(String),
    #[error("{} is down; rescue helps, and nothing else does.", grammar::capitalise(.0))]
    NeedsRescue(String),
    #[error("{} is not on your side.", grammar::capitalise(.0))]
    NotOnYourSide(String),
}
