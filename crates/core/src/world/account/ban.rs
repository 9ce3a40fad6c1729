//! Bans of accounts and of address ranges.

use crate::base::address::IpNet;
use crate::base::{AccountId, BanId};
use crate::world::World;
use crate::world::account::Role;
use crate::world::account::moderation::SanctionSentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Target of the ban.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Banned {
    /// Player of this account.
    Account(AccountId),
    /// Clients in this address range; host bits are zero.
    Network(IpNet),
}

/// Ban, stored as one row until it expires.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ban {
    /// Unique id, never reused.
    pub id: BanId,
    /// Target of the ban.
    pub banned: Banned,
    /// Rank of the staff member who imposed the ban; it applies to lower ranks. `None` for the server operator, whose
    /// bans apply to all ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Role>,
    /// Author, reason and expiry.
    pub sentence: SanctionSentence,
}

/// Checks that every banned account exists, that no target is banned twice and that no ban ends before it begins.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut banned = BTreeSet::new();
    for (id, ban) in world.bans.iter() {
        let is_there = match ban.banned {
            Banned::Account(account) => world.accounts.get(account).is_some(),
            Banned::Network(network) => network == network.trunc(),
        };
        if !is_there || !banned.insert(ban.banned) {
            violations.push(format!("bans {id}: {:?} is nobody, or banned twice", ban.banned));
        }
        if ban.sentence.is_over(ban.sentence.since) {
            violations.push(format!("bans {id}: until before it was"));
        }
    }
}
