//! Whom staff keep out: accounts, and networks of addresses.

use crate::base::address::IpNet;
use crate::base::{AccountId, BanId};
use crate::world::World;
use crate::world::account::Role;
use crate::world::moderation::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Who is kept out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Banned {
    /// Whoever has this account.
    Account(AccountId),
    /// Whoever calls from there; without bits behind those that count.
    Network(IpNet),
}

/// A ban. In storage it is one row, until it is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ban {
    /// Identity, never used again.
    pub id: BanId,
    /// Who is kept out.
    pub banned: Banned,
    /// The rank of whoever did it: it holds for those below. None for the operator of the server, whose bans hold for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Role>,
    /// By whom, why, and until when.
    pub sentence: Sentence,
}

/// Whoever is kept out is somebody, once, and no ban ends before it began.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
    let mut banned = BTreeSet::new();
    for (id, ban) in world.bans.iter() {
        let is_there = match ban.banned {
            Banned::Account(account) => world.accounts.get(account).is_some(),
            Banned::Network(network) => network == network.trunc(),
        };
        if !is_there || !banned.insert(ban.banned) {
            wrong.push(format!("bans {id}: {:?} is nobody, or banned twice", ban.banned));
        }
        if ban.sentence.is_over(ban.sentence.since) {
            wrong.push(format!("bans {id}: until before it was"));
        }
    }
}
