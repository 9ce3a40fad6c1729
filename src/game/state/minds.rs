//! When creatures go on with what they are about.

use crate::base::{BranchId, CharacterId, GameTime};
use std::collections::{BTreeMap, BTreeSet};

/// Creatures that are about something, and branches whose creatures stir.
#[derive(Debug, Default)]
pub(crate) struct Minds {
    acting: BTreeMap<CharacterId, GameTime>,
    /// Branches whose creatures have a timer.
    stirring: BTreeSet<BranchId>,
}

impl Minds {
    /// A creature is about something that goes on then; false if it is already.
    pub(crate) fn begin(&mut self, mob: CharacterId, due: GameTime) -> bool {
        let is_new = !self.acting.contains_key(&mob);
        if is_new {
            self.acting.insert(mob, due);
        }
        is_new
    }

    /// Whether a creature goes on with something now; then it is about nothing until it begins again.
    pub(crate) fn take(&mut self, mob: CharacterId, due: GameTime) -> bool {
        let is_due = self.acting.get(&mob) == Some(&due);
        if is_due {
            self.acting.remove(&mob);
        }
        is_due
    }

    /// Whether the creatures of a branch stir.
    pub(crate) fn is_stirring(&self, branch: BranchId) -> bool {
        self.stirring.contains(&branch)
    }

    /// The creatures of a branch stir from now on.
    pub(crate) fn stir(&mut self, branch: BranchId) {
        self.stirring.insert(branch);
    }

    /// The creatures of a branch have stirred.
    pub(crate) fn settle(&mut self, branch: BranchId) {
        self.stirring.remove(&branch);
    }
}
