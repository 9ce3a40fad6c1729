//! Mechanisms of puzzle cells: some act on arriving players, others wait for an action. Structure and texts only; the
//! engine applies the effects.

use super::id::{CellId, KeyId, SwitchId};
use crate::base::listed;
use serde::{Deserialize, Serialize};

/// Name and texts of a mechanism that players use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thing {
    /// Name as typed, without an article: "brass lever".
    pub name: String,
    /// Sentence that shows it in the room.
    pub seen: String,
    /// Sentence shown when it is used.
    pub told: String,
}

impl Thing {
    /// Creates the texts of a mechanism.
    pub fn new(name: &str, seen: &str, message: &str) -> Self {
        Self { name: name.to_owned(), seen: seen.to_owned(), told: message.to_owned() }
    }
}

/// Effect of using a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All players inside get the key.
    Key(KeyId),
    /// Turns the switch on.
    On(SwitchId),
    /// Turns the switch off.
    Off(SwitchId),
    /// Toggles the switch.
    Toggle(SwitchId),
    /// Takes the key away from all players.
    Lose(KeyId),
    /// Counts a mistake; [`Board::tries`](super::Board::tries) mistakes cause a loss.
    Mistake,
    /// Resets the puzzle, with all players in place.
    Restart,
}

/// Condition on switches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct When {
    /// Switches that must be on.
    #[serde(default)]
    pub on: Vec<SwitchId>,
    /// Switches that must be off.
    #[serde(default)]
    pub off: Vec<SwitchId>,
}

/// Appearance under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Condition.
    pub when: When,
    /// Sentence shown while it holds.
    pub seen: String,
}

/// Use of a [`Mechanism::Device`], with its effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// Verb of the use.
    pub verb: Verb,
    /// Setting it is turned to.
    #[serde(default)]
    pub to: Option<String>,
    /// Key that must be available; the player names it when putting or using it.
    #[serde(default)]
    pub key: Option<KeyId>,
    /// Accepted answers in the form of [`plain_answer`](super::plain_answer); only for [`Verb::Answer`].
    #[serde(default)]
    pub words: Vec<String>,
    /// Condition. Of several matching uses, the first applies.
    #[serde(default)]
    pub when: When,
    /// Effects.
    #[serde(default)]
    pub does: Vec<Outcome>,
    /// Message.
    pub told: String,
    /// Sound for clients that play sounds.
    #[serde(default)]
    pub sound: Option<String>,
}

/// Operation of a power-up on might.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Multiplies might by the factor.
    Multiply,
    /// Divides might by the factor, rounding towards zero.
    Divide,
    /// Adds the factor to might.
    Plus,
    /// Subtracts the factor from might.
    Minus,
    /// Sets might to the factor.
    Set,
}

impl Op {
    /// Returns the might after the operation.
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

/// Mechanism in a cell. The first four act on arriving players; the others wait for an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// Enemy fought on entry with might against power; removed when beaten.
    Enemy {
        /// Power of the enemy.
        power: i64,
        /// Name without an article: "stone warrior".
        name: String,
    },
    /// Power-up that changes might on entry, once.
    PowerUp {
        /// Operation.
        op: Op,
        /// Factor of the operation.
        factor: i64,
        /// Description as read aloud: "doubles your might".
        words: String,
    },
    /// Portal that moves arriving players. A portal must not lead to another portal.
    Portal {
        /// Destination.
        to: CellId,
    },
    /// Finish: entering it ends the puzzle, once the goal is met.
    Finish,
    /// Lever that can be pulled any number of times.
    Lever {
        /// Name and texts.
        thing: Thing,
        /// Effects of each pull.
        does: Vec<Outcome>,
    },
    /// Chest that is opened once.
    Chest {
        /// Name and texts.
        thing: Thing,
        /// Effects of opening it.
        does: Vec<Outcome>,
    },
    /// Creature that carries something. The game spawns it and reports its defeat.
    Guard {
        /// Name and texts.
        thing: Thing,
        /// Effects of beating it.
        does: Vec<Outcome>,
    },
    /// Hidden item that is found once, by searching or pulling.
    Hidden {
        /// Name and texts; `name` is the noun to search or pull: "moss".
        thing: Thing,
        /// [`Verb::Search`] or [`Verb::Pull`].
        verb: Verb,
        /// Effects of finding it.
        does: Vec<Outcome>,
    },
    /// Riddle that is asked until it is answered.
    Riddle {
        /// Name and texts of the asker, such as a stone face.
        thing: Thing,
        /// Question.
        asks: String,
        /// Accepted answers, in the form of [`plain_answer`](super::plain_answer).
        answers: Vec<String>,
        /// Number of wrong answers that cause a loss; unlimited if `None`.
        tries: Option<u32>,
        /// Effects of the right answer.
        does: Vec<Outcome>,
    },
    /// Plate that is down, with its switch on, while a player or a weight is in the cell.
    Plate {
        /// Name and texts; `told` is shown when it goes down.
        thing: Thing,
        /// Switch of the plate.
        switch: SwitchId,
    },
    /// Weight that starts here and can be pushed through open passages.
    Weight {
        /// Name and texts; `told` is shown when it is pushed.
        thing: Thing,
    },
    /// Device with uses defined by an author.
    Device {
        /// Name and texts; `told` is shown when a use has no effect.
        thing: Thing,
        /// Conditional appearances, of which the first that holds is shown; otherwise the default text.
        looks: Vec<Look>,
        /// Possible uses.
        uses: Vec<Use>,
    },
}

listed! {
    /// Action of a player on a mechanism.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Verb {
        /// `pull lever`
        Pull = "pull",
        /// `open chest`
        Open = "open",
        /// `search moss`
        Search = "search",
        /// `kill guardian`: the game reports the defeat.
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
    /// Returns the texts of a mechanism that waits for an action.
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

    /// Returns the verb that uses the mechanism; `None` if it acts on entry or accepts several verbs.
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

    /// Returns the effects of using it.
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

    /// Returns all effects that any use can have.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let uses = if let Self::Device { uses, .. } = self { uses.as_slice() } else { &[] };
        self.does().iter().chain(uses.iter().flat_map(|one| &one.does))
    }
}
