//! When creatures go on with what they are about.

use crate::base::{BranchId, CharacterId, GameTime, RoomId};
use std::collections::{BTreeMap, BTreeSet};

/// Creatures that are about something, and branches whose creatures stir.
#[derive(Debug, Default)]
pub(crate) struct Minds {
    acting: BTreeMap<CharacterId, GameTime>,
    /// Branches whose creatures have a timer.
    stirring: BTreeSet<BranchId>,
    /// Rooms that players have left a short while ago, the last one at the end, and until when that counts.
    left: BTreeMap<BranchId, Vec<(RoomId, GameTime)>>,
}

/// Rooms of one branch that are remembered as left.
const LEFT_MAX: usize = 16;

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

    /// A room of a branch has been left, which counts for a while.
    pub(crate) fn linger(&mut self, branch: BranchId, room: RoomId, until: GameTime) {
        let left = self.left.entry(branch).or_default();
        left.retain(|(other, _)| *other != room);
        if left.len() == LEFT_MAX {
            left.remove(0);
        }
        left.push((room, until));
    }

    /// The rooms of a branch that were left a short while ago.
    pub(crate) fn lingering(&mut self, branch: BranchId, now: GameTime) -> BTreeSet<RoomId> {
        let Some(left) = self.left.get_mut(&branch) else { return BTreeSet::new() };
        left.retain(|(_, until)| *until > now);
        let rooms = left.iter().map(|(room, _)| *room).collect();
        if left.is_empty() {
            self.left.remove(&branch);
        }
        rooms
    }
}
