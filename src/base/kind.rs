//! Kinds of exits and slots for gear: words that content, generator, world and builders share.

use super::named;
use serde::{Deserialize, Serialize};

named! {
    /// Where on a body a thing is worn; one thing to a slot.
    #[derive(PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Slot {
        /// In the hand that strikes.
        Hand = "hand",
        /// In the other hand.
        Shield = "shield",
        /// On the head.
        Head = "head",
        /// Round the body.
        Body = "body",
        /// On both hands.
        Hands = "hands",
        /// On both feet.
        Feet = "feet",
        /// Round the neck.
        Neck = "neck",
        /// On a finger.
        Finger = "finger",
        /// Over the back.
        Back = "back",
    }
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

named! {
    /// Where an exit stands. `Unexplored` points back at its own room until it is used.
    #[derive(PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ExitState {
        /// Nobody has walked it; the room behind it does not exist.
        Unexplored = "unexplored",
        /// Two-way.
        Open = "open",
        /// Leads into a room that has no way back along it.
        OneWay = "one_way",
        /// Leads somewhere, but not before something has been done.
        Locked = "locked",
    }
}
