//! Exit kinds and equipment slots, shared by content, generator, world and builders.

use super::listed::listed;
use serde::{Deserialize, Serialize};

listed! {
    /// Equipment slot for one item, in the order in which equipment is listed.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Slot {
        /// Weapon hand.
        Hand = "hand",
        /// Other hand.
        Shield = "shield",
        /// On the head.
        Head = "head",
        /// Around the body.
        Body = "body",
        /// On both hands.
        Hands = "hands",
        /// On both feet.
        Feet = "feet",
        /// Around the neck.
        Neck = "neck",
        /// On a finger.
        Finger = "finger",
        /// Over the back.
        Back = "back",
    }
}

/// Effect of taking an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitKind {
    /// Leads to a room.
    #[default]
    Exit,
    /// Start exit: leads into the open branch, or creates one.
    Branch,
    /// Stairs or a gate between two floors of a branch. Those leading away from the start have no destination until a
    /// player takes them.
    Stairs,
}

listed! {
    /// State of an exit. An `Unexplored` exit points back at its own room until it is used.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ExitState {
        /// Never taken; the room behind it does not exist.
        Unexplored = "unexplored",
        /// Two-way.
        #[default]
        Open = "open",
        /// Leads into a room without an exit back.
        OneWay = "one_way",
        /// Blocked until a condition is met.
        Locked = "locked",
    }
}
