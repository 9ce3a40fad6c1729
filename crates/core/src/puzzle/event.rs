//! Events, actions and refusals exchanged between the engine and the game. Events state facts; the game puts them into
//! words.

use crate::base::Direction;

use super::board::Board;
use super::id::{CellId, GateId, KeyId};
use super::mechanism::{Op, Verb};

/// Event, in the order of occurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An enemy was beaten, and its power was added to the might.
    Beaten {
        /// Name of the enemy.
        name: String,
        /// Power of the enemy.
        power: i64,
        /// New might.
        might: i64,
    },
    /// A power-up was taken.
    Changed {
        /// Operation.
        op: Op,
        /// Factor of the operation.
        factor: i64,
        /// Description: "doubles your might".
        words: String,
        /// New might.
        might: i64,
    },
    /// The puzzle was lost: all players are at the entrance, and the puzzle is reset.
    Lost {
        /// Reason.
        why: Loss,
    },
    /// A portal moved the player who entered.
    Ported {
        /// Destination.
        to: CellId,
    },
    /// A mechanism was used.
    Worked {
        /// Action.
        verb: Verb,
        /// Name of the mechanism.
        name: String,
        /// Message.
        message: String,
    },
    /// All players inside now have a key.
    Found {
        /// Key found.
        key: KeyId,
    },
    /// A riddle was answered wrongly.
    WrongAnswer {
        /// Remaining tries; `None` if unlimited.
        left: Option<u32>,
    },
    /// A mistake was made.
    Slipped {
        /// Number of further mistakes that cause a loss.
        left: u32,
    },
    /// The puzzle was reset, with all players in place.
    Restarted,
    /// A sound was played at the mechanism.
    Sounded {
        /// Name given by the author.
        sound: String,
    },
    /// A weight was pushed into another cell.
    Pushed {
        /// Name of the weight.
        name: String,
        /// Direction.
        direction: Direction,
        /// New cell.
        to: CellId,
    },
    /// A plate went down.
    Pressed {
        /// Cell of the plate.
        at: CellId,
        /// Message.
        message: String,
    },
    /// A plate came up.
    Released {
        /// Cell of the plate.
        at: CellId,
        /// Name of the plate.
        name: String,
    },
    /// A gate opened.
    Opened {
        /// Gate that opened.
        gate: GateId,
    },
    /// A gate closed.
    Shut {
        /// Gate that closed.
        gate: GateId,
    },
    /// The goal is met: the finish is open.
    GoalMet,
    /// A player entered the finish: the puzzle is over.
    Finished,
}

/// Reason for a loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// An enemy was too strong.
    Overpowered {
        /// Name of the enemy.
        name: String,
        /// Power of the enemy.
        power: i64,
        /// Might of the players.
        might: i64,
    },
    /// Might fell to zero or below.
    NoMight {
        /// Resulting might.
        might: i64,
    },
    /// Too many wrong answers.
    TooManyGuesses,
    /// Too many mistakes.
    TooManyMistakes,
}

/// Reason why an action is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionRefusal {
    /// There is no exit.
    NoWay,
    /// The passage is one-way in the other direction.
    WayBackClosed,
    /// A gate is closed.
    Shut(GateId),
    /// The key to a gate has not been found.
    NoKey(KeyId),
    /// There is no such mechanism here.
    Nothing,
    /// The mechanism is already used up.
    Done,
    /// Nothing here has asked a question.
    NotAsked,
    /// The command is incomplete; this is its full form.
    Unsaid(String),
}

impl ActionRefusal {
    /// Returns the message for the player, with the texts of the board.
    pub fn sentence(&self, board: &Board) -> String {
        match self {
            Self::NoWay => "There is no way there.".into(),
            Self::WayBackClosed => "The way back is closed.".into(),
            Self::Shut(gate) => board.gate(*gate).map_or("It is shut.", |gate| &gate.shut).into(),
            Self::NoKey(key) => {
                let name = board.keys.get(usize::from(key.0)).map_or("right key", String::as_str);
                format!("It wants the {name}, and nobody here has that.")
            }
            Self::Nothing => "There is nothing like that here.".into(),
            Self::Done => "That has been done already.".into(),
            Self::NotAsked => "Nothing here has asked you anything.".into(),
            Self::Unsaid(typed) => format!("Say it in full: {typed}."),
        }
    }
}

/// Action of a player in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Pulls, opens or searches the mechanism with this index in the cell, or reports it beaten.
    Work(usize),
    /// Says this answer.
    Answer(String),
    /// Pushes a weight in a direction.
    Push {
        /// Index in [`weights`](crate::puzzle::State::weights).
        weight: usize,
        /// Direction.
        direction: Direction,
    },
    /// Turns a key in the gate in a direction.
    Unlock(Direction),
    /// Uses the [`Mechanism::Device`](super::Mechanism::Device) with this index in the cell.
    Handle {
        /// Index of the device.
        number: usize,
        /// Kind of use.
        verb: Verb,
        /// Setting it is turned to, or item put in or used on it; empty if the use needs neither.
        with: String,
    },
}
