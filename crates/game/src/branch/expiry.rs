//! Branch expiry: start exits are reset at random, unused branches collapse, and players are moved out of a branch
//! before it is deleted. All deadlines are stored.

use crate::attack;
use crate::attack::loot;
use crate::branch::rooms::NOTICES;
use crate::branch::{asleep, cleanup, rooms, start_room};
use crate::character::stats;
use crate::effect::Class;
use crate::message::{notices, tell};
use crate::party::roll;
use crate::state::event::{GameEvent, Sound};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, Dice, ExitId, GameTime, Rare, RoomId, Span, Tally};
use deepwell_core::catalog::{AreaSettings, StartText};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{OwnTask, OwnTasks, StartSettings, StartTasks};

/// Installs the periodic tasks that make a room a start room.
pub(crate) fn install_start_tasks(turn: &mut Turn, room: RoomId) {
    let (next_reset_at, next_check_at) = (turn.now, turn.now);
    turn.world.start_tasks.put(StartTasks {
        room,
        next_reset_at,
        next_check_at,
        settings: StartSettings::default(),
    });
    start_room::restart_tasks(turn, room);
}

/// Applies the server's current settings to living branches, except where their exit or theme overrides them, and to the
/// tasks of start rooms: a shorter interval counts from now.
pub(crate) fn apply_current_settings(turn: &mut Turn) {
    let start_rooms: Vec<RoomId> = turn.world.start_tasks.iter().map(|(room, _)| room).collect();
    for room in start_rooms {
        start_room::shorten_waits(turn, room);
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
        turn.world.set_times(branch, chance, life);
    }
}

/// Applies the settings of a start room. If an interval changes, the periodic tasks restart.
pub(crate) fn set_start_settings(turn: &mut Turn, room: RoomId, settings: StartSettings) {
    let of = |settings: &StartSettings| (settings.reset_interval, settings.check_interval);
    let before = turn.world.start_tasks.get(room).map(|tasks| of(&tasks.settings));
    let comes_otherwise = before != Some(of(&settings));
    turn.world.start_tasks.change(room, |tasks| tasks.settings = settings);
    if comes_otherwise {
        start_room::restart_tasks(turn, room);
        schedule_warnings(turn, CheckGroup::With(room), turn.world.start_tasks[room].next_check_at);
    }
}

/// Applies (or clears) the interval overrides of a start exit from a file.
pub(crate) fn set_own_intervals(turn: &mut Turn, exit: ExitId, said: &AreaSettings) {
    let span = |secs: Option<u32>| secs.map(|secs| Span::secs(secs.into()));
    set_own_task(turn, exit, Task::Reset, span(said.reset_interval_secs));
    set_own_task(turn, exit, Task::Check, span(said.check_interval_secs));
}

/// Applies (or clears) the interval overrides of a start exit from a row. A task whose interval changes restarts.
pub(crate) fn set_own_tasks(turn: &mut Turn, exit: ExitId, tasks: OwnTasks) {
    set_own_task(turn, exit, Task::Reset, tasks.reset.map(|task| task.interval));
    set_own_task(turn, exit, Task::Check, tasks.check.map(|task| task.interval));
}

/// Periodic task of a start exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// Reset of the exit.
    Reset,
    /// Check for expired branches behind the exit.
    Check,
}

impl Task {
    fn of(self, tasks: &mut OwnTasks) -> &mut Option<OwnTask> {
        match self {
            Self::Reset => &mut tasks.reset,
            Self::Check => &mut tasks.check,
        }
    }

    const fn timer(self, exit: ExitId) -> Timer {
        match self {
            Self::Reset => Timer::ResetExit(exit),
            Self::Check => Timer::CheckExit(exit),
        }
    }
}

