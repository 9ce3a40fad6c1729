//! What can be found without searching: who is where, what lies where, which names are taken. All of it is derived
//! from the rows, rebuilt at load, and kept by `location` and by the few operations of [`World`](super::World).

use crate::base::{
    AccountId, BranchId, CharacterId, Coordinates, ExitId, GameTime, ItemId, PartyId, Point, RoomId,
};
use crate::dungeon::Frontier;
use crate::text::names;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Look-ups over the rows. The hash maps are only ever asked for one key.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Awake bodies in a room, in the order of their coming.
    pub(super) occupants: FxHashMap<RoomId, Vec<CharacterId>>,
    /// Things on the ground, in the order of their landing.
    pub(super) ground: FxHashMap<RoomId, Vec<ItemId>>,
    /// Things somebody carries, in the order of their getting.
    pub(super) carried: FxHashMap<CharacterId, Vec<ItemId>>,
    /// Things in other things, in the order of their being put there.
    pub(super) contents: FxHashMap<ItemId, Vec<ItemId>>,
    /// Where something has changed, for whoever wants to be told.
    pub(super) touched: super::touched::Touched,
    /// Who is in which party.
    pub(super) parties: BTreeMap<CharacterId, PartyId>,
    /// Which parties ask somebody, oldest first.
    pub(super) invited: BTreeMap<CharacterId, BTreeSet<PartyId>>,
    /// Which party rolls for a thing.
    pub(super) rolled: BTreeMap<ItemId, PartyId>,
    /// Exits out of a room, in the order of their making.
    pub(super) exits: FxHashMap<RoomId, Vec<ExitId>>,
    /// Hand-built rooms by where they lie.
    pub(super) built: BTreeMap<Coordinates, RoomId>,
    /// Hand-built rooms by zone and key.
    pub(super) zone_keys: super::zone_keys::ZoneKeys,
    /// What belongs to a branch.
    pub(super) branches: BTreeMap<BranchId, BranchIndex>,
    /// Living branches by the time at which they are old enough to collapse, soonest first.
    pub(super) by_end: BTreeSet<(GameTime, BranchId)>,
    /// Branches that have collapsed and are not cleared away yet.
    pub(super) rubble: BTreeSet<BranchId>,
    /// Accounts by name in lower case.
    pub(super) account_keys: BTreeMap<String, AccountId>,
    /// Players' characters by name in lower case.
    pub(super) character_keys: BTreeMap<String, CharacterId>,
    /// What accounts' and characters' names look like, by today's rule; in their rows it is what the rule was then.
    pub(super) skeletons: BTreeMap<String, u32>,
    /// Players' bodies that are in the world, by name in lower case.
    pub(super) awake_keys: BTreeMap<String, CharacterId>,
    /// Players' bodies that are in the world.
    pub(super) awake_players: BTreeSet<CharacterId>,
    /// Who has written which lines of the book of what staff did.
    pub(super) authors: super::audit::Authors,
    /// Whose entries of the journal of what was built are which, and how much they weigh.
    pub(super) journal: super::journal::Shelves,
    /// Characters of an account.
    pub(super) characters: BTreeMap<AccountId, BTreeSet<CharacterId>>,
}

/// What belongs to one branch.
#[derive(Clone, Debug, Default)]
pub struct BranchIndex {
    /// Rooms by floor and place.
    pub rooms: BTreeMap<(u32, Point), RoomId>,
    /// Occupied places and unexplored exits of each floor.
    pub frontiers: BTreeMap<u32, Frontier>,
    /// Players who have entered and not come back, awake or not.
    pub members: BTreeSet<CharacterId>,
    /// Creatures that live in it.
    pub mobs: BTreeSet<CharacterId>,
}

impl Index {
    /// A name looks taken from now on.
    pub(super) fn take_name(&mut self, key: &str) {
        *self.skeletons.entry(names::skeleton(key)).or_default() += 1;
    }

    /// One less has a name that looks like this.
    pub(super) fn free_name(&mut self, key: &str) {
        let skeleton = names::skeleton(key);
        match self.skeletons.get_mut(&skeleton) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = self.skeletons.remove(&skeleton),
        }
    }
}
