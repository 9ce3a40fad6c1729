//! Audit log of staff actions.

use crate::base::{AccountId, AuditId, GameTime};
use crate::world::World;
use crate::world::indexed::{Indexed, TableIndex};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Audit record. Immutable; deleted by age or when the log is full.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Unique id, never reused.
    pub id: AuditId,
    /// Time of the action.
    pub at: GameTime,
    /// Account whose permission was used; `None` for the server operator.
    pub account: Option<AccountId>,
    /// Name of the account at that time; records outlive accounts.
    pub name: String,
    /// Command after expansion of aliases and abbreviations.
    pub action: String,
}

/// Author of records: an account, or a name where no account was logged in.
type AuditAuthor = (Option<AccountId>, String);

/// Record ids by author.
#[derive(Clone, Debug, Default)]
pub struct AuditIndex {
    lines: BTreeMap<AuditAuthor, AuthorRecords>,
    by_count: BTreeSet<(usize, AuditAuthor)>,
}

/// Record ids of an author by the first word of the action.
#[derive(Clone, Debug, Default)]
struct AuthorRecords {
    count: usize,
    by_word: BTreeMap<String, BTreeSet<AuditId>>,
}

impl AuthorRecords {
    /// Adds or removes a record.
    fn change(&mut self, line: &AuditRecord, change: impl FnOnce(&mut BTreeSet<AuditId>) -> bool) {
        let word = line.action.split(' ').next().unwrap_or_default();
        let ids = self.by_word.entry(word.to_owned()).or_default();
        let before = ids.len();
        change(ids);
        self.count = self.count + ids.len() - before;
        if ids.is_empty() {
            self.by_word.remove(word);
        }
    }

    /// Returns the oldest record of the most frequent action, so that many harmless actions do not push out others.
    fn oldest_of_most_frequent_action(&self) -> Option<AuditId> {
        self.by_word.values().max_by_key(|ids| ids.len())?.first().copied()
    }
}

impl TableIndex<AuditRecord> for AuditIndex {
    fn note(&mut self, line: &AuditRecord) {
        self.change(line, |lines| lines.insert(line.id));
    }

    fn forget(&mut self, line: &AuditRecord) {
        self.change(line, |lines| lines.remove(&line.id));
    }
}

impl AuditIndex {
    fn change(&mut self, line: &AuditRecord, change: impl FnOnce(&mut BTreeSet<AuditId>) -> bool) {
        let name = if line.account.is_none() { line.name.clone() } else { String::new() };
        let author = (line.account, name);
        let lines = self.lines.entry(author.clone()).or_default();
        self.by_count.remove(&(lines.count, author.clone()));
        lines.change(line, change);
        if lines.count == 0 {
            self.lines.remove(&author);
        } else {
            self.by_count.insert((lines.count, author));
        }
    }

    /// Returns a record of the most frequent author: the oldest of the most frequent action.
    fn most_dispensable(&self) -> Option<AuditId> {
        let (_, author) = self.by_count.last()?;
        self.lines.get(author)?.oldest_of_most_frequent_action()
    }
}

/// Audit log.
pub type AuditLog = Indexed<AuditRecord, AuditIndex>;

impl AuditLog {
    /// Appends a record. Above `most` records, deletes the oldest record of the most frequent action of the most frequent
    /// author, so that no author can push out the records of others, or of the own rare actions.
    pub fn write(&mut self, record: AuditRecord, most: u32) {
        self.add(record);
        while self.len() > most as usize
            && let Some(line) = self.index.most_dispensable()
        {
            self.remove(line);
        }
    }

    /// Deletes up to `most` records written before a moment, oldest first.
    pub fn prune(&mut self, before: GameTime, most: usize) {
        let old = self.iter().take(most).take_while(|(_, line)| line.at < before);
        let old: Vec<AuditId> = old.map(|(id, _)| id).collect();
        for id in old {
            self.remove(id);
        }
    }
}

impl World {
    /// Removes a record that this step has added, of an action that has not happened. If it is the last one, its id is free
    /// again, as if the action had not been tried.
    pub fn retract_audit(&mut self, id: AuditId) {
        if let Some(gone) = self.audit.rows.retract(id) {
            self.audit.index.forget(&gone);
            if self.meta.next_audit == id.0 + 1 {
                self.meta_mut().next_audit = id.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::world::{Meta, Snapshot};

    /// A member of staff who has banned a player cannot push that out of the log by typing on.
    #[test]
    fn a8_rare_actions_of_an_author_outlast_frequent_ones() {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let mut write = |action: String| {
            let id = world.new_audit_id();
            let (account, name) = (Some(AccountId(1)), "somebody".to_owned());
            world.audit.write(AuditRecord { id, at: GameTime(0), account, name, action }, 10);
            world.audit.iter().map(|(_, line)| line.action.clone()).collect::<Vec<_>>()
        };
        for action in ["ban bera", "grant ada look"] {
            write(action.into());
        }
        for n in 0..1_000 {
            let kept = write(format!("{} {n}", ["goto", "who", "where"][n % 3]));
            assert_eq!(kept[..2], ["ban bera", "grant ada look"], "{n}");
        }
        let kept = write("ban ada".into());
        assert!(kept.len() == 10 && kept.contains(&"ban ada".to_owned()), "{kept:?}");
    }

    #[test]
    fn a8_most_frequent_author_loses_oldest_record() {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let write = |world: &mut World, account: Option<u32>, action: &str| {
            let (id, account) = (world.new_audit_id(), account.map(AccountId));
            let (name, action) = ("somebody".to_owned(), action.to_owned());
            world.audit.write(AuditRecord { id, at: GameTime(0), account, name, action }, 10);
        };
        for action in ["ban", "mute", "promote"] {
            write(&mut world, Some(1), action);
        }
        write(&mut world, None, "lock");
        (0..50).for_each(|n| write(&mut world, Some(2), &format!("describe {n}")));
        let mut world = World::load(world.snapshot(), Meta::fresh(Seed(1))).unwrap();
        (50..99).for_each(|n| write(&mut world, Some(2), &format!("describe {n}")));
        let actions: Vec<&str> = world.audit.iter().map(|(_, line)| line.action.as_str()).collect();
        assert_eq!(actions[..4], ["ban", "mute", "promote", "lock"]);
        assert_eq!(
            actions[4..],
            ["describe 93", "describe 94", "describe 95", "describe 96", "describe 97", "describe 98"]
        );
        write(&mut world, Some(1), "freeze");
        assert_eq!(world.audit.len(), 10);
        world.audit.prune(GameTime(1), 9);
        assert_eq!(world.audit.iter().next().unwrap().1.action, "freeze");
    }
}
