//! Progress of a puzzle: a small value, stored with the world and searched by the solver.

use super::id::CellId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Small sorted set of numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(Vec<u32>);

impl Marks {
    /// Returns `true` if the set contains a number.
    pub fn has(&self, mark: u32) -> bool {
        self.0.binary_search(&mark).is_ok()
    }

    /// Adds or removes a number. Returns `true` if the set changed.
    pub fn set(&mut self, mark: u32, present: bool) -> bool {
        match (self.0.binary_search(&mark), present) {
            (Err(at), true) => {
                self.0.insert(at, mark);
                true
            }
            (Ok(at), false) => {
                self.0.remove(at);
                true
            }
            _ => false,
        }
    }

    /// Returns all numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}

/// Progress of a puzzle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// Might shared by all players inside.
    #[serde(default)]
    pub might: Option<i64>,
    /// Mechanisms that are used up, as `cell x 256 + index in the cell`.
    #[serde(default)]
    pub spent: Marks,
    /// Switches turned on by levers and answers.
    #[serde(default)]
    pub switches: Marks,
    /// Keys found and not left in a lock.
    #[serde(default)]
    pub keys: Marks,
    /// Plates that are down, numbered like `play_evening`.
    #[serde(default)]
    pub down: Marks,
    /// Open gates.
    #[serde(default)]
    pub open: Marks,
    /// Current cell of each weight, in board order.
    #[serde(default)]
    pub weights: Vec<CellId>,
    /// Number of players in each cell.
    #[serde(default)]
    pub people: BTreeMap<CellId, u32>,
    /// Indices of the hints given; kept on a loss.
    #[serde(default)]
    pub hinted: Marks,
    /// Number of wrong answers and mistakes since the start.
    #[serde(default)]
    pub guesses: u32,
    /// Number of losses; kept on a reset. Each lowers the reward by one tier.
    #[serde(default)]
    pub losses: u32,
    /// Set if the goal is met.
    #[serde(default)]
    pub won: bool,
    /// Set if a player has entered the finish since.
    #[serde(default)]
    pub finished: bool,
}

impl State {
    /// Returns the number of a mechanism in [`State::play_evening`] and [`State::down`].
    pub(super) fn mark(at: CellId, number: usize) -> u32 {
        u32::from(at.0) * 256 + u32::try_from(number).unwrap_or(u32::MAX).min(255)
    }
}
