//! What is in the cells of a puzzle: what acts on whoever enters, and what waits until somebody does something. Structure
//! and words only; what happens is for the engine.

use super::id::{CellId, KeyId, SwitchId};
use serde::{Deserialize, Serialize};

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
