//! Items and the one place each of them is in.

use crate::base::{CharacterId, GameTime, ItemId, RoomId};
use serde::{Deserialize, Serialize};

/// Where an item is: always exactly one place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the floor of a room.
    Room(RoomId),
    /// Carried.
    Holder(CharacterId),
}

/// An item. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Item {
    /// Identity.
    pub id: ItemId,
    /// What it is an instance of.
    pub prototype: String,
    /// Where it is.
    pub place: Place,
    /// When it was made.
    pub made_at: GameTime,
}
