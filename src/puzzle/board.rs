//! What a puzzle is made of: cells on a grid of their own, passages with gates, and mechanisms. One vocabulary for all
//! puzzles, so that one engine plays and one search solves whatever a puzzle puts together. Structure and words only;
//! what has happened so far is a [`State`](super::State).

use crate::base::{Direction, Point};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::feature::Goal;
use super::id::{CellId, GateId, KeyId, SwitchId};
use super::mechanism::{Mechanism, Thing, When};

/// A puzzle as a value, before anybody has done anything in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// The name of the puzzle that made it.
    pub kind: String,
    /// What it is about, as told on entry and by `goal`.
    pub task: String,
    /// What has to be done.
    pub goal: Goal,
    /// For [`Goal::Solve`]: the switches that are all on when it is solved.
    #[serde(default)]
    pub solved: Vec<SwitchId>,
    /// The might that everybody inside shares at the start; none in puzzles without it.
    #[serde(default)]
    pub might: Option<i64>,
    /// How many players it takes at least.
    #[serde(default)]
    pub players: u32,
    /// The rooms.
    pub cells: Vec<Cell>,
    /// Where one comes in, and where everybody is after a loss.
    pub entrance: CellId,
    /// The gates.
    #[serde(default)]
    pub gates: Vec<Gate>,
    /// What the keys are called: "iron key".
    #[serde(default)]
    pub keys: Vec<String>,
    /// How many mistakes are a loss; any number if none.
    #[serde(default)]
    pub tries: Option<u32>,
    /// Whether everything is as it was at first once everybody has left.
    #[serde(default)]
    pub restarts: bool,
    /// What may be told to whoever asks for help, in this order.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// The lines that solve it, where its author has written them down.
    #[serde(default)]
    pub solution: Vec<String>,
}

/// Help for those who ask for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hint {
    /// When it helps.
    #[serde(default)]
    pub when: When,
    /// What it says.
    pub text: String,
}

/// One room of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Its place on the puzzle's own grid; neighbours by walking are neighbours here.
    pub at: Point,
    /// What it is for.
    pub kind: CellKind,
    /// Its name.
    pub name: String,
    /// What one sees in it, without its mechanisms.
    pub description: String,
    /// The ways out of it.
    #[serde(default)]
    pub exits: BTreeMap<Direction, Passage>,
    /// What is in it, in the order in which it acts on whoever enters.
    #[serde(default)]
    pub mechanisms: Vec<Mechanism>,
}

/// What a cell is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// Where one comes in.
    Entrance,
    /// One of the rooms that join the sections.
    Gallery,
    /// A room of a section.
    Slot,
    /// The end of a section; leads back to its start.
    Portal,
    /// Entering it ends the puzzle once the goal is met.
    Finish,
    /// Any other room.
    #[default]
    Chamber,
}

/// A way from one cell to another, in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Passage {
    /// Where it leads.
    pub to: CellId,
    /// What bars it.
    #[serde(default)]
    pub lock: Lock,
}

/// What bars a passage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lock {
    /// Nothing.
    #[default]
    Open,
    /// The far side of a one-way passage: it is no exit at all, but whoever tries is told so.
    Closed,
    /// A gate.
    Gate(GateId),
}

/// A door, portcullis or whatever else opens when something is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// What it is: "iron door".
    pub name: String,
    /// What whoever walks into it while it is shut reads: "The iron door is locked."
    pub shut: String,
    /// What everybody inside reads when it opens.
    pub told: String,
    /// What opens it.
    pub opening: Opening,
}

/// What opens a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// Somebody unlocks it from beside it with the key. It stays open; the key stays in it if it is `kept`.
    Key {
        /// The key.
        key: KeyId,
        /// Whether the lock keeps the key.
        kept: bool,
    },
    /// All switches in `on` are on and all in `off` are off. Shuts again when that ends, unless it `stays`.
    Switches {
        /// Must be on.
        on: Vec<SwitchId>,
        /// Must be off.
        off: Vec<SwitchId>,
        /// Whether it stays open for good once it has opened.
        stays: bool,
    },
    /// No enemy is left in these cells.
    Beaten(BTreeSet<CellId>),
    /// The goal is met.
    Goal,
}

impl Board {
    /// A cell.
    pub fn cell(&self, id: CellId) -> Option<&Cell> {
        self.cells.get(usize::from(id.0))
    }

    /// A gate.
    pub fn gate(&self, id: GateId) -> Option<&Gate> {
        self.gates.get(usize::from(id.0))
    }

    /// Every cell with its id, in order.
    pub fn ids(&self) -> impl Iterator<Item = (CellId, &Cell)> {
        (0..).map(CellId).zip(&self.cells)
    }

    /// The cell at a place.
    pub fn at(&self, at: Point) -> Option<CellId> {
        self.ids().find(|(_, cell)| cell.at == at).map(|(id, _)| id)
    }

    /// The words of all weights, in the order of [`State::weights`](super::State::weights).
    pub fn weights(&self) -> impl Iterator<Item = &Thing> {
        self.cells.iter().flat_map(|cell| &cell.mechanisms).filter_map(|mechanism| match mechanism {
            Mechanism::Weight { thing } => Some(thing),
            _ => None,
        })
    }

    /// What is in a cell; nothing in one that does not exist.
    pub fn mechanisms(&self, id: CellId) -> &[Mechanism] {
        self.cell(id).map_or(&[], |cell| &cell.mechanisms)
    }

    /// Adds a cell and says which it is.
    pub fn add(&mut self, cell: Cell) -> CellId {
        let id = CellId(u16::try_from(self.cells.len()).unwrap_or(u16::MAX));
        self.cells.push(cell);
        id
    }

    /// Puts a mechanism into a cell.
    pub fn put(&mut self, at: CellId, mechanism: Mechanism) {
        if let Some(cell) = self.cells.get_mut(usize::from(at.0)) {
            cell.mechanisms.push(mechanism);
        }
    }

    /// Adds a gate and says which it is.
    pub fn add_gate(&mut self, gate: Gate) -> GateId {
        let id = GateId(u16::try_from(self.gates.len()).unwrap_or(u16::MAX));
        self.gates.push(gate);
        id
    }

    /// Adds a key and says which it is.
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

    /// Joins two cells in one direction; whoever tries to come back is told that the way is closed.
    pub fn join_one_way(&mut self, from: CellId, direction: Direction, to: CellId) {
        self.link(from, direction, to, Lock::Open);
        self.link(to, direction.opposite(), from, Lock::Closed);
    }

    fn link(&mut self, from: CellId, direction: Direction, to: CellId, lock: Lock) {
        if let Some(cell) = self.cells.get_mut(usize::from(from.0)) {
            cell.exits.insert(direction, Passage { to, lock });
        }
    }
}

impl Cell {
    /// A cell without ways out.
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
