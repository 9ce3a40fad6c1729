//! Items and their location.

use crate::base::rare::{Rare, is_default};
use crate::base::{BranchId, CharacterId, GameTime, ItemId, MailId, RoomId, Slot};
use crate::world::room::own_trigger::OwnTrigger;
use serde::{Deserialize, Serialize};

/// Maximum nesting depth of containers.
pub const DEPTH_MAX: usize = 3;

/// Location of an item: always exactly one place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the ground of a room.
    Room(RoomId),
    /// Carried or worn.
    Holder(CharacterId),
    /// Inside another item.
    Inside(ItemId),
    /// Attached to a mail.
    Mail(MailId),
}

/// Item, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Item {
    /// Unique id.
    pub id: ItemId,
    /// Key of the prototype.
    pub prototype: String,
    /// Location.
    pub place: Place,
    /// Stack size; 1 for items that do not stack.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// Value of each coin in coppers; 0 for other items.
    #[serde(default, skip_serializing_if = "is_default")]
    pub copper: u32,
    /// Slot in which the holder wears the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worn: Option<Slot>,
    /// Set while the item is in its bearer's safe pocket, which a recall out of an expedition leaves as it is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_pocketed: bool,
    /// Name that overrides the prototype's, without article: "corpse of a goblin".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Branch in which the item was found, until the bearer has secured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_in: Option<BranchId>,
    /// Character with the exclusive right to take the item or its contents, until `owner_until`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<CharacterId>,
    /// End of the ownership.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_until: Option<GameTime>,
    /// Decay time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_at: Option<GameTime>,
    /// Set while the lid of a container is shut.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shut: bool,
    /// Time at which a burning light goes out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burns_until: Option<GameTime>,
    /// Fuel left in a light that does not burn, in seconds; `None` for a full one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel_secs: Option<u32>,
    /// Triggers of this item alone.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub triggers: Rare<Vec<OwnTrigger>>,
    /// Creation time.
    pub made_at: GameTime,
}

impl Item {
    /// Creates a single item.
    pub fn new(id: ItemId, prototype: &str, place: Place, now: GameTime) -> Self {
        Self {
            id,
            prototype: prototype.to_owned(),
            place,
            count: 1,
            copper: 0,
            worn: None,
            is_pocketed: false,
            label: None,
            found_in: None,
            owner: None,
            owner_until: None,
            gone_at: None,
            shut: false,
            burns_until: None,
            fuel_secs: None,
            triggers: Rare::usual(),
            made_at: now,
        }
    }

    /// Returns `true` if something will happen to the item at a certain time.
    pub const fn is_timed(&self) -> bool {
        self.gone_at.is_some() || self.burns_until.is_some()
    }

    /// Returns the value of a pile of coins in coppers; 0 for other items.
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
