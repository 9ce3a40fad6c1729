//! Kinds of rooms and exits: words that content, generator, world and builders share.

use super::named;
use serde::{Deserialize, Serialize};

/// What a room is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomKind {
    /// An ordinary room, dug by hand.
    #[default]
    Room,
    /// The start room of a dungeon: permanent, its timers reset the exits and collapse branches.
    Start,
    /// An ordinary room of a branch.
    Dungeon,
    /// An ordinary room of the generator `corridor`.
    Corridor,
    /// A generated room with something written in it; clear from birth.
    Hint,
    /// A generated room whose mechanism must be worked before one goes on.
    Puzzle,
    /// A generated room with something worth guarding.
    Treasure,
    /// A generated room where nothing hunts: one rests well in it.
    Rest,
    /// A generated room with a travelling merchant.
    Merchant,
    /// A generated room with a shrine: one may pray there.
    Shrine,
    /// A generated room with a riddle; it bars nothing.
    Riddle,
    /// A generated room with a captive behind guards.
    Rescue,
    /// A generated room that is worth seeing for itself.
    Landmark,
    /// A room with something worth locking up.
    Chamber,
    /// A room of the column from which the rows of a puzzle set out.
    Gallery,
    /// A room of a row of a puzzle.
    Slot,
    /// A room of a puzzle that sends one on.
    Portal,
    /// The room at the end of a puzzle.
    Finish,
    /// A shop of a hand-built area.
    Shop,
    /// A healer's room of a hand-built area.
    Healer,
    /// A bank of a hand-built area.
    Bank,
}

impl RoomKind {
    /// Whether rooms of this kind belong to branches, where fights and death are allowed.
    pub const fn is_dungeon(self) -> bool {
        !matches!(self, Self::Room | Self::Start | Self::Shop | Self::Healer | Self::Bank)
    }

    /// Whether a new room of this kind is clear. Rooms that bar nothing by their nature always are; the others
    /// are unless something in them blocks.
    pub const fn is_born_clear(self, blocked: bool) -> bool {
        let harmless = matches!(
            self,
            Self::Hint | Self::Rest | Self::Merchant | Self::Shrine | Self::Riddle | Self::Landmark
        );
        harmless || !blocked
    }

    /// The word in dumps and storage, and as builders type it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Room => "room",
            Self::Start => "start",
            Self::Dungeon => "dungeon",
            Self::Corridor => "corridor",
            Self::Hint => "hint",
            Self::Puzzle => "puzzle",
            Self::Treasure => "treasure",
            Self::Rest => "rest",
            Self::Merchant => "merchant",
            Self::Shrine => "shrine",
            Self::Riddle => "riddle",
            Self::Rescue => "rescue",
            Self::Landmark => "landmark",
            Self::Chamber => "chamber",
            Self::Gallery => "gallery",
            Self::Slot => "slot",
            Self::Portal => "portal",
            Self::Finish => "finish",
            Self::Shop => "shop",
            Self::Healer => "healer",
            Self::Bank => "bank",
        }
    }
}

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
