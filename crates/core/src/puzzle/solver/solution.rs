//! Solutions of puzzles and verdicts on solvability. Solvers are elsewhere.

use crate::base::Direction;
use crate::puzzle::error::BoardError;

use crate::puzzle::config::PuzzleConfig;
use crate::puzzle::event::Deed;
use crate::puzzle::id::CellId;

/// Step of a solution: an action of a player in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionStep {
    /// Cell of the player.
    pub from: CellId,
    /// Action.
    pub act: Act,
}

/// Action of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Walks.
    Walk(Direction),
    /// Uses a mechanism.
    Do(Deed),
}

/// Verdict on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Solution from the entrance to the finish; `None` if none was found.
    pub solution: Option<Vec<SolutionStep>>,
    /// Set if it is possible to lose.
    pub losable: bool,
    /// Number of states examined.
    pub states: u32,
    /// Set if the search ended at the state limit.
    pub gave_up: bool,
}

impl Verdict {
    /// Checks the requirements of a configuration: solvable and, if required, losable.
    pub fn check(&self, config: &PuzzleConfig) -> Result<(), BoardError> {
        if self.solution.is_none() {
            return Err(BoardError::NoSolution);
        }
        if config.require_choice && !self.losable {
            return Err(BoardError::NoLoss);
        }
        Ok(())
    }
}
