//! Cost of a step.

use deepwell_core::base::RoomId;
use deepwell_core::base::limits::Limits;

/// Work that a step may do besides a slice of work that is spread over steps: a command that concerns one room or one
/// zone of usual size, with all that follows from it.
const COMMAND: u64 = 6_000;
/// Work per player in the world, all of whom may be in the same room and see what happens: at a reset of exits, several
/// lines and as many descriptions of the room.
const PLAYER: u64 = 150;

/// Parts of a step that have a budget of scripts each: the timers and the input.
const PHASES: u64 = 2;
/// Work of the line of a script that exceeds the budget.
const LAST_LINE: u64 = 10_000;

/// Cost of a step. It depends only on the world and the inputs, unlike the time that the step takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepCost {
    /// Rows read or changed, other work of about that cost, and effects.
    pub work: u64,
    /// Name of the command or of the kind of input; that of a timer if the timers that were due did more work.
    pub cause: &'static str,
    /// Room of the character or of the timer, before the step; `None` if the cause concerns no room.
    pub room: Option<RoomId>,
    /// Set for the first step after a start, which visits all rows once.
    pub is_first: bool,
    /// Set if the step changed no row.
    pub is_read: bool,
    /// Part of the work that scripts of builders did.
    pub script_work: u64,
}

impl StepCost {
    /// Returns the excess as a sentence if a step does more work than is bounded in a world with this number of
    /// players: it probably grows with the world, and holds up all other players in a large one. The first step after a
    /// start and a reload of the content are exempt, because they happen while no player waits, or rarely.
    pub fn excess(&self, limits: &Limits, players: u64) -> Option<String> {
        let of_scripts = PHASES * (u64::from(limits.script_work) + LAST_LINE);
        let most =
            u64::from(limits.slice_work) + COMMAND + PLAYER * players + self.script_work.min(of_scripts);
        let is_exempt = self.is_first || self.cause == "content";
        let Self { work, cause, .. } = self;
        (*work > most && !is_exempt)
            .then(|| format!("the step {cause} did {work} units of work, and {most} is the limit"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excess_is_found_except_at_a_start() {
        let limits = Limits { slice_work: 1_000, script_work: 500, ..Limits::default() };
        let cost = StepCost {
            work: 7_601,
            cause: "find",
            room: None,
            is_first: false,
            is_read: false,
            script_work: 0,
        };
        let excess = cost.excess(&limits, 4);
        assert_eq!(excess.as_deref(), Some("the step find did 7601 units of work, and 7600 is the limit"));
        assert_eq!(cost.excess(&limits, 5), None);
        assert_eq!(StepCost { is_first: true, ..cost }.excess(&limits, 0), None);
        assert_eq!(StepCost { script_work: 1, ..cost }.excess(&limits, 4), None);
        let runaway = StepCost { work: 40_000, script_work: 40_000, ..cost };
        assert!(runaway.excess(&limits, 4).is_some(), "scripts beyond their budgets");
    }
}
