//! Timer queue, ordered by deadline and then by sequence. A timer is only a reminder to look at the rows: its handler
//! checks that they still require the action, so timers are never cancelled.

use deepwell_core::base::{
    AccountId, BanId, BranchId, CharacterId, ExitId, GameTime, ItemId, PartyId, RoomId,
};
use deepwell_core::catalog::StartTask;
use deepwell_core::world::{Item, World};
use std::collections::BTreeMap;

/// Start exits whose task runs at the same times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TaskGroup {
    /// Exits of a start room that have its interval.
    Room(RoomId),
    /// Start exit with another interval.
    Exit(ExitId),
}

impl TaskGroup {
    /// Returns the start room; `None` if the exit is gone.
    pub(crate) fn room(self, world: &World) -> Option<RoomId> {
        match self {
            Self::Room(room) => Some(room),
            Self::Exit(exit) => Some(world.exits.get(exit)?.room),
        }
    }
}

/// Timer that becomes due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    /// Carries out a repeating task of start exits.
    StartTask(TaskGroup, StartTask),
    /// Deletes the next slice of collapsed branches.
    ClearAway,
    /// Checks the accounts after this one for disuse.
    ClearUnused(AccountId),
    /// Collapses a branch that has expired.
    Expire(BranchId),
    /// Warns the members of a branch of its collapse.
    Warn(BranchId),
    /// Removes a link-dead character from the world.
    LinkDead(CharacterId),
    /// Raises a character with enough experience by one level.
    LevelUp(CharacterId),
    /// Runs a combat round in a room.
    Round(RoomId),
    /// Ends the first affect of a character to expire.
    Affect(CharacterId),
    /// Notifies a resting player that all hit points are restored.
    Rested(CharacterId),
    /// Defeats an incapacitated character who was not helped.
    Down(CharacterId),
    /// Decays an item.
    Crumble(ItemId),
    /// Ends a light.
    BurnOut(ItemId),
    /// Ends an invitation, a loot roll or a reserved place of a party.
    Party(PartyId),
    /// Moves the roaming creatures of a branch that has members.
    TickBranch(BranchId),
    /// Runs the tick scripts of the creatures of a hand-built room.
    TickRoom(RoomId),
    /// Ends a sanction on an account.
    Sanction(AccountId),
    /// Ends the time of the mail that expires first.
    Mail,
    /// Ends a ban.
    Ban(BanId),
    /// Trims old entries of the audit log and reports.
    TrimLogs,
    /// Respawns creatures and items in hand-built rooms and runs their timer triggers.
    Respawn,
    /// Continues a search through the hand-built rooms.
    Sweep,
    /// Continues to compare or import zone files.
    Files,
    /// Continues the suspended scripts of a room.
    Waits(RoomId),
    /// Continues the action of a creature, such as a fuse or a charge.
    Act(CharacterId),
    /// Continues the patrol or the schedule of a creature.
    Route(CharacterId),
    /// Takes the next step of a player who walks several.
    Walk(CharacterId),
    /// Tells a player which abilities are ready again.
    Ready(CharacterId),
}

impl Timer {
    /// Returns the name of the work, for the cost of a step.
    pub(crate) const fn cause(self) -> &'static str {
        match self {
            Self::StartTask(_, StartTask::Reset) => "reset of exits",
            Self::StartTask(_, StartTask::Check) => "check of branches",
            Self::Expire(_) => "collapse of a branch",
            Self::ClearAway => "deletion of branches",
            Self::ClearUnused(_) => "deletion of accounts",
            Self::Warn(_) => "warning of a branch",
            Self::LinkDead(_) => "end of a link-death",
            Self::LevelUp(_) => "rise in level",
            Self::Round(_) => "round of combat",
            Self::Affect(_) => "end of an affect",
            Self::Rested(_) => "end of a rest",
            Self::Down(_) => "defeat",
            Self::Crumble(_) => "decay of an item",
            Self::BurnOut(_) => "end of a light",
            Self::Party(_) => "deadline of a party",
            Self::TickBranch(_) => "tick of a branch",
            Self::TickRoom(_) => "tick of a room",
            Self::Sanction(_) | Self::Ban(_) => "end of a sanction",
            Self::Mail => "expiry of mail",
            Self::TrimLogs => "trim of logs",
            Self::Respawn => "respawn check",
            Self::Sweep => "search",
            Self::Files => "zone files",
            Self::Waits(_) => "end of a wait",
            Self::Route(_) => "walk of a creature",
            Self::Act(_) => "action of a creature",
            Self::Walk(_) => "walk of a player",
            Self::Ready(_) => "end of a cooldown",
        }
    }

    /// Returns the room that the work begins in; `None` if it concerns no single room.
    pub(crate) fn room(self, world: &World) -> Option<RoomId> {
        match self {
            Self::Round(room) | Self::TickRoom(room) | Self::Waits(room) => Some(room),
            Self::StartTask(group, _) => group.room(world),
            Self::Walk(who)
            | Self::LinkDead(who)
            | Self::LevelUp(who)
            | Self::Affect(who)
            | Self::Rested(who)
            | Self::Down(who)
            | Self::Route(who)
            | Self::Ready(who)
            | Self::Act(who) => Some(world.characters.get(who)?.room),
            Self::ClearAway
            | Self::ClearUnused(_)
            | Self::Expire(_)
            | Self::Warn(_)
            | Self::Crumble(_)
            | Self::BurnOut(_)
            | Self::Party(_)
            | Self::TickBranch(_)
            | Self::Sanction(_)
            | Self::Mail
            | Self::Ban(_)
            | Self::TrimLogs
            | Self::Respawn
            | Self::Sweep
            | Self::Files => None,
        }
    }
}

/// Queue of timers.
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

    /// Schedules the decay of an item and the end of its light.
    pub(crate) fn schedule_item(&mut self, item: &Item) {
        if let Some(at) = item.gone_at {
            self.schedule(at, Timer::Crumble(item.id));
        }
        if let Some(at) = item.burns_until {
            self.schedule(at, Timer::BurnOut(item.id));
        }
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
    fn timers_pop_by_deadline_then_schedule_order() {
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
