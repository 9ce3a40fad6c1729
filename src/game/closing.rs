//! How branches end: start exits are reset by chance, branches that nobody uses collapse, and before a branch goes
//! everybody is moved out of it. All of it hangs on deadlines that are stored.

use crate::base::{BranchId, CharacterId, Dice, ExitId, GameTime, RoomId, Span};
use crate::game::sound::Sound;
use crate::game::{Class, Game, Timer, moment_seed};
use crate::text::{Markup, Style};
use crate::world::{Remnant, StartTasks};

/// How long before a collapse the people inside are told.
const NOTICES: [Span; 2] = [Span::mins(10), Span::mins(1)];

/// How long the game attends to others between two slices of what is cleared away.
const CLEARING_PAUSE: Span = Span::millis(20);

impl Game {
    /// The tasks that make a room the start of a dungeon.
    pub(crate) fn install_start_tasks(&mut self, room: RoomId) {
        let tasks = StartTasks {
            room,
            next_reset_at: self.now + self.config.dungeon.reset_interval,
            next_check_at: self.now + self.config.dungeon.check_interval,
        };
        self.world.start_tasks.put(room, tasks);
        self.timers.schedule(tasks.next_reset_at, Timer::ResetExits(room));
        self.timers.schedule(tasks.next_check_at, Timer::CheckBranches(room));
    }

    /// Living branches follow the server's settings of today, but for what their exit or theme said.
    pub(super) fn follow_settings(&mut self) {
        let (chance, life) = (self.config.dungeon.reset_chance_permille, self.config.dungeon.max_life);
        let changed: Vec<_> = self
            .world
            .branches
            .iter()
            .map(|(id, row)| {
                (
                    id,
                    row,
                    row.times.reset_chance_permille.unwrap_or(chance),
                    row.times.max_life.unwrap_or(life),
                )
            })
            .filter(|(_, row, chance, life)| (row.reset_chance_permille, row.max_life) != (*chance, *life))
            .map(|(id, _, chance, life)| (id, chance, life))
            .collect();
        for (branch, chance, life) in changed {
            self.world.set_times(branch, chance, life);
        }
    }

    /// Each exit whose guaranteed window is over is unlinked by chance. The draw depends on the moment that
    /// was due alone, so that it is the same whenever it is carried out.
    pub(super) fn reset_exits(&mut self, room: RoomId, due: GameTime) {
        if self.world.start_tasks.get(room).is_none_or(|tasks| tasks.next_reset_at != due) {
            return;
        }
        let interval = self.config.dungeon.reset_interval;
        let next = next_tick(due, interval, self.now);
        if let Some(tasks) = self.world.start_tasks.edit(room) {
            tasks.next_reset_at = next;
        }
        self.timers.schedule(next, Timer::ResetExits(room));
        let over: Vec<(ExitId, BranchId)> = self
            .world
            .exits_of(room)
            .filter_map(|exit| Some((exit.id, exit.window?)))
            .filter(|(_, window)| window.guaranteed_until <= self.now)
            .map(|(exit, window)| (exit, window.branch))
            .collect();
        for (exit, branch) in over {
            let mut dice = moment_seed(self.world.meta().seed, "reset", exit.0, due).rng();
            if dice.up_to(999) < self.world.branches[branch].reset_chance_permille {
                self.close_window(exit, branch);
            }
        }
    }

    /// The start exit leads elsewhere from now on; inside nothing changes.
    pub(crate) fn close_window(&mut self, exit: ExitId, branch: BranchId) {
        let now = self.now;
        if let Some(row) = self.world.exits.edit(exit) {
            row.to = None;
            row.window = None;
        }
        if let Some(row) = self.world.branches.edit(branch) {
            row.window_open = false;
            row.window_ends_at = now;
        }
        let (room, name) = (self.world.exits[exit].room, self.world.exits[exit].name.clone());
        self.tell_room(
            room,
            &[],
            Class::Notice,
            Markup::plain("Stone grinds on stone: the way ")
                .with(Style::Exit, &name)
                .and(" leads somewhere new now."),
        );
        self.send_change(room);
        self.collapse_if_deserted(branch);
    }

