//! Items and the one place each of them is in.

use crate::base::{BranchId, CharacterId, GameTime, ItemId, RoomId, Slot};
use serde::{Deserialize, Serialize};

/// Where an item is: always exactly one place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the ground of a room.
    Room(RoomId),
    /// Carried or worn.
    Holder(CharacterId),
    /// In another thing.
    Inside(ItemId),
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
    /// How many of it this is; more than one only of what stacks.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// What each is worth as money, in coppers; 0 for what is no coin.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub copper: u32,
    /// Where its holder wears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worn: Option<Slot>,
    /// What it is called instead of its prototype's name, without article: "corpse of a goblin".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The branch it was found in, until its bearer has brought it home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_in: Option<BranchId>,
    /// Who alone may take it, or take from it, for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<CharacterId>,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_until: Option<GameTime>,
    /// When it crumbles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_at: Option<GameTime>,
    /// When it was made.
    pub made_at: GameTime,
}

impl Item {
    /// One of a kind.
    pub fn new(id: ItemId, prototype: &str, place: Place, now: GameTime) -> Self {
        Self {
            id,
            prototype: prototype.to_owned(),
            place,
            count: 1,
            copper: 0,
            worn: None,
            label: None,
            found_in: None,
            owner: None,
            owner_until: None,
            gone_at: None,
            made_at: now,
        }
    }

    /// What a pile of coins is worth, in coppers; nothing for what is no coin.
    pub fn money(&self) -> i64 {
        i64::from(self.copper).saturating_mul(i64::from(self.count))
    }
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(count: &u32) -> bool {
    *count == 1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(copper: &u32) -> bool {
    *copper == 0
}
