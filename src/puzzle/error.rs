//! Why there is no puzzle as it was asked for: its settings, which a builder mends, or a layout, instead of which another
//! is drawn. What lies beyond both every kind of puzzle says in its own words.

use thiserror::Error;

/// Why a puzzle cannot be made with its settings, for the builder who wrote them. Of a single setting the words go on
/// behind its name: "is no map".
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SettingError(String);

impl SettingError {
    /// A reason in the words of a kind of puzzle.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

/// Why a layout may not be shown to players.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// Something in it leads nowhere, cannot be told, or was not declared.
    #[error("{0}")]
    Flawed(String),
    /// It cannot be solved, or not within the bounds of a search.
    #[error("no solution was found")]
    NoSolution,
    /// Nobody could lose it, although somebody should.
    #[error("there is no way to lose")]
    NoLoss,
    /// The solution that its kind found does not lead to the finish.
    #[error("its solution does not work")]
    FalseSolution,
    /// It is not what its kind wants beyond that.
    #[error("{0}")]
    Unsuited(String),
}
