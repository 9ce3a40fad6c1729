//! Elements of a puzzle: cells on a separate grid, passages with gates, and mechanisms. All puzzles share this
//! vocabulary, so that one engine and one solver cover every combination. Structure and texts only; progress is a
//! [`State`](super::State).

use crate::base::{Direction, Point};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::feature::Goal;
use super::id::{CellId, GateId, KeyId, SwitchId};
use super::mechanism::{Mechanism, Thing, When};

/// Puzzle board, before any action in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// Name of the puzzle kind that generated it.
    pub kind: String,
    /// Task, as shown on entry and by `goal`.
    pub task: String,
    /// Goal.
    pub goal: Goal,
    /// For [`Goal::Solve`]: switches that must all be on.
    #[serde(default)]
    pub solved: Vec<SwitchId>,
    /// Initial might, shared by all players inside; `None` in puzzles without might.
    #[serde(default)]
    pub might: Option<i64>,
    /// Minimum number of players.
    #[serde(default)]
    pub players: u32,
    /// Rooms of the puzzle.
    pub cells: Vec<Cell>,
    /// Cell in which players enter, and to which they return after a loss.
    pub entrance: CellId,
    /// Gates.
    #[serde(default)]
    pub gates: Vec<Gate>,
    /// Names of the keys: "iron key".
    #[serde(default)]
    pub keys: Vec<String>,
    /// Number of mistakes that cause a loss; unlimited if `None`.
    #[serde(default)]
    pub tries: Option<u32>,
    /// Set if the puzzle resets when the last player has left.
    #[serde(default)]
    pub restarts: bool,
    /// Hints, in the order in which they are given.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// Commands that solve the puzzle, if the author has listed them.
    #[serde(default)]
    pub solution: Vec<String>,
}

/// Hint for players who ask for help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hint {
    /// Condition under which the hint applies.
    #[serde(default)]
    pub when: When,
    /// Text of the hint.
    pub text: String,
}

/// Room of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Position on the puzzle's grid; cells joined by a passage are neighbours.
    pub at: Point,
    /// Purpose.
    pub kind: CellKind,
    /// Name.
    pub name: String,
    /// Description, without the mechanisms.
    pub description: String,
    /// Exits.
    #[serde(default)]
    pub exits: BTreeMap<Direction, Passage>,
    /// Mechanisms, in the order in which they act on an arriving player.
    #[serde(default)]
    pub mechanisms: Vec<Mechanism>,
}

/// Purpose of a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// Entrance.
    Entrance,
    /// Room that joins the sections.
    Gallery,
    /// Room of a section.
    Slot,
    /// End of a section; leads back to its start.
    Portal,
    /// Entering it ends the puzzle once the goal is met.
    Finish,
    /// Any other room.
    #[default]
    Chamber,
}

/// One-directional passage between two cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Passage {
    /// Destination.
    pub to: CellId,
    /// Obstacle in the passage.
    #[serde(default)]
    pub lock: Lock,
}

/// Obstacle in a passage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lock {
    /// No obstacle.
    #[default]
    Open,
    /// Far side of a one-way passage. It is not an exit, but an attempt to use it is answered with an explanation.
    Closed,
    /// A gate.
    Gate(GateId),
}

/// Door, portcullis or other barrier that opens on a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// Name: "iron door".
    pub name: String,
    /// Message for a player who tries to pass while it is closed: "The iron door is locked."
    pub shut: String,
    /// Message for all players inside when it opens.
    pub told: String,
    /// Opening condition.
    pub opening: Opening,
}

/// Opening condition of a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// A player next to it unlocks it with the key. It then stays open. If `kept`, the key remains in the lock.
    Key {
        /// Key that fits.
        key: KeyId,
        /// Set if the lock keeps the key.
        kept: bool,
    },
    /// All switches in `on` are on and all in `off` are off. The gate closes when this no longer holds, unless it
    /// `stays` open.
    Switches {
        /// Switches that must be on.
        on: Vec<SwitchId>,
        /// Switches that must be off.
        off: Vec<SwitchId>,
        /// Set if the gate stays open once it has opened.
        stays: bool,
    },
    /// All enemies in these cells are beaten.
    Beaten(BTreeSet<CellId>),
    /// The goal is met.
    Goal,
}

