//! Refusals inside puzzles and about puzzle trials.

use deepwell_core::puzzle::{ActionRefusal, Board, SettingError};
use thiserror::Error;

/// Reason why a puzzle action is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum PuzzleRefusal {
    /// The puzzle does not allow the action. `thing` is the board's description of the obstacle.
    #[error("{}", .hitch.told(.thing.as_deref()))]
    ActionRefusal { hitch: ActionRefusal, thing: Option<String> },
    #[error("There is no lock like that here.")]
    NoLock,
    #[error("You are in no puzzle. Nothing has to be done but to go on.")]
    NotInPuzzle,
    #[error("There is no puzzle \"{name}\"; there are {}.", .known.join(", "))]
    NoSuchKind { name: String, known: Vec<String> },
    #[error("\"{word}\": {mistake}.")]
    Setting { word: String, mistake: SettingMistake },
    #[error("{kind} does not accept these settings: {reason}.")]
    NotAccepted { kind: String, reason: SettingError },
    #[error("There is an exit in here already; puzzle close takes a trial away.")]
    GateTaken,
    #[error("Nothing in here has a hint for you just now.")]
    NoHint,
    #[error("There is no puzzle here.")]
    NoPuzzle,
    #[error("No solution was found from the beginning.")]
    NoSolution,
    #[error("This puzzle belongs to the dungeon; only trials can be closed.")]
    NoTrial,
}

impl PuzzleRefusal {
    /// Converts an engine refusal, with names from the board.
    pub(crate) fn hitch(hitch: ActionRefusal, board: &Board) -> Self {
        let thing = hitch.thing(board).map(str::to_owned);
        Self::ActionRefusal { hitch, thing }
    }
}

/// Error in a setting typed for a trial, without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum SettingMistake {
    #[error("settings look like size_x=5")]
    NoPair,
    #[error("that is no number")]
    NoNumber,
    #[error("{kind} has {known}")]
    Unknown { kind: String, known: String },
    /// With the permitted values, as text.
    #[error("it takes {0}")]
    OutOfRange(String),
    #[error("it {0}")]
    Unfit(SettingError),
}
