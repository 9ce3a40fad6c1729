//! What can happen in a puzzle, be done in it, and be in the way: the closed lists between the engine and the game.
//! Events say what happened; the game finds the words.

use crate::base::Direction;

use super::board::Board;
use super::id::{CellId, GateId, KeyId};
use super::mechanism::{Op, Verb};

/// Something that happened, in the order in which it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An enemy fell, and its power went over.
    Beaten {
        /// Which.
        name: String,
        /// Its power.
        power: i64,
        /// The might after it.
        might: i64,
    },
    /// A power-up was taken.
    Changed {
        /// How.
        op: Op,
        /// By how much.
        factor: i64,
        /// What it says: "doubles your might".
        words: String,
        /// The might after it.
        might: i64,
    },
    /// Everything was lost: all people are at the entrance, and all else is as it was at first.
    Lost {
        /// Why.
        why: Loss,
    },
    /// A portal moved whoever entered.
    Ported {
        /// Where to.
        to: CellId,
    },
    /// Something was worked; its words tell what one saw.
    Worked {
        /// How.
        verb: Verb,
        /// What it is called.
        name: String,
        /// What is told.
        told: String,
    },
    /// Everybody inside has a key now.
    Found {
        /// Which.
        key: KeyId,
    },
    /// A riddle was answered wrongly.
    WrongAnswer {
        /// How many more tries there are; none if as many as one likes.
        left: Option<u32>,
    },
    /// It was a mistake.
    Slipped {
        /// How many more are a loss.
        left: u32,
    },
    /// Everything is as it was at first, and everybody is where they were.
    Restarted,
    /// Something sounded where it was worked.
    Sounded {
        /// By the name that its author gave it.
        sound: String,
    },
    /// A weight was pushed into another cell.
    Pushed {
        /// What it is called.
        name: String,
        /// Which way.
        direction: Direction,
        /// Where it is now.
        to: CellId,
    },
    /// A plate went down.
    Pressed {
        /// Where it is.
        at: CellId,
        /// What is told.
        told: String,
    },
    /// A plate came up.
    Released {
        /// Where it is.
        at: CellId,
        /// What it is called.
        name: String,
    },
    /// A gate opened.
    Opened {
        /// Which.
        gate: GateId,
    },
    /// A gate fell shut.
    Shut {
        /// Which.
        gate: GateId,
    },
    /// What has to be done is done: the finish is open.
    GoalMet,
    /// Somebody entered the finish: the puzzle is over.
    Finished,
}

/// Why everything was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// An enemy was too strong.
    Overpowered {
        /// Which.
        name: String,
        /// Its power.
        power: i64,
        /// The might against it.
        might: i64,
    },
    /// Nothing was left of might.
    NoMight {
        /// What it came to.
        might: i64,
    },
    /// Too many wrong answers.
    TooManyGuesses,
    /// Too many mistakes.
    TooManyMistakes,
}

/// Why something cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hitch {
    /// There is no way.
    NoWay,
    /// One came from there, and it leads one way only.
    WayBackClosed,
    /// A gate is shut.
    Shut(GateId),
    /// The key to a gate has not been found.
    NoKey(KeyId),
    /// There is nothing like that here.
    Nothing,
    /// It has been done.
    Done,
    /// Nothing here has asked anything.
    NotAsked,
    /// Half of what is to be done has been said; this is what is to be typed.
    Unsaid(String),
}

impl Hitch {
    /// A sentence for whoever tried.
    pub fn sentence(&self, layout: &Board) -> String {
        self.told(self.thing(layout))
    }

    /// What the layout has to say of what is in the way: the sentence of a shut gate, the name of a key.
    pub fn thing<'a>(&self, layout: &'a Board) -> Option<&'a str> {
        match self {
            Self::Shut(gate) => layout.gate(*gate).map(|gate| gate.shut.as_str()),
            Self::NoKey(key) => layout.keys.get(usize::from(key.0)).map(String::as_str),
            Self::NoWay
            | Self::WayBackClosed
            | Self::Nothing
            | Self::Done
            | Self::NotAsked
            | Self::Unsaid(_) => None,
        }
    }

    /// The sentence, with what [`Hitch::thing`] found.
    pub fn told(&self, thing: Option<&str>) -> String {
        match self {
            Self::NoWay => "There is no way there.".into(),
            Self::WayBackClosed => "The way back is closed.".into(),
            Self::Shut(_) => thing.unwrap_or("It is shut.").into(),
            Self::NoKey(_) => {
                format!("It wants the {}, and nobody here has that.", thing.unwrap_or("right key"))
            }
            Self::Nothing => "There is nothing like that here.".into(),
            Self::Done => "That has been done already.".into(),
            Self::NotAsked => "Nothing here has asked you anything.".into(),
            Self::Unsaid(typed) => format!("Say it in full: {typed}."),
        }
    }
}

/// Something that somebody does in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Pulls, opens, searches or has beaten the mechanism with this place in the cell's list.
    Work(usize),
    /// Says this to whatever asks.
    Answer(String),
    /// Pushes the weight with this number in a direction.
    Push {
        /// Its place in [`weights`](crate::puzzle::State::weights).
        weight: usize,
        /// Which way.
        direction: Direction,
    },
    /// Turns a key in the gate in a direction.
    Unlock(Direction),
    /// Does something to the [`Mechanism::Device`](super::Mechanism::Device) with this place in the cell's list.
    Handle {
        /// Its place.
        number: usize,
        /// What is done.
        verb: Verb,
        /// What it is turned to, or what is put in it or used on it; empty if that needs nothing else.
        with: String,
    },
}
