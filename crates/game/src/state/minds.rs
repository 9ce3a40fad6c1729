//! Schedule of the actions of creatures.

use deepwell_core::base::{BranchId, CharacterId, GameTime, RoomId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Creatures with a pending action, and branches and hand-built rooms with a pending tick.
#[derive(Debug, Default)]
pub(crate) struct CreatureTimers {
    acting: BTreeMap<CharacterId, GameTime>,
    /// Branches with a pending tick.
    ticking_branches: BTreeSet<BranchId>,
    /// Hand-built rooms with a pending tick.
    ticking_rooms: BTreeSet<RoomId>,
    /// Hand-built rooms recently left by players, with the end of the period for which they count.
    left_rooms: BTreeMap<RoomId, GameTime>,
    /// Creatures that have acted on the tick of a hand-built room since the time.
    acted: (GameTime, BTreeSet<CharacterId>),
    /// Rooms recently left by players, the latest last, with the end of the period for which they count.
    left: BTreeMap<BranchId, Vec<(RoomId, GameTime)>>,
}

/// Maximum number of recently left rooms per branch.
const LEFT_MAX: usize = 16;

impl CreatureTimers {
    /// Schedules the next action of a creature. Returns `false` if one is pending.
    pub(crate) fn begin(&mut self, creature: CharacterId, due: GameTime) -> bool {
        let is_new = !self.acting.contains_key(&creature);
        if is_new {
            self.acting.insert(creature, due);
        }
        is_new
    }

    /// Removes the creature's action if it is the one due at `due`. Returns `false` for an obsolete timer.
    pub(crate) fn take(&mut self, creature: CharacterId, due: GameTime) -> bool {
        let is_due = self.acting.get(&creature) == Some(&due);
        if is_due {
            self.acting.remove(&creature);
        }
        is_due
    }

    /// Returns `true` if the branch has a pending tick.
    pub(crate) fn is_tick_pending(&self, branch: BranchId) -> bool {
        self.ticking_branches.contains(&branch)
    }

    /// Records that a tick of the branch is pending.
    pub(crate) fn note_branch_tick(&mut self, branch: BranchId) {
        self.ticking_branches.insert(branch);
    }

    /// Records that the tick of the branch has run.
    pub(crate) fn end_branch_tick(&mut self, branch: BranchId) {
        self.ticking_branches.remove(&branch);
    }

    /// Records that a tick of a hand-built room is pending. Returns `false` if one was already.
    pub(crate) fn note_room_tick(&mut self, room: RoomId) -> bool {
        self.ticking_rooms.insert(room)
    }

    /// Records that the tick of a hand-built room has run.
    pub(crate) fn end_room_tick(&mut self, room: RoomId, now: GameTime) {
        self.ticking_rooms.remove(&room);
        if self.left_rooms.get(&room).is_some_and(|until| *until <= now) {
            self.left_rooms.remove(&room);
        }
    }

    /// Records that players have left a hand-built room.
    pub(crate) fn linger_in_room(&mut self, room: RoomId, until: GameTime) {
        self.left_rooms.insert(room, until);
    }

    /// Returns `true` if players have recently left a hand-built room.
    pub(crate) fn is_lingering(&self, room: RoomId, now: GameTime) -> bool {
        self.left_rooms.get(&room).is_some_and(|until| *until > now)
    }

    /// Records that a creature acts on the tick of a hand-built room. Returns `false` if it has acted on that of another
    /// room less than a tick ago.
    pub(crate) fn note_act(&mut self, creature: CharacterId, now: GameTime, tick: Span) -> bool {
        if now.since(self.acted.0) >= tick {
            self.acted = (now, BTreeSet::new());
        }
        self.acted.1.insert(creature)
    }

    /// Records that players have left a room.
    pub(crate) fn linger(&mut self, branch: BranchId, room: RoomId, until: GameTime) {
        let left = self.left.entry(branch).or_default();
        left.retain(|(other, _)| *other != room);
        if left.len() == LEFT_MAX {
            left.remove(0);
        }
        left.push((room, until));
    }

    /// Returns the recently left rooms of a branch.
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
