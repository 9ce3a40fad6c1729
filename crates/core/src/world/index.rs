//! Derived look-ups: occupants of rooms, locations of items, taken names. Rebuilt from the rows at load, and maintained
//! by `location` and a few methods of [`World`](super::World).

use crate::base::{AccountId, CharacterId, ItemId, MailId, Point, RoomId};
use crate::dungeon::Frontier;
use crate::text::names;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Look-ups over the rows. The hash maps are never iterated, only queried by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Awake characters in a room, in arrival order.
    pub(super) occupants: FxHashMap<RoomId, Vec<CharacterId>>,
    /// Items on the ground, in drop order.
    pub(super) ground: FxHashMap<RoomId, Vec<ItemId>>,
    /// Items carried by a character, in pick-up order.
    pub(super) carried: FxHashMap<CharacterId, Vec<ItemId>>,
    /// Items in a container, in the order of insertion.
    pub(super) contents: FxHashMap<ItemId, Vec<ItemId>>,
    /// Items attached to a mail, in the order of attachment.
    pub(super) attached: FxHashMap<MailId, Vec<ItemId>>,
    /// Players' characters by name in lower case.
    pub(super) character_keys: BTreeMap<String, CharacterId>,
    /// Use count of each name skeleton, computed by the current rules. Rows hold the skeleton of the rules at their
    /// creation.
    pub(super) skeletons: BTreeMap<String, u32>,
    /// Awake player characters by name in lower case.
    pub(super) awake_keys: BTreeMap<String, CharacterId>,
    /// Awake player characters.
    pub(super) awake_players: BTreeSet<CharacterId>,
    /// Characters of an account.
    pub(super) characters: BTreeMap<AccountId, BTreeSet<CharacterId>>,
}

/// Index of one branch.
#[derive(Clone, Debug, Default)]
pub struct BranchIndex {
    /// Rooms by floor and position.
    pub rooms: BTreeMap<(u32, Point), RoomId>,
    /// Occupied positions and unexplored exits of each floor.
    pub frontiers: BTreeMap<u32, Frontier>,
    /// Players who have entered and not left, awake or not.
    pub members: BTreeSet<CharacterId>,
    /// Creatures whose branch this is.
    pub creatures: BTreeSet<CharacterId>,
}

impl Index {
    /// Marks the skeleton of a name as taken.
    pub(super) fn take_name(&mut self, key: &str) {
        *self.skeletons.entry(names::skeleton(key)).or_default() += 1;
    }

    /// Decrements the use count of a name's skeleton.
    pub(super) fn free_name(&mut self, key: &str) {
        let skeleton = names::skeleton(key);
        match self.skeletons.get_mut(&skeleton) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = self.skeletons.remove(&skeleton),
        }
    }
}
