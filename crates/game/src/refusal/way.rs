//! Refusals about movement and route finding.

use thiserror::Error;

/// Reason why a character does not move, or a route is not shown.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum WayRefusal {
    /// `choices` lists what can be trained: "strength or agility".
    #[error("Before you go deeper, choose what you have learnt: train {choices}.")]
    TrainFirst { choices: String },
    /// Mappers match the first sentence.
    #[error("You can't go that way. There are no stairs down here.")]
    NoStairsDown,
    #[error("To walk, type {0} alone. To speak, begin with say.")]
    WordsBehind(&'static str),
    #[error("You search the place, and find nothing that you did not know.")]
    NothingFound,
    #[error("Something holds you here: recall does not work in this room.")]
    NoRecall,
    #[error("You are there already.")]
    AlreadyThere,
    /// Mappers match the first sentence.
    #[error("You can't go that way. Nothing here leads to \"{name}\". Exits: {exits}.")]
    NoWayBy { name: String, exits: String },
    #[error("You know of no unexplored exit that you can reach from here.")]
    NothingUnexplored,
    #[error("You know no way to \"{0}\".")]
    NoWayTo(String),
    /// Mappers match the first sentence.
    #[error("You can't go that way. The {0} is shut.")]
    DoorShut(String),
    #[error("You can't go that way. What is there is still being built.")]
    Unpublished,
    #[error("The {0} is locked, and you carry nothing that opens it.")]
    DoorLocked(String),
    #[error("The {door} is {state} already.")]
    DoorStands { door: String, state: &'static str },
}