/// Sets or clears the interval override of a start exit's task. Without an override the exit follows its room.
pub(crate) fn set_own_task(turn: &mut Turn, exit: ExitId, task: Task, interval: Option<Span>) {
    let Some(row) = turn.world.exits.get(exit) else { return };
    let (room, mut tasks) = (row.room, *row.own_tasks);
    if task.of(&mut tasks).map(|own| own.interval) == interval {
        return;
    }
    let own = interval.map(|interval| OwnTask { interval, next_at: turn.now + interval });
    turn.world.exits.change(exit, |row| *task.of(&mut row.own_tasks) = own);
    if let Some(own) = own {
        turn.timers.schedule(own.next_at, task.timer(exit));
    }
    if task == Task::Check {
        match own {
            Some(own) => schedule_warnings(turn, CheckGroup::By(exit), own.next_at),
            None => {
                if let Some(check) = turn.world.start_tasks.get(room).map(|tasks| tasks.next_check_at) {
                    schedule_warnings(turn, CheckGroup::With(room), check);
                }
            }
        }
    }
}

/// Schedules, after a start, the overridden tasks of the exits of a start room at their stored times.
pub(crate) fn schedule_own_tasks(turn: &mut Turn, room: RoomId) {
    let exits: Vec<(ExitId, OwnTasks)> =
        turn.world.exits_of(room).map(|exit| (exit.id, *exit.own_tasks)).collect();
    for (exit, mut tasks) in exits {
        for task in [Task::Reset, Task::Check] {
            if let Some(own) = task.of(&mut tasks) {
                turn.timers.schedule(own.next_at, task.timer(exit));
            }
        }
        if let Some(own) = tasks.check {
            schedule_warnings(turn, CheckGroup::By(exit), own.next_at);
        }
    }
}

/// Schedules the next run of a start exit's task. Returns `false` if the run at `due` is obsolete.
fn schedule_next_run(turn: &mut Turn, exit: ExitId, task: Task, due: GameTime) -> bool {
    let Some(row) = turn.world.exits.get(exit) else { return false };
    let mut tasks = *row.own_tasks;
    let Some(own) = task.of(&mut tasks).filter(|own| own.next_at == due) else { return false };
    let next_at = next_tick(due, own.interval, turn.now);
    turn.world.exits.change(exit, |row| *task.of(&mut row.own_tasks) = Some(OwnTask { next_at, ..own }));
    turn.timers.schedule(next_at, task.timer(exit));
    true
}

/// Resets a start exit that has an interval override.
pub(crate) fn reset_exit(turn: &mut Turn, exit: ExitId, due: GameTime) {
    if schedule_next_run(turn, exit, Task::Reset, due) {
        unlink_at_random(turn, &[exit], due);
    }
}

/// Collapses expired branches behind a start exit that has an interval override, and warns those that will expire at
/// the next check.
pub(crate) fn check_exit(turn: &mut Turn, exit: ExitId, due: GameTime) {
    if schedule_next_run(turn, exit, Task::Check, due)
        && let Some(own) = turn.world.exits.get(exit).and_then(|row| row.own_tasks.check)
    {
        check_group(turn, CheckGroup::By(exit), own.next_at);
    }
}

/// Group of branches that are checked together for expiry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckGroup {
    /// Branches of a start room, except those behind exits with an interval override.
    With(RoomId),
    /// Branches behind a start exit with an interval override.
    By(ExitId),
}

fn are_checked(turn: &Turn, checked: CheckGroup, branch: BranchId) -> bool {
    let row = &turn.world.branches[branch];
    let own = turn.world.exits.get(row.start_exit).is_some_and(|exit| exit.own_tasks.check.is_some());
    match checked {
        CheckGroup::With(room) => row.start_room == room && !own,
        CheckGroup::By(exit) => row.start_exit == exit && own,
    }
}

/// Unlinks, at random, the exits of a start room whose guaranteed window has expired. The random seed depends only on
/// the due time, so a late run has the same result.
pub(crate) fn reset_exits(turn: &mut Turn, room: RoomId, due: GameTime) {
    if turn.world.start_tasks.get(room).is_none_or(|tasks| tasks.next_reset_at != due) {
        return;
    }
    let interval = start_room::reset_interval(turn, room).0;
    let next = next_tick(due, interval, turn.now);
    turn.world.start_tasks.change(room, |tasks| tasks.next_reset_at = next);
    turn.timers.schedule(next, Timer::ResetExits(room));
    let with_it = turn.world.exits_of(room).filter(|exit| exit.own_tasks.reset.is_none());
    let exits: Vec<ExitId> = with_it.map(|exit| exit.id).collect();
    unlink_at_random(turn, &exits, due);
}

