//! Kinds of exits and slots for gear: words that content, generator, world and builders share.

use serde::{Deserialize, Serialize};

/// Where on a body a thing is worn; one thing to a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// In the hand that strikes.
    Hand,
    /// In the other hand.
    Shield,
    /// On the head.
    Head,
    /// Round the body.
    Body,
    /// On both hands.
    Hands,
    /// On both feet.
    Feet,
    /// Round the neck.
    Neck,
    /// On a finger.
    Finger,
    /// Over the back.
    Back,
}

impl Slot {
    /// The names used in data, in the order in which worn things are listed.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("hand", Self::Hand),
        ("shield", Self::Shield),
        ("head", Self::Head),
        ("body", Self::Body),
        ("hands", Self::Hands),
        ("feet", Self::Feet),
        ("neck", Self::Neck),
        ("finger", Self::Finger),
        ("back", Self::Back),
    ];
}

/// What walking through does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitKind {
    /// Leads to a room.
    #[default]
    Exit,
    /// A start room's exit: leads into the branch that is open, or makes one.
    Branch,
    /// Stairs or a gate between two floors of a branch. Those away from the start are a proxy: they lead nowhere until
    /// somebody takes them.
    Stairs,
}

/// Where an exit stands. `Unexplored` points back at its own room until it is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitState {
    /// Nobody has walked it; the room behind it does not exist.
    Unexplored,
    /// Two-way.
    Open,
    /// Leads into a room that has no way back along it.
    OneWay,
    /// Leads somewhere, but not before something has been done.
    Locked,
}

impl ExitState {
    /// The word in dumps and GMCP.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unexplored => "unexplored",
            Self::Open => "open",
            Self::OneWay => "one_way",
            Self::Locked => "locked",
        }
    }
}
