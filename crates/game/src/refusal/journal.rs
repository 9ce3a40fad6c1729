//! Refusals of `undo`, `redo` and building history commands.

use deepwell_core::base::JournalId;
use thiserror::Error;

/// Reason why a change cannot be undone or redone. Texts are names, and lines as typed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum JournalRefusal {
    #[error("There is nothing of yours to take back.")]
    NothingToUndo,
    #[error("There is nothing of {0} to take back.")]
    NothingOfTheirs(String),
    #[error("There is nothing since then to take back.")]
    NothingSince,
    #[error("A number of the journal is one entry; since goes with a name.")]
    SinceOfNobody,
    #[error("There is nothing that you have taken back since you built last.")]
    NothingToRedo,
    #[error("The journal has no number {0}.")]
    NoEntry(JournalId),
    #[error("Number {0} is taken back already.")]
    IsUndone(JournalId),
    #[error("Number {0} is not taken back: it is as it was made.")]
    IsDone(JournalId),
    #[error("Number {id} is by {name}; only an admin takes that back.")]
    NotYours { id: JournalId, name: String },
    #[error("Only an admin takes back what others built.")]
    OnlyOwn,
    #[error("\"{0}\" changed more than the journal keeps, so it cannot be taken back.")]
    TooLarge(String),
    #[error("{what} is not as \"{line}\" left it: {name} has typed \"{since}\" since. Nothing is changed.")]
    ChangedBy { what: String, line: String, name: String, since: String },
    #[error("{what} is not as \"{line}\" left it. Nothing is changed.")]
    Changed { what: String, line: String },
    #[error("{what} is in the place of what would come back: {other}. Nothing is changed.")]
    Taken { what: String, other: String },
    #[error(
        "There is no number, no room, no exit here and nobody called \"{0}\"; journal alone tells all of it."
    )]
    NothingMeant(String),
    #[error("Nothing is written down about that.")]
    NothingWritten,
}
