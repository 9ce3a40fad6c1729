//! Look-ups over accounts, by name and by friends, and the contacts of an account: friends and ignored accounts.

use crate::base::AccountId;
use crate::world::Account;
use crate::world::indexed::{Indexed, TableIndex, remove_from};
use std::collections::{BTreeMap, BTreeSet};

/// Look-ups over accounts.
#[derive(Clone, Debug, Default)]
pub struct AccountIndex {
    /// Accounts by name in lower case.
    pub(in crate::world) keys: BTreeMap<String, AccountId>,
    /// Number of accounts that ignore an account. Absent if none does, which is usual.
    pub(in crate::world) ignored: BTreeMap<AccountId, u32>,
    /// Accounts that have an account as a friend. Absent if there are none.
    pub(in crate::world) friends: BTreeMap<AccountId, BTreeSet<AccountId>>,
}

impl AccountIndex {
    fn note_ignored(&mut self, account: AccountId) {
        *self.ignored.entry(account).or_default() += 1;
    }

    fn forget_ignored(&mut self, account: AccountId) {
        if let Some(count) = self.ignored.get_mut(&account) {
            *count -= 1;
            if *count == 0 {
                self.ignored.remove(&account);
            }
        }
    }
}

impl TableIndex<Account> for AccountIndex {
    fn note(&mut self, account: &Account) {
        self.keys.insert(account.key.clone(), account.id);
        account.ignored.keys().for_each(|ignored| self.note_ignored(*ignored));
        for friend in account.friends.keys() {
            self.friends.entry(*friend).or_default().insert(account.id);
        }
    }

    fn forget(&mut self, account: &Account) {
        self.keys.remove(&account.key);
        account.ignored.keys().for_each(|ignored| self.forget_ignored(*ignored));
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
        let Some(row) = self.rows.edit(account) else { return };
        if row.ignored.insert(other, name.to_owned()).is_none() {
            self.index.note_ignored(other);
        }
    }

    /// Ends [`ignore`](Self::ignore). Returns `false` if the account does not ignore the other one.
    pub fn stop_ignoring(&mut self, account: AccountId, other: AccountId) -> bool {
        let is_ignored = self.get(account).is_some_and(|row| row.ignored.contains_key(&other));
        if is_ignored && let Some(row) = self.rows.edit(account) {
            row.ignored.remove(&other);
            self.index.forget_ignored(other);
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
