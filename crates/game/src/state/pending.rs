//! Work noted during a step and processed later in the step or in one soon after.

use deepwell_core::base::{BranchId, CharacterId, GameTime};
use std::collections::BTreeSet;

/// Players who may have gained a level.
#[derive(Debug, Default)]
pub(crate) struct LevelCandidates(BTreeSet<CharacterId>);

impl LevelCandidates {
    /// Adds a player.
    pub(crate) fn note(&mut self, who: CharacterId) {
        self.0.insert(who);
    }

    /// Takes all players, to be checked.
    pub(crate) fn take(&mut self) -> BTreeSet<CharacterId> {
        std::mem::take(&mut self.0)
    }
}

/// Players who left a branch and must part from their companions of that branch.
#[derive(Debug, Default)]
pub(crate) struct Partings(BTreeSet<(CharacterId, BranchId)>);

impl Partings {
    /// Adds a player who has left a branch.
    pub(crate) fn note(&mut self, who: CharacterId, left: BranchId) {
        self.0.insert((who, left));
    }

    /// Cancels the partings of a branch.
    pub(crate) fn forget(&mut self, branch: BranchId) {
        self.0.retain(|(_, left)| *left != branch);
    }

    /// Takes all partings.
    pub(crate) fn take(&mut self) -> BTreeSet<(CharacterId, BranchId)> {
        std::mem::take(&mut self.0)
    }
}

/// Branch cleanup, limited to a number of rows per step.
#[derive(Debug, Default)]
pub(crate) struct CleanupBudget {
    rows_left: u32,
    next_at: Option<GameTime>,
}

impl CleanupBudget {
    /// Begins a step with the given row budget.
    pub(crate) const fn begin_step(&mut self, rows: u32) {
        self.rows_left = rows;
    }

    /// Returns `true` if the row budget of this step is not used up.
    pub(crate) const fn has_budget(&self) -> bool {
        self.rows_left > 0
    }

    /// Charges a deletion, of at least one row, to the budget.
    pub(crate) fn spend(&mut self, rows: u32) {
        self.rows_left = self.rows_left.saturating_sub(rows.max(1));
    }

    /// Schedules more cleanup. Returns `false` if it is scheduled already.
    pub(crate) fn schedule(&mut self, at: GameTime) -> bool {
        let is_new = self.next_at.is_none();
        self.next_at.get_or_insert(at);
        is_new
    }

    /// Removes the scheduled cleanup if it is the one due at `due`. Returns `false` for an obsolete timer.
    pub(crate) fn take_due(&mut self, due: GameTime) -> bool {
        self.next_at.take_if(|at| *at == due).is_some()
    }
}
