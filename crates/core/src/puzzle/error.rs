//! Errors of puzzles: invalid settings, which a builder must fix, and rejected boards, which are replaced by the next
//! one generated. Puzzle kinds can add reasons of their own.

use super::feature::{Feature, Goal};
use super::id::CellId;
use crate::base::{Direction, Point};
use thiserror::Error;

/// Invalid settings of a puzzle, for the builder. For a single setting, the text continues its name: "is no map".
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SettingError(String);

impl SettingError {
    /// Creates an error with the text of a puzzle kind.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// Reason why a board must not be shown to players.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// It has a flaw.
    #[error("{0}")]
    Flawed(BoardFlaw),
    /// It has no solution, or none within the limits of the search.
    #[error("no solution was found")]
    NoSolution,
    /// It cannot be lost, although that is required.
    #[error("there is no way to lose")]
    NoLoss,
    /// The solution found by its puzzle kind does not lead to the finish.
    #[error("its solution does not work")]
    FalseSolution,
    /// It violates a requirement of its puzzle kind.
    #[error("{0}")]
    Unsuited(String),
}

/// Flaw of a board: a dangling reference, a missing text, or an undeclared goal or feature.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardFlaw {
    /// The entrance is not a cell of the board.
    #[error("it has no entrance")]
    NoEntrance,
    /// The puzzle kind does not declare the goal.
    #[error("its goal {} is not declared", .0.name())]
    Goal(Goal),
    /// The goal is to turn on switches, and none is listed.
    #[error("nothing would solve it")]
    NothingToSolve,
    /// The puzzle kind does not declare the feature.
    #[error("its feature {} is not declared", .0.name())]
    Feature(Feature),
    /// Two cells have the same position.
    #[error("two cells are at {0}")]
    SharedPosition(Point),
    /// The cell with this id and position has a flaw.
    #[error("cell {cell} at {1}: {2}", cell = .0.0)]
    Cell(CellId, Point, Box<Self>),
    /// A passage does not lead to the neighbouring cell.
    #[error("{0} does not lead to the cell beside it")]
    Passage(Direction),
    /// The gate of a passage is missing.
    #[error("{0} has a gate that does not exist")]
    NoGate(Direction),
    /// A cell has more mechanisms than [`State`](super::State) can number.
    #[error("more is in it than can be counted")]
    TooManyMechanisms,
    /// A mechanism at the entrance acts on arriving players.
    #[error("something at the entrance acts on whoever enters")]
    ActiveEntrance,
    /// A mechanism needs might in a puzzle without might.
    #[error("something counts might, and there is none")]
    NoMight,
    /// The destination of a portal is missing or has a portal.
    #[error("a portal leads nowhere, or into a portal")]
    Portal,
    /// A hidden item has a verb other than search and pull.
    #[error("what is hidden is neither searched nor pulled")]
    HiddenVerb,
    /// A riddle has no answer, or one that differs from its normalised form.
    #[error("a riddle has an answer that nobody can give")]
    Answer,
    /// A riddle allows no tries.
    #[error("a riddle allows no answer")]
    NoTries,
    /// The gate with this name depends on the enemies of a missing cell.
    #[error("the {0} waits for a cell that does not exist")]
    NoBeatenCell(String),
    /// A key is missing.
    #[error("a key does not exist")]
    NoKey,
    /// A text, given with its purpose, is empty or not ASCII.
    #[error("the {0} is empty or not ASCII: `{1}`")]
    Text(&'static str, String),
}
