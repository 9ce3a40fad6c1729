//! Budgets of scripts: what they may do at once, and within a second in one room, for all owners of triggers together.

use deepwell_core::base::limits::Limits;
use deepwell_core::base::{GameTime, RoomId, RuleLimit, Span};
use std::collections::BTreeMap;

/// Multiple of the budgets for one run that the scripts of one room may use within a second.
const RUNS_PER_SECOND: u64 = 4;
/// Time after which a room has its whole budget again.
const SECOND: Span = Span::secs(1);
/// Number of rooms above which those with an expired second are dropped.
const ROOMS_KEPT: usize = 256;

/// Amounts that scripts have used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct UsedBudget {
    /// Lines.
    lines: u64,
    /// Bytes of text for the player who was told most.
    told_bytes: u64,
    /// Work, in the units of `World::work`.
    work: u64,
}

impl UsedBudget {
    const fn add(&mut self, more: Self) {
        self.lines += more.lines;
        self.told_bytes += more.told_bytes;
        self.work += more.work;
    }

    /// Returns the first limit of which more than `times` as much is used.
    fn excess(&self, limits: &Limits, times: u64) -> Option<RuleLimit> {
        let uses = [
            (RuleLimit::TriggerLines, self.lines),
            (RuleLimit::ScriptToldBytes, self.told_bytes),
            (RuleLimit::ScriptWork, self.work),
        ];
        let exceeds = |(limit, used): &(RuleLimit, u64)| *used > times * u64::from(limit.of(limits));
        uses.into_iter().find(exceeds).map(|(limit, _)| limit)
    }
}

/// Budget that the scripts of a room have used within a second.
#[derive(Debug)]
struct RoomSecond {
    begins: GameTime,
    used: UsedBudget,
}

/// Budgets of scripts, for the running step and for rooms.
#[derive(Debug, Default)]
pub(crate) struct ScriptBudget {
    /// Number of scripts on the stack, each triggered by the one before.
    pub(crate) depth: u32,
    /// Room of the outermost running script, which is charged for all that it sets off.
    room: Option<RoomId>,
    /// Work of the world when that room was charged last.
    charged_until: u64,
    /// Amounts used since the step began, or since its timers ended.
    at_once: UsedBudget,
    rooms: BTreeMap<RoomId, RoomSecond>,
    /// Work of all scripts of the step.
    work: u64,
    /// Set if the excess of this step has been reported.
    is_reported: bool,
}

impl ScriptBudget {
    /// Begins the timers of a step, or its input.
    pub(crate) fn begin_step(&mut self) {
        self.at_once = UsedBudget::default();
        self.is_reported = false;
    }

    /// Begins to charge a room for the work of the world from now on. Returns `false` if a room is being charged already.
    pub(crate) fn begin(&mut self, room: RoomId, now: GameTime, work: u64) -> bool {
        if self.room.is_some() {
            return false;
        }
        (self.room, self.charged_until) = (Some(room), work);
        let is_over = |second: &RoomSecond| now.since(second.begins) >= SECOND;
        if self.rooms.len() > ROOMS_KEPT {
            self.rooms.retain(|_, second| !is_over(second));
        }
        let fresh = RoomSecond { begins: now, used: UsedBudget::default() };
        if self.rooms.get(&room).is_none_or(is_over) {
            self.rooms.insert(room, fresh);
        }
        true
    }

    /// Ends to charge the room.
    pub(crate) const fn end(&mut self) {
        self.room = None;
    }

    /// Charges the step and the room with lines, with text, and with the work of the world since the last charge.
    pub(crate) fn charge(&mut self, lines: u64, told_bytes: u64, work: u64) {
        let Some(room) = self.room else { return };
        let used = UsedBudget { lines, told_bytes, work: work.wrapping_sub(self.charged_until) };
        self.charged_until = work;
        self.work += used.work;
        self.at_once.add(used);
        if let Some(second) = self.rooms.get_mut(&room) {
            second.used.add(used);
        }
    }