/// Unlinks, at random, the start exits whose guaranteed window has expired.
fn unlink_at_random(turn: &mut Turn, exits: &[ExitId], due: GameTime) {
    let over: Vec<(ExitId, BranchId)> = exits
        .iter()
        .filter_map(|exit| Some((*exit, (*turn.world.exits.get(*exit)?.window)?)))
        .filter(|(_, window)| window.guaranteed_until <= turn.now)
        .map(|(exit, window)| (exit, window.branch))
        .collect();
    for (exit, branch) in over {
        let mut dice = turn.moment_seed("reset", exit.0, due).rng();
        if dice.up_to(999) < turn.world.branches[branch].reset_chance_permille {
            close_window(turn, exit, branch);
        }
    }
}

/// Unlinks a start exit from its branch. Inside the branch nothing changes.
pub(crate) fn close_window(turn: &mut Turn, exit: ExitId, branch: BranchId) {
    let now = turn.now;
    let first = turn.world.exits[exit].to;
    if let Some(row) = turn.world.exits.edit(exit) {
        row.to = None;
        row.window = Rare::usual();
    }
    if let Some(row) = turn.world.branches.edit(branch) {
        row.window_open = false;
        row.window_ends_at = now;
    }
    let (room, name) = (turn.world.exits[exit].room, turn.world.exits[exit].name.clone());
    tell::tell_room(
        turn,
        room,
        &[],
        Class::Notice,
        Markup::plain("Stone grinds on stone: the way ")
            .with(Style::Exit, &name)
            .and(" leads somewhere new now."),
    );
    turn.emit_event(GameEvent::RoomChanged { room });
    tell_inside(turn, branch);
    if let Some(room) = first {
        // The room's way out is now one-way.
        turn.emit_event(GameEvent::RoomChanged { room });
    }
    collapse_if_deserted(turn, branch);
    asleep::schedule_sleep(turn, branch);
}

/// Notifies players inside the branch that its entrance has closed.
fn tell_inside(turn: &mut Turn, branch: BranchId) {
    let words = "Far behind you stone grinds on stone, and a draught that you had not noticed is gone. The way in has \
                 closed: you can still walk out by it, but nobody comes back in.";
    for who in turn.world.members(branch) {
        if turn.world.rooms[turn.world.characters[who].room].branch == Some(branch) {
            notices::tell(turn, who, words);
        }
    }
}

/// Collapses branches that were idle for too long, and warns those that will expire at the next check. Only the expired
/// branches are read.
pub(crate) fn check_branches(turn: &mut Turn, room: RoomId, due: GameTime) {
    if turn.world.start_tasks.get(room).is_none_or(|tasks| tasks.next_check_at != due) {
        return;
    }
    let interval = start_room::check_interval(turn, room).0;
    let next = next_tick(due, interval, turn.now);
    turn.world.start_tasks.change(room, |tasks| tasks.next_check_at = next);
    turn.timers.schedule(next, Timer::CheckBranches(room));
    check_group(turn, CheckGroup::With(room), next);
}

/// Lets expired branches collapse by timers, and schedules the warnings before the next check.
fn check_group(turn: &mut Turn, checked: CheckGroup, next: GameTime) {
    let meant = |id: &BranchId| are_checked(turn, checked, *id);
    let expired: Vec<BranchId> = turn.world.branches_ending_by(turn.now).filter(meant).collect();
    for branch in &expired {
        turn.timers.schedule(turn.now, Timer::Expire(*branch));
    }
    schedule_warnings_except(turn, &expired, checked, next);
}

/// Collapses a branch that a check has found expired.
pub(crate) fn collapse_if_expired(turn: &mut Turn, branch: BranchId) {
    if turn.world.active_branch(branch).is_some_and(|row| row.ends_at() <= turn.now) {
        collapse(turn, branch);
    }
}

/// Schedules warnings for players in branches that will collapse by the given check, or soon after it.
pub(crate) fn schedule_warnings(turn: &mut Turn, checked: CheckGroup, check: GameTime) {
    schedule_warnings_except(turn, &[], checked, check);
}