    /// Branches in which nothing happened for too long collapse; those that would at the next check are warned.
    /// Only branches that are old are looked at.
    pub(super) fn check_branches(&mut self, room: RoomId, due: GameTime) {
        if self.world.start_tasks.get(room).is_none_or(|tasks| tasks.next_check_at != due) {
            return;
        }
        let interval = self.config.dungeon.check_interval;
        let next = next_tick(due, interval, self.now);
        if let Some(tasks) = self.world.start_tasks.edit(room) {
            tasks.next_check_at = next;
        }
        self.timers.schedule(next, Timer::CheckBranches(room));
        let of_room = |id: &BranchId| self.world.branches[*id].start_room == room;
        let old: Vec<BranchId> = self.world.branches_ending_by(self.now).filter(of_room).collect();
        for branch in old {
            self.collapse(branch);
        }
        self.schedule_warnings(room, next);
    }

    /// Sees to it that the people in branches that will be too old at a check are told before.
    pub(super) fn schedule_warnings(&mut self, room: RoomId, check: GameTime) {
        let of_room = |id: &BranchId| self.world.branches[*id].start_room == room;
        let doomed: Vec<BranchId> = self.world.branches_ending_by(check).filter(of_room).collect();
        for branch in doomed {
            if !self.warn_ahead(branch, check) {
                // The check is nearer than the last notice: better late than not at all.
                self.timers.schedule(self.now, Timer::Warn(branch));
            }
        }
    }

    /// Schedules those notices of a collapse at `check` that still lie ahead; false if none does.
    fn warn_ahead(&mut self, branch: BranchId, check: GameTime) -> bool {
        let ahead = NOTICES.map(|notice| check - notice).into_iter().filter(|at| *at > self.now);
        ahead.map(|at| self.timers.schedule(at, Timer::Warn(branch))).count() > 0
    }

    /// Something happened in a branch: its age counts from here. Where lives are shorter than the time between
    /// two checks, its end may be in sight already.
    pub(super) fn refresh(&mut self, branch: BranchId) {
        let now = self.now;
        self.world.refresh_branch(branch, now);
        let (start, ends_at) =
            (self.world.branches[branch].start_room, self.world.branches[branch].ends_at());
        let check = self.world.start_tasks.get(start).map(|tasks| tasks.next_check_at);
        if let Some(check) = check.filter(|check| ends_at <= *check) {
            self.warn_ahead(branch, check);
        }
    }

    /// Tells the people in a branch when it will collapse if they go on doing nothing.
    pub(super) fn warn_branch(&mut self, branch: BranchId) {
        let Some(row) = self.world.living_branch(branch) else { return };
        let Some(tasks) = self.world.start_tasks.get(row.start_room) else { return };
        if row.ends_at() > tasks.next_check_at {
            return;
        }
        let left = Span(tasks.next_check_at.0 - self.now.0);
        let due = NOTICES.iter().filter(|notice| left <= **notice).count();
        let due = u32::try_from(due).unwrap_or(0).max(1);
        if row.warnings >= due {
            return;
        }
        let words = Markup::styled(
            Style::Harm,
            &format!("Dust trickles from above. If nothing stirs here, this place collapses within {left}."),
        );
        if let Some(row) = self.world.branches.edit(branch) {
            row.warnings = due;
        }
        for member in self.world.members(branch) {
            self.sounds(member, Sound::Collapse);
            self.tell(member, Class::Notice, words.clone());
        }
    }

    /// A branch that nobody is in and nobody can enter is gone at once.
    pub(crate) fn collapse_if_deserted(&mut self, branch: BranchId) {
        let closed = self.world.living_branch(branch).is_some_and(|row| !row.window_open);
        if closed && self.world.branch_index(branch).is_some_and(|index| index.members.is_empty()) {
            self.collapse(branch);
        }
    }

    /// The end of a branch: in one batch everybody is moved to the start room and nothing leads in any more; then its
    /// creatures, exits, rooms and floors go, and last the branch itself. What is too much for this step is
    /// cleared away in later ones, so that nobody has to wait for it.
    pub(crate) fn collapse(&mut self, branch: BranchId) {
        let Some(row) = self.world.living_branch(branch) else { return };
        let (start_room, start_exit) = (row.start_room, row.start_exit);
        if self.world.exits.get(start_exit).and_then(|e| e.window).is_some_and(|w| w.branch == branch)
            && let Some(exit) = self.world.exits.edit(start_exit)
        {
            exit.to = None;
            exit.window = None;
        }
        self.settle_rolls_in(branch);
        self.forget_trials(branch);
        for member in self.world.members(branch) {
            self.throw_out(member, start_room);
        }
        self.world.make_rubble(branch);
        self.clear_rubble();
        self.send_change(start_room);
    }

