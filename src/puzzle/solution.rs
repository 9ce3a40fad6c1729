//! How a puzzle is solved, step by step, and what is known of whether it can be. How that is found out is not here.

use super::error::BoardError;
use crate::base::Direction;

use super::config::Config;
use super::event::Deed;
use super::id::CellId;

/// One step of a solution: somebody in a cell does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where they are.
    pub from: CellId,
    /// What they do.
    pub act: Act,
}

/// What is done in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Walks.
    Walk(Direction),
    /// Does something.
    Do(Deed),
}

/// What is known of a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The way from the entrance to the finish; none if there is none or none was found.
    pub solution: Option<Vec<Step>>,
    /// Whether there is a way to lose.
    pub losable: bool,
    /// How many states were looked at.
    pub states: u32,
    /// Whether the search ended because it had looked at as many as it might.
    pub gave_up: bool,
}

impl Verdict {
    /// What it lacks of what a configuration asks for: to be solvable and, if required, losable.
    pub fn check(&self, config: &Config) -> Result<(), BoardError> {
        if self.solution.is_none() {
            return Err(BoardError::NoSolution);
        }
        if config.require_choice && !self.losable {
            return Err(BoardError::NoLoss);
        }
        Ok(())
    }
}
