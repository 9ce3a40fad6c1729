//! What has happened in a puzzle so far: one small value that is stored with the world and searched by the solver.

use super::id::CellId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A small set of numbers, kept in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Marks(Vec<u32>);

impl Marks {
    /// Whether a number is in it.
    pub fn has(&self, mark: u32) -> bool {
        self.0.binary_search(&mark).is_ok()
    }

    /// Puts a number in or takes it out; true if that changed anything.
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

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}

/// What has happened in a puzzle so far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The might that everybody inside shares.
    #[serde(default)]
    pub might: Option<i64>,
    /// Mechanisms that are done with, as `cell x 256 + place in the cell`.
    #[serde(default)]
    pub spent: Marks,
    /// Switches that levers and answers have turned on.
    #[serde(default)]
    pub switches: Marks,
    /// Keys found and not left in a lock.
    #[serde(default)]
    pub keys: Marks,
    /// Plates that are down, numbered like what is spent.
    #[serde(default)]
    pub down: Marks,
    /// Gates that are open.
    #[serde(default)]
    pub open: Marks,
    /// Where each weight is now, in the order of the layout.
    #[serde(default)]
    pub weights: Vec<CellId>,
    /// How many people are in each cell.
    #[serde(default)]
    pub people: BTreeMap<CellId, u32>,
    /// Hints that have been told, by their place; they stay told whatever is lost.
    #[serde(default)]
    pub hinted: Marks,
    /// Wrong answers and mistakes since the start.
    #[serde(default)]
    pub guesses: u32,
    /// How often everything was lost; survives the reset, and each takes a tier off the reward.
    #[serde(default)]
    pub losses: u32,
    /// Whether the goal is met.
    #[serde(default)]
    pub won: bool,
    /// Whether somebody has entered the finish since.
    #[serde(default)]
    pub finished: bool,
}

impl State {
    /// The mark of a mechanism, by its place in its cell, in [`State::spent`] and [`State::down`].
    pub(super) fn mark(at: CellId, number: usize) -> u32 {
        u32::from(at.0) * 256 + u32::try_from(number).unwrap_or(u32::MAX).min(255)
    }
}
