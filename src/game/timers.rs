//! One queue of deadlines, carried out in the order of (deadline, sequence). A timer is a reminder to look at the
//! rows: whoever is woken checks that the row still says so, hence nothing is ever cancelled.

use crate::base::{AccountId, BanId, BranchId, CharacterId, ExitId, GameTime, ItemId, PartyId, RoomId};
use std::collections::BTreeMap;

/// What falls due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    /// The exits of a start room are reset.
    ResetExits(RoomId),
    /// The branches of a start room are checked for age.
    CheckBranches(RoomId),
    /// A start exit with an interval of its own is reset.
    ResetExit(ExitId),
    /// The branches behind a start exit with an interval of its own are checked for age.
    CheckExit(ExitId),
    /// More of the branches that have collapsed is cleared away.
    ClearAway,
    /// More of the accounts are looked at, behind this one, whether they were ever used.
    ClearUnused(AccountId),
    /// The people in a branch are told that it will collapse.
    Warn(BranchId),
    /// A body without connection leaves the world.
    LinkDead(CharacterId),
    /// Somebody has experience enough for one level more.
    Rise(CharacterId),
    /// The fights in a room go on.
    Round(RoomId),
    /// The first affect of a body is over.
    Affect(CharacterId),
    /// The wounds of a resting player have closed.
    Rested(CharacterId),
    /// Somebody who is down and was not helped is out.
    Down(CharacterId),
    /// A thing crumbles.
    Crumble(ItemId),
    /// An invitation, a roll or the kept place of a party is over.
    Party(PartyId),
    /// The roamers of a branch where somebody is move.
    Stir(BranchId),
    /// Something that staff have laid on an account is over.
    Restraint(AccountId),
    /// Somebody whom staff kept out may come in again.
    Ban(BanId),
    /// What is old in the books goes.
    TrimBooks,
    /// What comes to hand-built rooms again and again comes, and what happens there by the clock happens.
    Tend,
    /// A search through the hand-built rooms goes on.
    Sweep,
    /// A creature goes on with what it is about: a fuse burns, a charge begins.
    Act(CharacterId),
}

/// The queue.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    queue: BTreeMap<(GameTime, u64), Timer>,
    sequence: u64,
}

impl Timers {
    pub(crate) fn schedule(&mut self, at: GameTime, timer: Timer) {
        self.sequence += 1;
        self.queue.insert((at, self.sequence), timer);
    }

    pub(crate) fn next(&self) -> Option<GameTime> {
        self.queue.first_key_value().map(|((at, _), _)| *at)
    }

    pub(crate) fn pop_due(&mut self, now: GameTime) -> Option<(GameTime, Timer)> {
        let entry = self.queue.first_entry().filter(|entry| entry.key().0 <= now)?;
        let ((due, _), timer) = entry.remove_entry();
        Some((due, timer))
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_come_in_order_and_ties_in_the_order_of_scheduling() {
        let mut timers = Timers::default();
        for (at, room) in [(5, 1), (3, 2), (5, 3), (9, 4)] {
            timers.schedule(GameTime(at), Timer::Round(RoomId(room)));
        }
        let mut due = Vec::new();
        while let Some((_, Timer::Round(room))) = timers.pop_due(GameTime(5)) {
            due.push(room.0);
        }
        assert_eq!((due, timers.next()), (vec![2, 1, 3], Some(GameTime(9))));
    }
}
