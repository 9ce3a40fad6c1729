//! What is refused to whoever wants to go somewhere, or to know how.

use thiserror::Error;

/// Why somebody does not go, or is not told the way.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum WayRefusal {
    /// `choices` is what can be trained, in words: "strength or agility".
    #[error("Before you go deeper, choose what you have learnt: train {choices}.")]
    TrainFirst { choices: String },
    /// The first sentence is the one that mappers wait for.
    #[error("You can't go that way. There are no stairs down here.")]
    NoStairsDown,
    #[error("You are there already.")]
    AlreadyThere,
    /// The first sentence is the one that mappers wait for.
    #[error("You can't go that way. Nothing here leads to \"{name}\". Exits: {exits}.")]
    NoWayBy { name: String, exits: String },
    #[error("You know of no unexplored exit that you can reach from here.")]
    NothingUnexplored,
    #[error("You know no way to \"{0}\".")]
    NoWayTo(String),
    /// The first sentence is the one that mappers wait for.
    #[error("You can't go that way. The {0} is shut.")]
    DoorShut(String),
    #[error("You can't go that way. What is there is still being built.")]
    Unpublished,
    #[error("The {0} is locked, and you carry nothing that opens it.")]
    DoorLocked(String),
    #[error("The {door} is {state} already.")]
    DoorStands { door: String, state: &'static str },
}
