//! Accounts: name, credential (opaque except to the authenticator), role, addresses and tokens.

pub mod audit;
pub mod ban;
pub(super) mod contacts;
pub mod moderation;
pub mod personal;
pub(super) mod rename;
mod settings;

use crate::base::address::{IpAddr, household};
use crate::base::{AccountId, CharacterId, GameTime, Right, Span, listed};
use crate::world::account::contacts::AccountIndex;
use crate::world::account::moderation::{Sanction, SanctionSentence};
use crate::world::indexed::TableIndex as _;
use crate::world::{Notice, World};
use serde::{Deserialize, Serialize};
pub use settings::{
    BriefRooms, Channel, Charset, CombatText, LootChoice, MACRO_KEYS, PromptStyle, Settings, Stacking, Width,
};
use std::collections::{BTreeMap, BTreeSet};

listed! {
    /// Rank of an account. Each role includes the permissions of the roles before it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Role {
        /// Ordinary player.
        #[default]
        Player = "player",
        /// Answers questions and sees requests for help.
        Helper = "helper",
        /// Builds rooms.
        Builder = "builder",
        /// Administers the server.
        Admin = "admin",
        /// Owns the server.
        Owner = "owner",
    }
}

/// Single-use token that lets a browser resume its session without a password. Each use replaces it with a new token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatToken {
    /// Hash of the token and of the browser it is bound to.
    pub hash: String,
    /// Expiry time.
    pub until: GameTime,
}

/// Returns `true` if this news edition need not be stored.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_none(edition: &u32) -> bool {
    *edition == 0
}

/// Player account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// Unique id.
    pub id: AccountId,
    /// Display name: as typed, with the first letter in upper case.
    pub name: String,
    /// Name in lower case; unique.
    pub key: String,
    /// Confusable skeleton of the name; unique.
    pub skeleton: String,
    /// PHC string of the password hash.
    pub credential: String,
    /// PHC string of the unused recovery code, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<String>,
    /// Expiry time of the recovery code; `None` if it does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_until: Option<GameTime>,
    /// Session tokens of the account's browsers, least recently used first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat_tokens: Vec<SeatToken>,
    /// Tokens for the web builder, oldest login first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub desk_tokens: Vec<SeatToken>,
    /// Addresses from which the owner has logged in, most recent last: guesses from elsewhere do not use up their attempts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_addresses: Vec<KnownAddress>,
    /// Role of the account.
    pub role: Role,
    /// Permissions granted in addition to the role.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub granted: BTreeSet<Right>,
    /// Permissions of the role that are withheld.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub withheld: BTreeSet<Right>,
    /// Display settings.
    pub settings: Settings,
    /// Ignored accounts, each with the character name by which the player knows it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ignored: BTreeMap<AccountId, String>,
    /// Friends of the account, each with the character name by which the player knows it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub friends: BTreeMap<AccountId, String>,
    /// Sanctions, each with its expiry.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sentences: BTreeMap<Sanction, SanctionSentence>,
    /// Notices to deliver at the next login, oldest first. Added and removed by
    /// [`Accounts::keep_notice`](crate::world::Accounts::keep_notice) and the functions beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// Latest news edition shown to the player; 0 if none has been shown.
    #[serde(default, skip_serializing_if = "is_none")]
    pub news: u32,
    /// Set for a guest account: it has no password and is deleted on disconnect.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// Character that `connect` enters.
    pub last_character: Option<CharacterId>,
    /// Creation time.
    pub created_at: GameTime,
}

/// Address from which the owner of an account has logged in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KnownAddress {
    /// Address of the household.
    pub address: IpAddr,
    /// Time of a login from there, at most [`KnownAddress::EXACT_TO`] before the last one.
    pub at: GameTime,
}

impl KnownAddress {
    /// Maximum number of addresses of an account.
    pub const MOST: usize = 8;
    /// Time after which an address is forgotten.
    pub const KEPT: Span = Span::mins(90 * 24 * 60);
    /// Accuracy of the time, so that not every login changes the account.
    pub const EXACT_TO: Span = Span::mins(24 * 60);
}

impl Account {
    /// Returns the known addresses that a login from this one leaves; `None` if they stay as they are.
    pub fn known_addresses_after(&self, address: IpAddr, now: GameTime) -> Option<Vec<KnownAddress>> {
        let address = household(address).addr();
        let is_recent =
            |known: &KnownAddress| known.address == address && now.since(known.at) < KnownAddress::EXACT_TO;
        if self.known_addresses.iter().any(is_recent) {
            return None;
        }
        let stays =
            |known: &&KnownAddress| known.address != address && now.since(known.at) < KnownAddress::KEPT;
        let mut known: Vec<_> = self.known_addresses.iter().filter(stays).copied().collect();
        known.push(KnownAddress { address, at: now });
        let over = known.len().saturating_sub(KnownAddress::MOST);
        known.drain(..over);
        Some(known)
    }

    /// Returns `true` if the owner has logged in from this address lately.
    pub fn knows_address(&self, address: IpAddr, now: GameTime) -> bool {
        let address = household(address).addr();
        self.known_addresses
            .iter()
            .any(|known| known.address == address && now.since(known.at) < KnownAddress::KEPT)
    }

    /// Returns the PHC string of the recovery code that is valid at `now`.
    pub fn recovery_at(&self, now: GameTime) -> Option<&str> {
        self.recovery.as_deref().filter(|_| self.recovery_until.is_none_or(|until| now < until))
    }

    /// Returns `true` if the hash belongs to a session token that is valid at `now`.
    pub fn is_seat_token(&self, hash: &str, now: GameTime) -> bool {
        self.seat_tokens.iter().any(|token| token.hash == hash && now < token.until)
    }

    /// Returns `true` if the hash belongs to a token of the web builder or staff page that is valid at `now`.
    pub fn is_builder_token(&self, hash: &str, now: GameTime) -> bool {
        self.desk_tokens.iter().any(|token| token.hash == hash && now < token.until)
    }
}

/// Checks that guests have no rank, that single permissions are consistent and that no sanction ends before it begins.
pub(super) fn check(world: &World, violations: &mut Vec<String>) {
    let mut index = AccountIndex::default();
    for (id, account) in world.accounts.iter() {
        index.note(account);
        if account.friends.keys().any(|friend| world.accounts.get(*friend).is_none()) {
            violations.push(format!("accounts {id}: a friend does not exist"));
        }
        if account.role == Role::Player && account.granted.is_empty() && !account.desk_tokens.is_empty() {
            violations.push(format!(
                "accounts {id}: a log-in at a page for builders and staff without a rank or right"
            ));
        }
        if account.known_addresses.len() > KnownAddress::MOST {
            violations.push(format!("accounts {id}: more known addresses than are kept"));
        }
        if account.guest && (account.role != Role::Player || !account.desk_tokens.is_empty()) {
            violations.push(format!("accounts {id}: a guest with a rank"));
        }
        let (more, less) = (&account.granted, &account.withheld);
        let has_own = !more.is_empty() || !less.is_empty();
        if has_own && (account.guest || account.role == Role::Owner) {
            violations.push(format!("accounts {id}: single rights of a guest, or of the owner"));
        }
        if !more.is_disjoint(less) || more.contains(&Right::Grant) {
            violations.push(format!("accounts {id}: a right that is given and taken, or the owner's alone"));
        }
        for (restraint, sentence) in &account.sentences {
            if sentence.is_over(sentence.since) {
                violations.push(format!("accounts {id}: {} until before it was", restraint.name()));
            }
        }
    }
    if index != world.accounts.index {
        violations.push("accounts: the index differs from the rows".to_owned());
    }
}
