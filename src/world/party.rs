//! Parties: who goes together, who leads, and how they share.

use crate::base::{CharacterId, GameTime, ItemId, PartyId};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Who gets what is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LootRule {
    /// One after the other.
    #[default]
    RoundRobin,
    /// Whoever takes it.
    Free,
    /// By dice: need before greed.
    Roll,
}

/// What a member says to a roll.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// No.
    Pass,
    /// Would sell it.
    Greed,
    /// Would use it.
    Need,
}

/// A thing that is rolled for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Roll {
    /// The thing.
    pub item: ItemId,
    /// When it is settled at the latest.
    pub until: GameTime,
    /// Who may claim it, and what they said so far.
    pub claims: BTreeMap<CharacterId, Option<Claim>>,
}

/// A party. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Party {
    /// Identity, never used again.
    pub id: PartyId,
    /// Who leads; one of the members.
    pub leader: CharacterId,
    /// Everybody, in the order of joining.
    pub members: Vec<CharacterId>,
    /// Who was asked, and until when that stands.
    pub invited: BTreeMap<CharacterId, GameTime>,
    /// Who gets what is found.
    pub loot: LootRule,
    /// Whose turn is next, counted over all finds.
    pub turn: u64,
    /// Things that are rolled for.
    pub rolls: Vec<Roll>,
    /// When it was made.
    pub created_at: GameTime,
}

impl World {
    /// The party somebody is in.
    pub fn party_of(&self, who: CharacterId) -> Option<PartyId> {
        self.index.parties.get(&who).copied()
    }

    /// Adds a party; none of its members is in another.
    pub fn add_party(&mut self, party: Party) {
        self.index.parties.extend(party.members.iter().map(|member| (*member, party.id)));
        self.parties.put(party.id, party);
    }

    /// Takes somebody into a party who is in none.
    pub fn join_party(&mut self, id: PartyId, who: CharacterId) {
        if self.party_of(who).is_none()
            && let Some(party) = self.parties.edit(id)
        {
            party.members.push(who);
            party.invited.remove(&who);
            self.index.parties.insert(who, id);
        }
    }

    /// Takes somebody out of a party. Whoever leads it is the caller's to see to.
    pub fn leave_party(&mut self, who: CharacterId) {
        if let Some(party) = self.index.parties.remove(&who).and_then(|id| self.parties.edit(id)) {
            party.members.retain(|member| *member != who);
        }
    }

    /// Removes a party; its members are in none.
    pub fn remove_party(&mut self, id: PartyId) {
        for member in self.parties.remove(id).map(|party| party.members).unwrap_or_default() {
            self.index.parties.remove(&member);
        }
    }
}