    /// After a start: what was not cleared away before goes on going.
    pub(super) fn schedule_clearing(&mut self) {
        if self.world.rubble().is_some() && self.clearing_at.is_none() {
            let at = self.now + CLEARING_PAUSE;
            self.clearing_at = Some(at);
            self.timers.schedule(at, Timer::ClearAway);
        }
    }

    /// The next slice of what is to be cleared away.
    pub(super) fn clear_more(&mut self, due: GameTime) {
        if self.clearing_at == Some(due) {
            self.clearing_at = None;
            self.clear_rubble();
        }
    }

    /// Clears away as much of collapsed branches as this step may, and leaves the rest to the next ones.
    fn clear_rubble(&mut self) {
        while self.clearing_left > 0
            && let Some(branch) = self.world.rubble()
        {
            let rows = self.clear_remnant(branch);
            self.clearing_left = self.clearing_left.saturating_sub(rows.max(1));
        }
        self.schedule_clearing();
    }

    /// Clears away one thing of a collapsed branch; how many rows that touched.
    fn clear_remnant(&mut self, branch: BranchId) -> u32 {
        let rows = |things: usize| u32::try_from(things).unwrap_or(u32::MAX);
        match self.world.next_remnant(branch) {
            Some(Remnant::Mob(mob)) => {
                let carried = self.world.carried(mob).len();
                self.stop_fights_of(mob);
                self.forgets(mob);
                self.world.remove_character(mob);
                rows(1 + carried)
            }
            Some(Remnant::Exits(room)) => self.world.cut_off(room),
            Some(Remnant::Room(room)) => {
                self.save_belongings(room, self.world.branches[branch].start_room);
                if let Some(item) = self.world.floor(room).first().copied() {
                    // Each is a row of its own and one of the ledger.
                    let things = self.world.with_contents(item).len();
                    self.world.remove_item(item, "collapse");
                    return rows(2 * things);
                }
                self.world.remove_room(room);
                1
            }
            Some(Remnant::Floor(floor)) => {
                self.world.floors.remove(floor);
                1
            }
            Some(Remnant::Branch) | None => {
                self.world.remove_branch(branch);
                1
            }
        }
    }

    fn throw_out(&mut self, member: CharacterId, start_room: RoomId) {
        let awake = self.world.characters[member].awake;
        self.sounds(member, Sound::Collapse);
        self.tell(
            member,
            Class::Notice,
            Markup::styled(
                Style::Harm,
                "The silent room rumbles, the walls give way, and all of it collapses into the dark.",
            ),
        );
        self.stop_fights_of(member);
        self.gets_on_its_feet(member);
        self.gets_up(member);
        self.forgets(member);
        self.world.move_character(member, start_room);
        self.world.set_membership(member, None);
        self.secure_run(member);
        if awake {
            self.tell_room(
                start_room,
                &[member],
                Class::Movement,
                self.name_of(member).and(" stumbles out of the dark, grey with dust."),
            );
            self.tell(member, Class::Notice, "You stand where you began, coughing, with dust in your hair.");
            self.show_room(member);
        }
    }
}

/// The first tick of a repeating task after now: what was missed while the server was down happens once.
fn next_tick(due: GameTime, interval: Span, now: GameTime) -> GameTime {
    let interval = interval.0.max(1);
    let missed = (now.0 - due.0).max(0) / interval;
    GameTime(due.0 + (missed + 1) * interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W2, W4: a long stall is one late tick, and the rhythm is kept.
    #[test]
    fn missed_ticks_happen_once() {
        let next = |due, now| next_tick(GameTime(due), Span(300), GameTime(now)).0;
        assert_eq!(
            [next(1000, 1000), next(1000, 1299), next(1000, 1300), next(1000, 9999)],
            [1300, 1300, 1600, 10_000]
        );
    }
}
