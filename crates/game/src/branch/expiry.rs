//! Branch expiry: the tasks of start exits, which close windows and let expired branches collapse, and the settings that
//! these follow. All deadlines are stored.

use crate::branch::{collapse_warnings, tasks, window};
use crate::state::timers::{TaskGroup, Timer};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, ExitId, GameTime, RoomId};
use deepwell_core::catalog::{StartSettings, StartTask};
use deepwell_core::world::StartTasks;

/// Installs the tasks that make a room a start room.
pub(crate) fn install_start_tasks(turn: &mut Turn, room: RoomId) {
    let (next_reset_at, next_check_at) = (turn.now, turn.now);
    turn.world.start_tasks.put(StartTasks {
        room,
        next_reset_at,
        next_check_at,
        settings: StartSettings::default(),
    });
    tasks::restart(turn, room);
}

/// Applies the server's current settings to living branches, except where their exit or theme overrides them, and to the
/// tasks of start rooms: a shorter interval counts from now.
pub(crate) fn apply_current_settings(turn: &mut Turn) {
    let start_rooms: Vec<RoomId> = turn.world.start_tasks.iter().map(|(room, _)| room).collect();
    for room in start_rooms {
        tasks::shorten_waits(turn, room);
    }
    let (chance, life) = (turn.config.dungeon.reset_chance_permille, turn.config.dungeon.max_life);
    let changed: Vec<_> = turn
        .world
        .branches
        .iter()
        .map(|(id, row)| {
            (id, row, row.times.reset_chance_permille.unwrap_or(chance), row.times.max_life.unwrap_or(life))
        })
        .filter(|(_, row, chance, life)| (row.reset_chance_permille, row.max_life) != (*chance, *life))
        .map(|(id, _, chance, life)| (id, chance, life))
        .collect();
    for (branch, chance, life) in changed {
        turn.world.branches.set_times(branch, chance, life);
    }
}

/// Applies the settings of a start room. If an interval changes, its tasks restart.
pub(crate) fn set_start_settings(turn: &mut Turn, room: RoomId, settings: StartSettings) {
    let intervals = |settings: &StartSettings| StartTask::ALL.map(|task| settings.interval(task));
    let before = turn.world.start_tasks.get(room).map(|tasks| intervals(&tasks.settings));
    let restarts = before != Some(intervals(&settings));
    turn.world.start_tasks.change(room, |tasks| tasks.settings = settings);
    if restarts {
        tasks::restart(turn, room);
        collapse_warnings::schedule(turn, TaskGroup::Room(room), &[]);
    }
}

/// Applies the settings of an exit; those that are not set follow its room. A task whose interval changes restarts.
pub(crate) fn set_exit_settings(turn: &mut Turn, exit: ExitId, settings: &StartSettings) {
    turn.world.exits.change(exit, |row| row.settings = settings.exits.clone().into());
    for task in StartTask::ALL {
        let is_changed = tasks::set_own_interval(turn, exit, task, settings.interval(task));
        if is_changed && task == StartTask::Check {
            let group = tasks::group_of(&turn.world.exits[exit], task);
            collapse_warnings::schedule(turn, group, &[]);
        }
    }
}

/// Schedules the tasks of start rooms at their stored times, with the warnings of collapses.
pub(crate) fn schedule_tasks(turn: &mut Turn) {
    for group in tasks::schedule_stored(turn) {
        collapse_warnings::schedule(turn, group, &[]);
    }
}

/// Carries out a task of start exits, unless the run at `due` is obsolete.
pub(crate) fn run_task(turn: &mut Turn, group: TaskGroup, task: StartTask, due: GameTime) {
    if !tasks::schedule_next_run(turn, group, task, due) {
        return;
    }
    match task {
        StartTask::Reset => window::close_at_random(turn, &tasks::exits(turn, group, task), due),
        StartTask::Check => check(turn, group),
    }
}

/// Lets expired branches collapse by timers, and warns those that will expire at the next check. Only the expired
/// branches are read.
fn check(turn: &mut Turn, group: TaskGroup) {
    let ended = turn.world.branches.ending_by(turn.now);
    let expired: Vec<BranchId> =
        ended.filter(|branch| tasks::group_of_branch(turn, *branch) == group).collect();
    for branch in &expired {
        turn.timers.schedule(turn.now, Timer::Expire(*branch));
    }
    collapse_warnings::schedule(turn, group, &expired);
}