    /// Takes the work of all scripts of the step.
    pub(crate) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Returns the limit that ends the running scripts, and the number of its units that were allowed.
    pub(crate) fn excess(&self, limits: &Limits) -> Option<(RuleLimit, u64)> {
        let here = self.room.and_then(|room| self.rooms.get(&room));
        let at_once = self.at_once.excess(limits, 1).map(|limit| (limit, 1));
        let in_second = || here?.used.excess(limits, RUNS_PER_SECOND).map(|limit| (limit, RUNS_PER_SECOND));
        at_once.or_else(in_second).map(|(limit, times)| (limit, times * u64::from(limit.of(limits))))
    }

    /// Returns the time at which a room whose budget for the second is used up has it again.
    pub(crate) fn available_at(&self, room: RoomId, limits: &Limits) -> Option<GameTime> {
        let second = self.rooms.get(&room)?;
        second.used.excess(limits, RUNS_PER_SECOND).map(|_| second.begins + SECOND)
    }

    /// Returns `true` for the first report of an excess in the step.
    pub(crate) const fn may_report(&mut self) -> bool {
        !std::mem::replace(&mut self.is_reported, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits { trigger_lines: 30, script_told_bytes: 1_000, script_work: 5_000, ..Limits::default() }
    }

    fn run(budget: &mut ScriptBudget, room: u32, at: i64, used: [u64; 3]) -> Option<(RuleLimit, u64)> {
        budget.begin_step();
        assert!(budget.begin(RoomId(room), GameTime(at), 70) && !budget.begin(RoomId(99), GameTime(at), 80));
        let [lines, told_bytes, work] = used;
        budget.charge(lines, told_bytes, 70 + work);
        let excess = budget.excess(&limits());
        budget.end();
        excess
    }

    #[test]
    fn a8_scripts_share_the_budget_of_a_step() {
        let mut budget = ScriptBudget::default();
        budget.begin_step();
        for room in [RoomId(1), RoomId(2), RoomId(3)] {
            budget.begin(room, GameTime(0), 0);
            budget.charge(15, 0, 0);
            let is_over = room == RoomId(3);
            assert_eq!(budget.excess(&limits()).is_some(), is_over, "{room}");
            budget.end();
        }
        budget.begin_step();
        assert_eq!(budget.excess(&limits()), None);
    }

    #[test]
    fn a8_budget_of_a_room_lasts_for_a_second() {
        let mut budget = ScriptBudget::default();
        for at in [0, 200, 400, 600] {
            assert_eq!(run(&mut budget, 1, at, [30, 0, 0]), None);
        }
        assert_eq!(run(&mut budget, 1, 999, [1, 0, 0]), Some((RuleLimit::TriggerLines, 120)));
        assert_eq!(budget.available_at(RoomId(1), &limits()), Some(GameTime(1_000)));
        assert_eq!(run(&mut budget, 2, 999, [30, 0, 0]), None, "another room");
        assert_eq!(run(&mut budget, 1, 1_000, [30, 0, 0]), None, "the next second");
    }

    #[test]
    fn a8_each_limit_ends_scripts() {
        let mut budget = ScriptBudget::default();
        assert_eq!(run(&mut budget, 1, 0, [1, 1_001, 0]), Some((RuleLimit::ScriptToldBytes, 1_000)));
        assert_eq!(run(&mut budget, 2, 0, [1, 0, 5_001]), Some((RuleLimit::ScriptWork, 5_000)));
        assert_eq!(run(&mut budget, 3, 0, [1, 1_000, 5_000]), None);
    }

    #[test]
    fn a8_rooms_without_recent_scripts_are_dropped() {
        let mut budget = ScriptBudget::default();
        for room in 0..10_000 {
            run(&mut budget, room, i64::from(room) * 10, [1, 0, 0]);
        }
        assert!(budget.rooms.len() <= ROOMS_KEPT + 101, "{}", budget.rooms.len());
    }
}
