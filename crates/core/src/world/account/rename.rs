//! Renaming of accounts and characters in all rows and indices. Other rows name a player by id, or store the name beside
//! the id to show it; those follow. The audit log and the journal keep the names of their time.

use crate::base::{AccountId, CharacterId};
use crate::text::names::{self, Name};
use crate::world::{Account, Report, SanctionSentence, World};

impl World {
    /// Returns `true` if an account or character of another player has a name with this skeleton.
    pub fn is_skeleton_taken_by_others(&self, skeleton: &str, account: AccountId) -> bool {
        let key = self.accounts.get(account).map(|row| row.key.clone());
        let keys = self.characters_of(account).filter_map(|who| self.name_of(who)).map(str::to_lowercase);
        let own = key.into_iter().chain(keys).filter(|key| names::skeleton(key) == skeleton).count();
        self.index.skeletons.get(skeleton).is_some_and(|count| *count as usize > own)
    }

    /// Renames an account. The name must be free.
    pub fn rename_account(&mut self, account: AccountId, name: &Name) {
        let Some(row) = self.accounts.rekey(account) else { return };
        let old_key = std::mem::replace(&mut row.key, name.key.clone());
        let old = std::mem::replace(&mut row.name, name.shown.clone());
        row.skeleton.clone_from(&name.skeleton);
        self.accounts.index.keys.remove(&old_key);
        self.index.free_name(&old_key);
        self.accounts.index.keys.insert(name.key.clone(), account);
        self.index.take_name(&name.key);
        self.replace_shown_name(account, &old, &name.shown);
        let is_by = |sentence: &SanctionSentence| sentence.by == old;
        self.bans.change_where(|ban| is_by(&ban.sentence), |ban| ban.sentence.by.clone_from(&name.shown));
        self.accounts.change_where(
            |row| row.sentences.values().any(is_by),
            |row| {
                let by = row.sentences.values_mut().filter(|sentence| is_by(sentence));
                by.for_each(|sentence| sentence.by.clone_from(&name.shown));
            },
        );
    }

    /// Renames a character of a player that is in memory. The name must be free.
    pub fn rename_character(&mut self, who: CharacterId, name: &Name) {
        let Some(body) = self.characters.rekey(who) else { return };
        let old_key = body.key.replace(name.key.clone());
        let old = std::mem::replace(&mut body.name, name.shown.clone());
        body.skeleton = Some(name.skeleton.clone());
        let account = body.account;
        if let Some(old_key) = old_key {
            self.index.character_keys.remove(&old_key);
            self.index.free_name(&old_key);
            if self.index.awake_keys.remove(&old_key).is_some() {
                self.index.awake_keys.insert(name.key.clone(), who);
            }
        }
        self.index.character_keys.insert(name.key.clone(), who);
        self.index.take_name(&name.key);
        if let Some(account) = account {
            self.replace_shown_name(account, &old, &name.shown);
        }
    }

    /// Replaces a name of a player in the rows that store it for display: friends, ignored players and reports.
    fn replace_shown_name(&mut self, account: AccountId, old: &str, new: &str) {
        let watchers: Vec<AccountId> =
            self.accounts.friends_of(account).into_iter().flatten().copied().collect();
        for watcher in watchers {
            if let Some(row) = self.accounts.edit(watcher)
                && let Some(name) = row.friends.get_mut(&account).filter(|name| *name == old)
            {
                new.clone_into(name);
            }
        }
        if self.accounts.index.ignored.contains_key(&account) {
            let is_named = |row: &Account| row.ignored.get(&account).is_some_and(|name| name == old);
            self.accounts.change_where(is_named, |row| _ = row.ignored.insert(account, new.to_owned()));
        }
        let is_by = |report: &Report| report.account == account && report.name == old;
        self.reports.change_where(is_by, |report| new.clone_into(&mut report.name));
        let is_about = |report: &Report| {
            report.about.as_ref().is_some_and(|(whom, name)| *whom == account && name == old)
        };
        self.reports.change_where(is_about, |report| report.about = Some((account, new.to_owned())));
    }
}