fn schedule_warnings_except(turn: &mut Turn, collapsing: &[BranchId], checked: CheckGroup, check: GameTime) {
    let meant = |id: &BranchId| {
        are_checked(turn, checked, *id) && !turn.sleepers.is_doomed(*id) && !collapsing.contains(id)
    };
    let horizon = check + rooms::FIRST_NOTICE;
    let ending: Vec<BranchId> = turn.world.branches_ending_by(horizon).filter(meant).collect();
    for branch in ending {
        if let Some(collapse) = rooms::collapse_to_announce(turn, branch)
            && !rooms::schedule_collapse_warnings(turn, branch, collapse)
        {
            // The collapse is nearer than the last notice: a late warning is better than none.
            turn.timers.schedule(turn.now, Timer::Warn(branch));
        }
    }
}

/// Warns the members of a branch of the time left before it collapses.
pub(crate) fn warn_branch(turn: &mut Turn, branch: BranchId) {
    let Some(row) = turn.world.active_branch(branch) else { return };
    let Some(collapse) = rooms::collapse_time(turn, branch) else { return };
    let left = Span(collapse.0 - turn.now.0);
    let due = NOTICES.iter().filter(|notice| left <= **notice).count();
    let due = u32::try_from(due).unwrap_or(0);
    if row.warnings >= due {
        return;
    }
    let words = Markup::styled(
        Style::Harm,
        &format!("Dust trickles from above. If nothing stirs here, this place collapses within {left}."),
    );
    turn.world.branches.change(branch, |row| row.warnings = due);
    for member in turn.world.members(branch) {
        turn.emit_event(GameEvent::Sounded { who: member, sound: Sound::Collapse });
        tell::tell(turn, member, Class::Notice, words.clone());
    }
}

/// Deletes an empty branch immediately if no exit leads into it.
pub(crate) fn collapse_if_deserted(turn: &mut Turn, branch: BranchId) {
    let closed = turn.world.active_branch(branch).is_some_and(|row| !row.window_open);
    if closed && turn.world.branch_index(branch).is_some_and(|index| index.members.is_empty()) {
        collapse(turn, branch);
    }
}

/// Ends a branch; one that is asleep when it has woken. One batch moves all members to the start room and unlinks the
/// branch; then its creatures, exits, rooms and floors are deleted, and the branch last. Work beyond the limit of one
/// step is left to later steps, so that no command waits for it.
pub(crate) fn collapse(turn: &mut Turn, branch: BranchId) {
    if turn.world.is_asleep(branch) {
        return turn.sleepers.doom(branch);
    }
    let Some(row) = turn.world.active_branch(branch) else { return };
    let (start_room, start_exit) = (row.start_room, row.start_exit);
    if turn.world.exits.get(start_exit).and_then(|e| *e.window).is_some_and(|w| w.branch == branch)
        && let Some(exit) = turn.world.exits.edit(start_exit)
    {
        exit.to = None;
        exit.window = Rare::usual();
    }
    roll::settle_rolls_in(turn, branch);
    turn.emit_event(GameEvent::Collapsed { branch });
    for member in turn.world.members(branch) {
        evacuate(turn, member, start_room);
    }
    turn.world.expire_branch(branch);
    turn.outbox.count(Tally::BranchesCollapsed);
    cleanup::delete_collapsed(turn);
    turn.emit_event(GameEvent::RoomChanged { room: start_room });
}

fn evacuate(turn: &mut Turn, member: CharacterId, start_room: RoomId) {
    let awake = turn.world.characters[member].awake;
    turn.emit_event(GameEvent::Sounded { who: member, sound: Sound::Collapse });
    let words = Markup::styled(Style::Harm, start_room::text(turn, start_room, StartText::Collapse));
    notices::tell(turn, member, words);
    attack::stop_fights_of(turn, member);
    stats::end_incapacitation(turn, member);
    stats::get_up(turn, member);
    attack::forget(turn, member);
    turn.world.move_character(member, start_room);
    turn.world.set_membership(member, None);
    loot::secure_run(turn, member);
    if awake {
        let seen = format!(" {}", start_room::text(turn, start_room, StartText::CollapseSeen));
        tell::tell_others(turn, member, Class::Movement, &seen);
        let words = start_room::text(turn, start_room, StartText::CollapseEnd).to_owned();
        tell::tell(turn, member, Class::Notice, words);
        turn.emit_event(GameEvent::SawRoom { who: member });
    }
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
