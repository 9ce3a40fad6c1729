//! Errors of puzzles: invalid settings, which a builder must fix, and rejected boards, which are replaced by the next
//! one generated. Puzzle kinds can add reasons of their own.

use thiserror::Error;

/// Invalid settings of a puzzle, for the builder. For a single setting, the text continues its name: "is no map".
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SettingError(String);

impl SettingError {
    /// Creates an error with the text of a puzzle kind.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

/// Reason why a board must not be shown to players.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// It has dangling references, missing texts or undeclared features.
    #[error("{0}")]
    Flawed(String),
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
