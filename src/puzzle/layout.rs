//! What a puzzle is made of: cells on a grid of their own, passages with gates, and mechanisms. One vocabulary for all
//! puzzles, so that one engine plays and one search solves whatever a puzzle puts together. Structure and words only;
//! what has happened so far is a [`State`](super::State).

use crate::base::{Direction, Point};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::feature::Goal;

/// A cell of a layout: its place in [`Layout::cells`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CellId(pub u16);

/// A gate of a layout: its place in [`Layout::gates`]. The two sides of a door name the same gate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GateId(pub u16);

/// Something that is on or off, all off at the start. Levers, plates and answers turn switches; gates wait for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SwitchId(pub u16);

/// A key of a layout: its place in [`Layout::keys`]. Keys are shared by everybody inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(pub u16);

/// A puzzle as a value, before anybody has done anything in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
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

/// The words of something that is worked on purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thing {
    /// What it is called and typed as, without an article: "brass lever".
    pub name: String,
    /// The sentence that shows it in the room.
    pub seen: String,
    /// The sentence that tells what working it does.
    pub told: String,
}

impl Thing {
    /// Words to call it, to show it and to tell what working it does.
    pub fn new(name: &str, seen: &str, told: &str) -> Self {
        Self { name: name.to_owned(), seen: seen.to_owned(), told: told.to_owned() }
    }
}

/// What working something brings about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Everybody inside has the key from now on.
    Key(KeyId),
    /// The switch is on from now on.
    On(SwitchId),
    /// The switch is off from now on.
    Off(SwitchId),
    /// The switch is turned over.
    Toggle(SwitchId),
}

/// What a power-up does to might.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Might times the factor.
    Multiply,
    /// Might by the factor, in whole numbers.
    Divide,
    /// Might and the factor.
    Plus,
    /// Might without the factor.
    Minus,
    /// The factor, whatever the might was.
    Set,
}

impl Op {
    /// What becomes of a might.
    pub fn apply(self, might: i64, factor: i64) -> i64 {
        match self {
            Self::Multiply => might.saturating_mul(factor),
            Self::Divide => might.checked_div(factor).unwrap_or(might),
            Self::Plus => might.saturating_add(factor),
            Self::Minus => might.saturating_sub(factor),
            Self::Set => factor,
        }
    }
}

/// What is in a cell. The first four act on whoever enters; the others wait until somebody does something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// A duel of power on entry. Gone when beaten.
    Enemy {
        /// Its power.
        power: i64,
        /// What it is, without an article: "stone warrior".
        name: String,
    },
    /// Changes might on entry, once.
    PowerUp {
        /// How.
        op: Op,
        /// By how much.
        factor: i64,
        /// What it says, read aloud: "doubles your might".
        words: String,
    },
    /// Moves whoever enters somewhere else. No portal stands where a portal leads.
    Portal {
        /// Where to.
        to: CellId,
    },
    /// Entering it ends the puzzle, once the goal is met.
    Finish,
    /// Pulled as often as one likes.
    Lever {
        /// Its words.
        thing: Thing,
        /// What each pull does.
        does: Vec<Outcome>,
    },
    /// Opened once.
    Chest {
        /// Its words.
        thing: Thing,
        /// What is in it.
        does: Vec<Outcome>,
    },
    /// A creature that carries something: the game sets one there and tells when it is down.
    Guard {
        /// Its words.
        thing: Thing,
        /// What beating it brings.
        does: Vec<Outcome>,
    },
    /// Found once, by searching or pulling.
    Hidden {
        /// Its words; `name` is what one searches or pulls: "moss".
        thing: Thing,
        /// [`Verb::Search`] or [`Verb::Pull`].
        verb: Verb,
        /// What is found.
        does: Vec<Outcome>,
    },
    /// Asks until somebody knows the answer.
    Riddle {
        /// Its words: a stone face.
        thing: Thing,
        /// What it asks.
        asks: String,
        /// Whatever counts as right, as [`plain_answer`](super::plain_answer) makes it.
        answers: Vec<String>,
        /// How many wrong answers are a loss; any number if none.
        tries: Option<u32>,
        /// What the right answer brings.
        does: Vec<Outcome>,
    },
    /// Down, and its switch on, while somebody or a weight is in the cell.
    Plate {
        /// Its words; `told` when it goes down.
        thing: Thing,
        /// What it turns.
        switch: SwitchId,
    },
    /// Something heavy that begins here and can be pushed through open passages from cell to cell.
    Weight {
        /// Its words; `told` when it is pushed.
        thing: Thing,
    },
}

/// What one does to a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// `pull lever`
    Pull,
    /// `open chest`
    Open,
    /// `search moss`
    Search,
    /// `kill guardian`: the game tells that it is down.
    Beat,
    /// `answer shadow`
    Answer,
    /// `push block east`
    Push,
}

impl Mechanism {
    /// The words of something that waits for somebody.
    pub fn thing(&self) -> Option<&Thing> {
        match self {
            Self::Enemy { .. } | Self::PowerUp { .. } | Self::Portal { .. } | Self::Finish => None,
            Self::Lever { thing, .. }
            | Self::Chest { thing, .. }
            | Self::Guard { thing, .. }
            | Self::Hidden { thing, .. }
            | Self::Riddle { thing, .. }
            | Self::Plate { thing, .. }
            | Self::Weight { thing } => Some(thing),
        }
    }

    /// What one does to it; none if it needs nothing but to be walked on.
    pub fn verb(&self) -> Option<Verb> {
        match self {
            Self::Lever { .. } => Some(Verb::Pull),
            Self::Chest { .. } => Some(Verb::Open),
            Self::Guard { .. } => Some(Verb::Beat),
            Self::Hidden { verb, .. } => Some(*verb),
            Self::Riddle { .. } => Some(Verb::Answer),
            Self::Weight { .. } => Some(Verb::Push),
            Self::Enemy { .. }
            | Self::PowerUp { .. }
            | Self::Portal { .. }
            | Self::Finish
            | Self::Plate { .. } => None,
        }
    }

    /// What working it brings.
    pub fn does(&self) -> &[Outcome] {
        match self {
            Self::Lever { does, .. }
            | Self::Chest { does, .. }
            | Self::Guard { does, .. }
            | Self::Hidden { does, .. }
            | Self::Riddle { does, .. } => does,
            _ => &[],
        }
    }
}

impl Layout {
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