impl Board {
    /// Returns a cell.
    pub fn cell(&self, id: CellId) -> Option<&Cell> {
        self.cells.get(usize::from(id.0))
    }

    /// Returns a cell for modification.
    pub(super) fn cell_mut(&mut self, id: CellId) -> Option<&mut Cell> {
        self.cells.get_mut(usize::from(id.0))
    }

    /// Returns a gate.
    pub fn gate(&self, id: GateId) -> Option<&Gate> {
        self.gates.get(usize::from(id.0))
    }

    /// Returns every cell with its id, in order.
    pub fn ids(&self) -> impl Iterator<Item = (CellId, &Cell)> {
        (0..).map(CellId).zip(&self.cells)
    }

    /// Returns the cell at a position.
    pub fn at(&self, at: Point) -> Option<CellId> {
        self.ids().find(|(_, cell)| cell.at == at).map(|(id, _)| id)
    }

    /// Returns the texts of all weights, in the order of [`State::weights`](super::State::weights).
    pub fn weights(&self) -> impl Iterator<Item = &Thing> {
        self.cells.iter().flat_map(|cell| &cell.mechanisms).filter_map(|mechanism| match mechanism {
            Mechanism::Weight { thing } => Some(thing),
            _ => None,
        })
    }

    /// Returns the mechanisms of a cell; empty if the cell does not exist.
    pub fn mechanisms(&self, id: CellId) -> &[Mechanism] {
        self.cell(id).map_or(&[], |cell| &cell.mechanisms)
    }

    /// Adds a cell and returns its id.
    pub fn add(&mut self, cell: Cell) -> CellId {
        let id = CellId(u16::try_from(self.cells.len()).unwrap_or(u16::MAX));
        self.cells.push(cell);
        id
    }

    /// Adds a mechanism to a cell.
    pub fn put(&mut self, at: CellId, mechanism: Mechanism) {
        if let Some(cell) = self.cell_mut(at) {
            cell.mechanisms.push(mechanism);
        }
    }

    /// Adds a gate and returns its id.
    pub fn add_gate(&mut self, gate: Gate) -> GateId {
        let id = GateId(u16::try_from(self.gates.len()).unwrap_or(u16::MAX));
        self.gates.push(gate);
        id
    }

    /// Adds a key and returns its id.
    pub fn add_key(&mut self, name: &str) -> KeyId {
        let id = KeyId(u16::try_from(self.keys.len()).unwrap_or(u16::MAX));
        self.keys.push(name.to_owned());
        id
    }

    /// Joins two cells in both directions.
    pub fn join(&mut self, from: CellId, direction: Direction, to: CellId, lock: Lock) {
        self.link(from, direction, to, lock);
        self.link(to, direction.opposite(), from, lock);
    }

    /// Joins two cells in one direction; players who try to return are told that it is one-way.
    pub fn join_one_way(&mut self, from: CellId, direction: Direction, to: CellId) {
        self.link(from, direction, to, Lock::Open);
        self.link(to, direction.opposite(), from, Lock::Closed);
    }

    fn link(&mut self, from: CellId, direction: Direction, to: CellId, lock: Lock) {
        if let Some(cell) = self.cell_mut(from) {
            cell.exits.insert(direction, Passage { to, lock });
        }
    }
}

impl Cell {
    /// Creates a cell without exits.
    pub fn new(at: Point, kind: CellKind, name: &str, description: &str) -> Self {
        Self {
            at,
            kind,
            name: name.to_owned(),
            description: description.to_owned(),
            exits: BTreeMap::new(),
            mechanisms: Vec::new(),
        }
    }
}
