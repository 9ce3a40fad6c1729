//! What is noted while a step is played and looked at later in it, or in one that comes soon.

use crate::base::{BranchId, CharacterId, GameTime};
use std::collections::BTreeSet;

/// Players who may have experience enough for a level.
#[derive(Debug, Default)]
pub(crate) struct Rising(BTreeSet<CharacterId>);

impl Rising {
    /// Somebody may have enough.
    pub(crate) fn note(&mut self, who: CharacterId) {
        self.0.insert(who);
    }

    /// All of them, who are looked at now.
    pub(crate) fn take(&mut self) -> BTreeSet<CharacterId> {
        std::mem::take(&mut self.0)
    }
}

/// Who left a branch: companions left behind or brought out part from them.
#[derive(Debug, Default)]
pub(crate) struct Parting(BTreeSet<(CharacterId, BranchId)>);

impl Parting {
    /// Somebody has left a branch.
    pub(crate) fn note(&mut self, who: CharacterId, left: BranchId) {
        self.0.insert((who, left));
    }

    /// Nobody parts from companions of a branch after all.
    pub(crate) fn forget(&mut self, branch: BranchId) {
        self.0.retain(|(_, left)| *left != branch);
    }

    /// All of them, who part now.
    pub(crate) fn take(&mut self) -> BTreeSet<(CharacterId, BranchId)> {
        std::mem::take(&mut self.0)
    }
}

/// The clearing away of collapsed branches, which has so many rows a step.
#[derive(Debug, Default)]
pub(crate) struct Clearing {
    rows_left: u32,
    next_at: Option<GameTime>,
}

impl Clearing {
    /// A step begins, with so many rows.
    pub(crate) const fn begin_step(&mut self, rows: u32) {
        self.rows_left = rows;
    }

    /// Whether this step may clear away more.
    pub(crate) const fn may_go_on(&self) -> bool {
        self.rows_left > 0
    }

    /// One thing more is gone, and with it so many rows.
    pub(crate) fn spend(&mut self, rows: u32) {
        self.rows_left = self.rows_left.saturating_sub(rows.max(1));
    }

    /// More is cleared away at a moment; false if it is already to be at another.
    pub(crate) fn schedule(&mut self, at: GameTime) -> bool {
        let is_new = self.next_at.is_none();
        self.next_at.get_or_insert(at);
        is_new
    }

    /// Whether this is the moment for more; it is over then.
    pub(crate) fn take_due(&mut self, due: GameTime) -> bool {
        self.next_at.take_if(|at| *at == due).is_some()
    }
}
