//! The book of what staff did.

use crate::base::{AccountId, AuditId, GameTime};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A line of it. Never changed; it goes when it is old.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Identity, never used again.
    pub id: AuditId,
    /// When.
    pub at: GameTime,
    /// Whose right was used; none for the operator of the server.
    pub account: Option<AccountId>,
    /// The name of the account then: the book outlives accounts.
    pub name: String,
    /// What was typed, after aliases and abbreviations.
    pub action: String,
}

/// Whose lines they are: an account's, or by name where nobody logged in.
type Author = (Option<AccountId>, String);

/// Who has written how many of the lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Authors {
    lines: BTreeMap<Author, BTreeSet<AuditId>>,
    by_count: BTreeSet<(usize, Author)>,
}

impl Authors {
    /// A line is there.
    pub(super) fn note(&mut self, line: &AuditRecord) {
        self.change(line, |lines| lines.insert(line.id));
    }

    /// A line is gone.
    fn forget(&mut self, line: &AuditRecord) {
        self.change(line, |lines| lines.remove(&line.id));
    }

    fn change(&mut self, line: &AuditRecord, change: impl FnOnce(&mut BTreeSet<AuditId>) -> bool) {
        let name = if line.account.is_none() { line.name.clone() } else { String::new() };
        let author = (line.account, name);
        let lines = self.lines.entry(author.clone()).or_default();
        self.by_count.remove(&(lines.len(), author.clone()));
        change(lines);
        if lines.is_empty() {
            self.lines.remove(&author);
        } else {
            self.by_count.insert((lines.len(), author));
        }
    }

    /// The oldest line of whoever has written most.
    fn oldest_of_the_busiest(&self) -> Option<AuditId> {
        let (_, author) = self.by_count.last()?;
        self.lines.get(author)?.first().copied()
    }
}

impl World {
    /// Writes down what staff did. Of more lines than `most` the oldest of whoever has written most goes, so that nobody
    /// can write the book full and push out what others did.
    pub fn audit(&mut self, record: AuditRecord, most: u32) {
        self.index.authors.note(&record);
        self.audit.put(record);
        while self.audit.len() > most as usize
            && let Some(line) = self.index.authors.oldest_of_the_busiest()
        {
            remove(self, line);
        }
    }

    /// Forgets up to `most` lines that were written before a moment, the oldest first.
    pub fn forget_audit(&mut self, before: GameTime, most: usize) {
        let old = self.audit.iter().take(most).take_while(|(_, line)| line.at < before);
        let old: Vec<AuditId> = old.map(|(id, _)| id).collect();
        for id in old {
            remove(self, id);
        }
    }
}

fn remove(world: &mut World, id: AuditId) {
    if let Some(gone) = world.audit.remove(id) {
        world.index.authors.forget(&gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::world::{Meta, Snapshot};

    /// A8: a busy builder writes over their own lines, and what others did stays, also over a restart.
    #[test]
    fn a8_whoever_writes_most_loses_the_oldest_line() {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let write = |world: &mut World, account: Option<u32>, action: &str| {
            let (id, account) = (world.new_audit_id(), account.map(AccountId));
            let (name, action) = ("somebody".to_owned(), action.to_owned());
            world.audit(AuditRecord { id, at: GameTime(0), account, name, action }, 10);
        };
        for action in ["ban", "mute", "promote"] {
            write(&mut world, Some(1), action);
        }
        write(&mut world, None, "lock");
        (0..50).for_each(|n| write(&mut world, Some(2), &format!("describe {n}")));
        let mut world = World::load(world.snapshot(), Meta::fresh(Seed(1))).unwrap();
        (50..99).for_each(|n| write(&mut world, Some(2), &format!("describe {n}")));
        let told: Vec<&str> = world.audit.iter().map(|(_, line)| line.action.as_str()).collect();
        assert_eq!(told[..4], ["ban", "mute", "promote", "lock"]);
        assert_eq!(
            told[4..],
            ["describe 93", "describe 94", "describe 95", "describe 96", "describe 97", "describe 98"]
        );
        write(&mut world, Some(1), "freeze");
        assert_eq!(world.audit.len(), 10);
        world.forget_audit(GameTime(1), 9);
        assert_eq!(world.audit.iter().next().unwrap().1.action, "freeze");
    }
}
