//! Charges scripts with their lines, texts and work, and ends them when the budgets of `state/scripts/budget.rs` are used up.

use crate::character::variables::Subjects;
use crate::creature::script::call;
use crate::turn::Turn;
use deepwell_core::base::RoomId;

/// Bytes of text for one listener that count as one unit of work.
const BYTES_PER_WORK: usize = 16;

/// Does work of scripts that began in a room, and charges it to the budgets of the step and of that room.
pub(in crate::creature) fn charged<T>(turn: &mut Turn, room: RoomId, run: impl FnOnce(&mut Turn) -> T) -> T {
    if !turn.scripts.begin(room, turn.now, turn.world.work()) {
        return run(turn);
    }
    turn.outbox.begin_count();
    let result = run(turn);
    charge(turn, 0);
    turn.outbox.end_count();
    turn.scripts.end();
    result
}

/// Charges the running scripts with lines, and with all work and text since the last charge.
fn charge(turn: &mut Turn, lines: u64) {
    let sizes = turn.outbox.take_told();
    turn.world.note_work(sizes.texts + sizes.all_bytes / BYTES_PER_WORK);
    turn.scripts.charge(lines, sizes.most_bytes, turn.world.work());
}

/// Charges a line. Returns `false` if it must not run.
pub(in crate::creature) fn may_run_line(turn: &mut Turn, subjects: Subjects) -> bool {
    charge(turn, 1);
    may_go_on(turn, subjects)
}

/// Returns `true` while the budgets of scripts last. Otherwise builders are told, once in a step.
pub(in crate::creature) fn may_go_on(turn: &mut Turn, subjects: Subjects) -> bool {
    charge(turn, 0);
    let Some((limit, most)) = turn.scripts.excess(&turn.config.limits) else { return true };
    if turn.scripts.may_report() {
        let setting = limit.setting();
        let message = format!(
            "scripts here do more at once, or in a second, than {setting} allows: {most}; the rest is skipped"
        );
        call::report_lines(turn, subjects, &message);
        turn.outbox.count_limit(limit);
    }
    false
}

/// Returns `true` if the budgets of scripts are used up, in the middle of a line.
pub(in crate::creature) fn is_used_up(turn: &mut Turn) -> bool {
    charge(turn, 0);
    turn.scripts.excess(&turn.config.limits).is_some()
}
