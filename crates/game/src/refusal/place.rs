//! Refusals about special features of a room: a lever, a shrine, a riddle, a gate.

use thiserror::Error;

/// Reason why a room feature does not react.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum PlaceRefusal {
    #[error("Nothing is written here. A thing is read by its name: read board.")]
    NothingWritten,
    #[error("There is nothing like that to pull here.")]
    NothingToPull,
    #[error("There is no shrine here to pray at.")]
    NoShrine,
    #[error("You have prayed here. The shrine gives to each only once.")]
    PrayedAlready,
    #[error("Whoever this shrine was built for is not listening any more.")]
    ShrineForgotten,
    #[error("Nothing here has asked you a riddle.")]
    NoRiddle,
    #[error("The voice is silent. Its riddle has been answered.")]
    RiddleAnswered,
    #[error("The voice does not listen to you any more.")]
    TooManyGuesses,
    #[error("The voice seems to have forgotten its own riddle.")]
    RiddleForgotten,
    #[error("There is no slab here to pry up.")]
    NoGrave,
    #[error("The slab has been pried up already.")]
    GraveOpen,
    #[error("There is nothing locked here that a key of yours could open.")]
    NothingLocked,
    #[error("The coffer stands open already.")]
    CofferOpen,
    #[error("You have no key that fits. Its owner may have taken one along.")]
    NoKey,
    #[error("There is nothing here that has to be jumped over. Any exit can simply be walked.")]
    NothingToJump,
    #[error("You see no trap here that could be disarmed.")]
    NothingToDisarm,
    #[error("Behind the gate the roof has come down. There is nothing to solve.")]
    PuzzleFallen,
}
