//! Repeating tasks of start exits: when each runs, and for which exits. A task has the interval of the start room or of
//! the server, and runs for all exits of the room at once; an exit with another interval has other runs.

use crate::branch::start_room::{self, BranchSettingSource, Sourced};
use crate::state::timers::{TaskGroup, Timer};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, ExitId, GameTime, RoomId, Span};
use deepwell_core::catalog::StartTask;
use deepwell_core::world::{Exit, OwnTask};

/// Returns the group of an exit of a start room.
pub(crate) fn group_of(exit: &Exit, task: StartTask) -> TaskGroup {
    let own = exit.own_tasks.get(task);
    own.map_or(TaskGroup::Room(exit.room), |_| TaskGroup::Exit(exit.id))
}

/// Returns the group whose checks end a branch. A branch whose exit is gone belongs to its room.
pub(crate) fn group_of_branch(turn: &Turn, branch: BranchId) -> TaskGroup {
    let row = &turn.world.branches[branch];
    let exit = turn.world.exits.get(row.start_exit);
    exit.map_or(TaskGroup::Room(row.start_room), |exit| group_of(exit, StartTask::Check))
}

/// Returns the exits that a task runs for.
pub(crate) fn exits(turn: &Turn, group: TaskGroup, task: StartTask) -> Vec<ExitId> {
    match group {
        TaskGroup::Exit(exit) => vec![exit],
        TaskGroup::Room(room) => {
            let exits = turn.world.exits.of(room).filter(|exit| group_of(exit, task) == group);
            exits.map(|exit| exit.id).collect()
        }
    }
}

/// Returns the time of the next run of a task; `None` if the group is gone.
pub(crate) fn next_run(turn: &Turn, group: TaskGroup, task: StartTask) -> Option<GameTime> {
    match group {
        TaskGroup::Room(room) => Some(turn.world.start_tasks.get(room)?.next_at(task)),
        TaskGroup::Exit(exit) => Some(own_task(turn, exit, task)?.next_at),
    }
}

/// Returns the interval of a task.
pub(crate) fn interval(turn: &Turn, group: TaskGroup, task: StartTask) -> Sourced<Span> {
    let own = match group {
        TaskGroup::Exit(exit) => own_task(turn, exit, task).map(|own| own.interval),
        TaskGroup::Room(_) => None,
    };
    let dungeon = &turn.config.dungeon;
    let server = match task {
        StartTask::Reset => dungeon.reset_interval,
        StartTask::Check => dungeon.check_interval,
    };
    let room = group.room(&turn.world).and_then(|room| start_room::settings(turn, room)?.interval(task));
    start_room::first([(own, BranchSettingSource::Exit), (room, BranchSettingSource::Room)])
        .unwrap_or(Sourced(server, BranchSettingSource::Server))
}

fn own_task(turn: &Turn, exit: ExitId, task: StartTask) -> Option<OwnTask> {
    turn.world.exits.get(exit)?.own_tasks.get(task)
}

/// Stores the time of the next run of a task and schedules it.
fn schedule_at(turn: &mut Turn, group: TaskGroup, task: StartTask, at: GameTime) {
    match group {
        TaskGroup::Room(room) => turn.world.start_tasks.change(room, |tasks| *tasks.next_at_mut(task) = at),
        TaskGroup::Exit(exit) => turn.world.exits.change(exit, |row| {
            if let Some(own) = row.own_tasks.get_mut(task) {
                own.next_at = at;
            }
        }),
    };
    turn.timers.schedule(at, Timer::StartTask(group, task));
}

/// Schedules the run after the one at `due`. Returns `false` if the run at `due` is obsolete.
pub(crate) fn schedule_next_run(turn: &mut Turn, group: TaskGroup, task: StartTask, due: GameTime) -> bool {
    if next_run(turn, group, task) != Some(due) {
        return false;
    }
    let next = next_tick(due, interval(turn, group, task).0, turn.now);
    schedule_at(turn, group, task, next);
    true
}

/// Restarts the tasks of a start room, as after a change of its intervals.
pub(crate) fn restart(turn: &mut Turn, room: RoomId) {
    let group = TaskGroup::Room(room);
    for task in StartTask::ALL {
        let at = turn.now + interval(turn, group, task).0;
        schedule_at(turn, group, task, at);
    }
}

/// Brings the stored times of the tasks of a start room forward if they are later than its intervals allow, as after a
/// shorter interval was set. The caller schedules the tasks.
pub(crate) fn shorten_waits(turn: &mut Turn, room: RoomId) {
    for task in StartTask::ALL {
        let latest = turn.now + interval(turn, TaskGroup::Room(room), task).0;
        if turn.world.start_tasks[room].next_at(task) > latest {
            turn.world.start_tasks.change(room, |tasks| *tasks.next_at_mut(task) = latest);
        }
    }
}

/// Sets or clears the interval of an exit for a task. Without one the exit follows its room. Returns `false` if nothing
/// changes.
pub(crate) fn set_own_interval(
    turn: &mut Turn,
    exit: ExitId,
    task: StartTask,
    interval: Option<Span>,
) -> bool {
    if own_task(turn, exit, task).map(|own| own.interval) == interval {
        return false;
    }
    let own = interval.map(|interval| OwnTask { interval, next_at: turn.now + interval });
    turn.world.exits.change(exit, |row| *row.own_tasks.get_mut(task) = own);
    if let Some(own) = own {
        turn.timers.schedule(own.next_at, Timer::StartTask(TaskGroup::Exit(exit), task));
    }
    true
}

/// Schedules the tasks of all start rooms at their stored times. Returns the groups.
pub(crate) fn schedule_stored(turn: &mut Turn) -> Vec<TaskGroup> {
    let mut groups = Vec::new();
    for (room, _) in turn.world.start_tasks.iter() {
        groups.push(TaskGroup::Room(room));
        groups.extend(turn.world.exits.of(room).map(|exit| TaskGroup::Exit(exit.id)));
    }
    for group in &groups {
        for task in StartTask::ALL {
            if let Some(at) = next_run(turn, *group, task) {
                turn.timers.schedule(at, Timer::StartTask(*group, task));
            }
        }
    }
    groups
}

/// Returns the first tick of a periodic task after `now`; ticks missed while the server was down are merged.
fn next_tick(due: GameTime, interval: Span, now: GameTime) -> GameTime {
    let interval = interval.0.max(1);
    let missed = (now.0 - due.0).max(0) / interval;
    GameTime(due.0 + (missed + 1) * interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W2, W4: a long stall yields one late tick, and later ticks stay aligned.
    #[test]
    fn missed_ticks_are_merged() {
        let next = |due, now| next_tick(GameTime(due), Span(300), GameTime(now)).0;
        assert_eq!(
            [next(1000, 1000), next(1000, 1299), next(1000, 1300), next(1000, 9999)],
            [1300, 1300, 1600, 10_000]
        );
    }
}
