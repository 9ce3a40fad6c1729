//! What is refused to whoever builds rooms and exits, or looks after branches.

use crate::base::BranchId;
use crate::text::grammar;
use thiserror::Error;

/// Why something is not built, changed or taken away. Texts are words as typed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum BuildRefusal {
    #[error("This room belongs to a branch of the dungeon; nothing can be built here.")]
    InBranch,
    #[error("That room belongs to a branch; exits into a branch are the dungeon's.")]
    LeadsIntoBranch,
    #[error("There is no exit \"{0}\" here.")]
    NoExit(String),
    #[error("There is no exit kind \"{0}\"; there are exit and branch.")]
    NoExitKind(String),
    #[error("There is no room kind \"{word}\"; there are {}.", grammar::list(known))]
    NoRoomKind { word: String, known: Vec<String> },
    #[error("A branch exit leads north, east, south or west.")]
    BranchOffPlane,
    #[error("Branch exits belong into a start room: dig one with dig NAME:start.")]
    NoStartRoom,
    #[error("This room has as many exits as a room may have.")]
    TooManyExits,
    #[error("There is an exit \"{0}\" here already.")]
    ExitTaken(String),
    #[error("A branch exit finds its own way; unlink lets it forget an open branch.")]
    BranchExitLinked,
    #[error("That exit leads to no open branch.")]
    NoOpenBranch,
    #[error("An ordinary exit always leads somewhere: link it elsewhere, or destroy it.")]
    ExitNeedsRoom,
    #[error("People are in a branch of that exit; collapse it first, or wait.")]
    BranchInUse,
    #[error("{} {} in it or in a branch behind it: nobody may be there when it goes.", grammar::list(.0),
        if .0.len() == 1 { "is" } else { "are" })]
    StartRoomInUse(Vec<String>),
    #[error("Nobody could walk down to the dungeon any more: build another way first.")]
    LastWayBelow,
    #[error("That is where everybody begins; it stays.")]
    TownStays,
    #[error("A branch exit is called by its direction.")]
    BranchExitNamed,
    #[error("environment takes one word, such as street or clay.")]
    NoEnvironment,
    #[error("Only start rooms and branch exits have settings.")]
    NoSettings,
    #[error("{setting} takes a number from {least} to {most}, or default.")]
    SettingOutOfRange { setting: String, least: u32, most: u32 },
    #[error("{setting} takes one of: {}, or default.", .known.join(", "))]
    SettingNoneOf { setting: String, known: Vec<String> },
    #[error("{0} is the start room's, for all its exits: set here {0} = SECONDS.")]
    SettingOfTheRoom(String),
    #[error("finishable takes yes, no or default.")]
    FinishableUnclear,
    #[error(
        "There is no setting \"{0}\"; there are theme, generator, max_unexplored_exits, \
         max_new_exits_per_room, finishable, window, reset_chance and max_life, and for a start room also \
         reset_interval and check_interval."
    )]
    NoSetting(String),
    #[error("No branch is open.")]
    NoBranches,
    #[error("There is no branch {0}.")]
    NoBranch(BranchId),
    #[error("The exit that it hangs on is gone: all one can do is collapse it.")]
    StartExitGone,
    #[error("Nobody is in it, and nobody could enter it.")]
    BranchUnreachable,
}
