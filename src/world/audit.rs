//! The book of what staff did.

use crate::base::{AccountId, AuditId, GameTime};
use crate::world::World;
use serde::{Deserialize, Serialize};

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

impl World {
    /// Writes down what staff did. Of more lines than `most` the oldest goes.
    pub fn audit(&mut self, record: AuditRecord, most: u32) {
        self.audit.put(record);
        let over = self.audit.len().saturating_sub(most as usize);
        self.forget_audit(GameTime(i64::MAX), over);
    }

    /// Forgets up to `most` lines that were written before a moment, the oldest first.
    pub fn forget_audit(&mut self, before: GameTime, most: usize) {
        let old = self.audit.iter().take(most).take_while(|(_, line)| line.at < before);
        let old: Vec<AuditId> = old.map(|(id, _)| id).collect();
        for id in old {
            self.audit.remove(id);
        }
    }
}
