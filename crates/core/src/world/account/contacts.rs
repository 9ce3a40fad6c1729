//! Look-ups over accounts, by name and by friends, and the contacts of an account: friends and ignored accounts.

use crate::base::AccountId;
use crate::world::Account;
use crate::world::indexed::{Indexed, TableIndex, remove_from};
use std::collections::{BTreeMap, BTreeSet};

/// Look-ups over accounts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AccountIndex {
    /// Accounts by name in lower case.
    pub(in crate::world) keys: BTreeMap<String, AccountId>,
    /// Accounts that ignore an account. Absent if none does, which is usual.
    pub(in crate::world) ignored: BTreeMap<AccountId, BTreeSet<AccountId>>,
    /// Accounts that have an account as a friend. Absent if there are none.
    friends: BTreeMap<AccountId, BTreeSet<AccountId>>,
}

impl TableIndex<Account> for AccountIndex {
    fn note(&mut self, account: &Account) {
        self.keys.insert(account.key.clone(), account.id);
        for ignored in account.ignored.keys() {
            self.ignored.entry(*ignored).or_default().insert(account.id);
        }
        for friend in account.friends.keys() {
            self.friends.entry(*friend).or_default().insert(account.id);
        }
    }

    fn forget(&mut self, account: &Account) {
        self.keys.remove(&account.key);
        account.ignored.keys().for_each(|ignored| remove_from(&mut self.ignored, ignored, &account.id));
        account.friends.keys().for_each(|friend| remove_from(&mut self.friends, friend, &account.id));
    }
}

/// Accounts. [`World::add_account`](crate::world::World::add_account) and
/// [`World::remove_account`](crate::world::World::remove_account) also take and free the name.
pub type Accounts = Indexed<Account, AccountIndex>;

impl Accounts {
    /// Returns the account with this name, ignoring case.
    pub fn named(&self, name: &str) -> Option<AccountId> {
        self.index.keys.get(&name.to_lowercase()).copied()
    }

    /// Makes an account ignore another one, whose name is stored with it.
    pub fn ignore(&mut self, account: AccountId, other: AccountId, name: &str) {
        if let Some(row) = self.rows.edit(account) {
            row.ignored.insert(other, name.to_owned());
            self.index.ignored.entry(other).or_default().insert(account);
        }
    }

    /// Ends [`ignore`](Self::ignore). Returns `false` if the account does not ignore the other one.
    pub fn stop_ignoring(&mut self, account: AccountId, other: AccountId) -> bool {
        let is_ignored = self.get(account).is_some_and(|row| row.ignored.contains_key(&other));
        if is_ignored && let Some(row) = self.rows.edit(account) {
            row.ignored.remove(&other);
            remove_from(&mut self.index.ignored, &other, &account);
        }
        is_ignored
    }

    /// Returns the accounts that have an account as a friend.
    pub fn friends_of(&self, account: AccountId) -> Option<&BTreeSet<AccountId>> {
        self.index.friends.get(&account)
    }

    /// Adds a friend to an account, whose name is stored with it.
    pub fn add_friend(&mut self, account: AccountId, friend: AccountId, name: &str) {
        if let Some(row) = self.rows.edit(account) {
            row.friends.insert(friend, name.to_owned());
            self.index.friends.entry(friend).or_default().insert(account);
        }
    }

    /// Removes a friend from an account.
    pub fn remove_friend(&mut self, account: AccountId, friend: AccountId) {
        if let Some(row) = self.rows.edit(account) {
            row.friends.remove(&friend);
            remove_from(&mut self.index.friends, &friend, &account);
        }
    }
}
