//! What is in the cells of a puzzle: what acts on whoever enters, and what waits until somebody does something. Structure
//! and words only; what happens is for the engine.

use super::id::{CellId, KeyId, SwitchId};
use crate::base::listed;
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
    /// Nobody has the key any more.
    Lose(KeyId),
    /// It was a mistake: as many as [`Board::tries`](super::Board::tries) are a loss.
    Mistake,
    /// Everything is as it was at first, and everybody stays where they are.
    Restart,
}

/// What must hold for something to be so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct When {
    /// Switches that are on.
    #[serde(default)]
    pub on: Vec<SwitchId>,
    /// Switches that are off.
    #[serde(default)]
    pub off: Vec<SwitchId>,
}

/// How something looks while something holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// What must hold.
    pub when: When,
    /// The sentence that shows it then.
    pub seen: String,
}

/// One thing that can be done to a [`Mechanism::Device`], and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// What one does.
    pub verb: Verb,
    /// What it is turned to.
    #[serde(default)]
    pub to: Option<String>,
    /// What must be at hand; whoever puts or uses it says so.
    #[serde(default)]
    pub key: Option<KeyId>,
    /// What is said, as [`plain_answer`](super::plain_answer) makes it; for [`Verb::Answer`] only.
    #[serde(default)]
    pub words: Vec<String>,
    /// When it is so. Of several the first counts.
    #[serde(default)]
    pub when: When,
    /// What it brings.
    #[serde(default)]
    pub does: Vec<Outcome>,
    /// The sentence that tells it.
    pub told: String,
    /// A sound for clients that play sounds.
    #[serde(default)]
    pub sound: Option<String>,
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
    /// Something whose uses an author has written one by one.
    Device {
        /// Its words; `told` when nothing comes of a use.
        thing: Thing,
        /// How it looks while something holds, the first that does; else as its words say.
        looks: Vec<Look>,
        /// What can be done to it.
        uses: Vec<Use>,
    },
}

listed! {
    /// What one does to a thing.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Verb {
        /// `pull lever`
        Pull = "pull",
        /// `open chest`
        Open = "open",
        /// `search moss`
        Search = "search",
        /// `kill guardian`: the game tells that it is down.
        Beat = "kill",
        /// `answer shadow`
        Answer = "answer",
        /// `push block east`
        Push = "push",
        /// `turn dial to moon`
        Turn = "turn",
        /// `press stud`
        Press = "press",
        /// `ring bell`
        Ring = "ring",
        /// `use crank on winch`
        Use = "use",
        /// `put ruby in socket`
        Put = "put",
    }
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
            | Self::Weight { thing }
            | Self::Device { thing, .. } => Some(thing),
        }
    }

    /// What one does to it; none if it needs nothing but to be walked on, or takes more than one verb.
    pub fn verb(&self) -> Option<Verb> {
        match self {
            Self::Lever { .. } => Some(Verb::Pull),
            Self::Chest { .. } => Some(Verb::Open),
            Self::Guard { .. } => Some(Verb::Beat),
            Self::Hidden { verb, .. } => Some(*verb),
            Self::Riddle { .. } => Some(Verb::Answer),
            Self::Weight { .. } => Some(Verb::Push),
            Self::Device { uses, .. } => {
                uses.iter().all(|one| one.verb == Verb::Search).then_some(Verb::Search)
            }
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

    /// Everything that may come of it, whatever is done to it.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let uses = if let Self::Device { uses, .. } = self { uses.as_slice() } else { &[] };
        self.does().iter().chain(uses.iter().flat_map(|one| &one.does))
    }
}
