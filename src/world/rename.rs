//! Renaming of accounts and characters in all rows and indices.

use crate::base::{AccountId, CharacterId};
use crate::text::names::Name;
use crate::world::World;

impl World {
    /// Renames an account and one of its characters. The name must be free.
    pub fn rename(&mut self, account: AccountId, who: CharacterId, name: &Name) {
        let key = || name.key.clone();
        if let Some(row) = self.accounts.rekey(account) {
            let old = std::mem::replace(&mut row.key, key());
            (row.name, row.skeleton) = (name.shown.clone(), name.skeleton.clone());
            self.index.account_keys.remove(&old);
            self.index.free_name(&old);
            self.index.account_keys.insert(key(), account);
            self.index.take_name(&name.key);
        }
        if let Some(body) = self.characters.rekey(who) {
            let old = body.key.replace(key());
            (body.name, body.skeleton) = (name.shown.clone(), Some(name.skeleton.clone()));
            if let Some(old) = old {
                self.index.character_keys.remove(&old);
                self.index.free_name(&old);
                if self.index.awake_keys.remove(&old).is_some() {
                    self.index.awake_keys.insert(key(), who);
                }
            }
            self.index.character_keys.insert(key(), who);
            self.index.take_name(&name.key);
        }
    }
}
