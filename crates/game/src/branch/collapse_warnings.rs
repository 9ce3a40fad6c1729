//! Warnings of the members of a branch before it collapses.

use crate::branch::tasks;
use crate::effect::Class;
use crate::message::tell;
use crate::state::event::{GameEvent, Sound};
use crate::state::timers::{TaskGroup, Timer};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, GameTime, Span};
use deepwell_core::catalog::StartTask;
use deepwell_core::text::{Markup, Style};

/// Times before a collapse at which members are warned.
const NOTICES: &[Span] = &[FIRST_NOTICE, Span::mins(1)];

/// Time before a collapse of the first warning.
pub(crate) const FIRST_NOTICE: Span = Span::mins(10);

/// Returns the time of the next age check of a branch, and that of the check at which it collapses if nothing happens
/// in it.
fn checks(turn: &Turn, branch: BranchId) -> Option<(GameTime, GameTime)> {
    let row = turn.world.branches.get(branch)?;
    let group = tasks::group_of_branch(turn, branch);
    let next_at = tasks::next_run(turn, group, StartTask::Check)?;
    let interval = tasks::interval(turn, group, StartTask::Check).0.0.max(1);
    let lives_on = (row.ends_at().0 - next_at.0).max(0);
    let more = lives_on / interval + i64::from(lives_on % interval > 0);
    Some((next_at, GameTime(next_at.0 + more * interval)))
}

/// Returns the time at which a branch collapses if nothing happens in it.
pub(crate) fn collapse_time(turn: &Turn, branch: BranchId) -> Option<GameTime> {
    checks(turn, branch).map(|(_, collapse)| collapse)
}

/// Returns the collapse time of a branch whose first warning is due before the check after the next, which schedules
/// later ones.
fn collapse_to_announce(turn: &Turn, branch: BranchId) -> Option<GameTime> {
    let (next, collapse) = checks(turn, branch)?;
    (collapse - FIRST_NOTICE <= next).then_some(collapse)
}

/// Schedules the remaining warnings of a collapse. Returns `false` if none remain.
fn schedule_remaining(turn: &mut Turn, branch: BranchId, collapse: GameTime) -> bool {
    let ahead = NOTICES.iter().map(|notice| collapse - *notice).filter(|at| *at > turn.now);
    ahead.map(|at| turn.timers.schedule(at, Timer::Warn(branch))).count() > 0
}

/// Schedules the warnings of a branch whose age has been reset, if the first is due before the next check.
pub(super) fn reschedule(turn: &mut Turn, branch: BranchId) {
    if let Some(collapse) = collapse_to_announce(turn, branch) {
        schedule_remaining(turn, branch, collapse);
    }
}

/// Schedules warnings for players in branches that will collapse by the next check or soon after it, except those that
/// collapse now.
pub(super) fn schedule(turn: &mut Turn, group: TaskGroup, collapsing: &[BranchId]) {
    let Some(check) = tasks::next_run(turn, group, StartTask::Check) else { return };
    let is_meant = |branch: &BranchId| {
        tasks::group_of_branch(turn, *branch) == group
            && !turn.sleepers.is_doomed(*branch)
            && !collapsing.contains(branch)
    };
    let ending: Vec<BranchId> =
        turn.world.branches.ending_by(check + FIRST_NOTICE).filter(is_meant).collect();
    for branch in ending {
        if let Some(collapse) = collapse_to_announce(turn, branch)
            && !schedule_remaining(turn, branch, collapse)
        {
            // The collapse is nearer than the last notice: a late warning is better than none.
            turn.timers.schedule(turn.now, Timer::Warn(branch));
        }
    }
}

/// Warns the members of a branch of the time left before it collapses.
pub(crate) fn warn(turn: &mut Turn, branch: BranchId) {
    let Some(row) = turn.world.branches.active(branch) else { return };
    let Some(collapse) = collapse_time(turn, branch) else { return };
    let left = Span(collapse.0 - turn.now.0);
    let due = NOTICES.iter().filter(|notice| left <= **notice).count();
    let due = u32::try_from(due).unwrap_or(0);
    if row.warnings >= due {
        return;
    }
    let message = Markup::styled(
        Style::Harm,
        &format!("Dust trickles from above. If nothing stirs here, this place collapses within {left}."),
    );
    turn.world.branches.change(branch, |row| row.warnings = due);
    for member in turn.world.branches.members(branch) {
        turn.emit_event(GameEvent::Sounded { who: member, sound: Sound::Collapse });
        tell::tell(turn, member, Class::Notice, message.clone());
    }
}
