//! The life of branches: opened by whoever takes a start exit, shared while the window lasts, grown room by room,
//! reset, checked for age, and collapsed after everybody has been moved out (E5 to E12, E42 to E50).

use crate::base::{BranchId, CharacterId, ExitId, GameTime, Point, RoomId, Span};
use crate::base::{Dice, Direction};
use crate::dungeon::{self, BranchSpec, GrowSettings, RoomPlan};
use crate::game::command::Refusal;
use crate::game::{Class, Game, Timer, moment_seed};
use crate::text::{Markup, Style};
use crate::world::{
    Branch, BranchSettings, Challenge, Exit, ExitKind, ExitState, Item, OpenWindow, Place, Room, StartTasks,
};

/// How long before a collapse the people inside are told (E48).
const NOTICES: [Span; 2] = [Span::mins(10), Span::mins(1)];

impl Game {
    /// Through a start exit: into the branch it leads to, or into a new one (E6, E7, E45).
    pub(super) fn enter_branch(&mut self, exit: &Exit) -> Result<RoomId, Refusal> {
        if let Some(room) = exit.to {
            return Ok(room);
        }
        if self.world.branches.len() >= self.config.limits.branches as usize {
            return Err(Refusal::TooManyBranches);
        }
        let direction = exit.direction.filter(|d| Direction::PLANE.contains(d)).ok_or(Refusal::NoWay)?;
        let branch = self.new_branch(exit);
        let made = self.grow(branch, 1, Point::ORIGIN, direction, Some(exit.id), exit.room)?;
        let guaranteed_until = self.world.branches[branch].window_ends_at;
        if let Some(row) = self.world.exits.edit(exit.id) {
            row.to = Some(made);
            row.state = ExitState::Open;
            row.window = Some(OpenWindow { branch, guaranteed_until });
        }
        Ok(made)
    }

    fn new_branch(&mut self, exit: &Exit) -> BranchId {
        let id = self.world.new_branch_id();
        let dungeon = &self.config.dungeon;
        let theme_key = exit.settings.theme.clone().unwrap_or_else(|| DEFAULT_THEME.into());
        let theme = self.catalog.themes.get(&theme_key);
        let from_theme = theme.map(|theme| theme.settings).unwrap_or_default();
        let set: &BranchSettings = &exit.settings;
        let generator = set.generator.clone().or_else(|| theme.map(|theme| theme.generator.clone()));
        let now = self.now;
        let branch = Branch {
            id,
            name: format!("{}-{}", exit.name, now.0),
            seed: self.world.meta().seed.named("branch").numbered(u64::from(id.0)),
            theme: theme_key,
            generator: generator.unwrap_or_default(),
            start_room: exit.room,
            start_exit: exit.id,
            opened_at: now,
            window_ends_at: now + dungeon.window,
            window_open: true,
            last_updated_at: now,
            warnings: 0,
            max_unexplored_exits: set
                .max_unexplored_exits
                .or(dungeon.max_unexplored_exits)
                .unwrap_or(from_theme.max_unexplored_exits),
            max_new_exits_per_room: set
                .max_new_exits_per_room
                .or(dungeon.max_new_exits_per_room)
                .unwrap_or(from_theme.max_new_exits_per_room),
            finishable: set.finishable.or(dungeon.finishable).unwrap_or(from_theme.finishable),
            difficulty_per_floor: theme.map_or(5, |theme| theme.difficulty_per_floor),
            rooms_made: 0,
            greatest_depth: 0,
        };
        self.world.add_branch(branch);
        id
    }

    /// Through an unexplored exit: the room behind it comes to be (E11).
    pub(super) fn open_room(&mut self, exit: &Exit) -> Result<RoomId, Refusal> {
        let from = &self.world.rooms[exit.room];
        let (branch, direction) = from.branch.zip(exit.direction).ok_or(Refusal::NoWay)?;
        if self.world.branches[branch].rooms_made >= self.config.limits.rooms_per_branch {
            return Err(Refusal::BranchFull);
        }
        let (floor, at) = (from.floor, from.at);
        let made = self.grow(branch, floor, at, direction, Some(exit.id), exit.room)?;
        if let Some(row) = self.world.exits.edit(exit.id) {
            row.to = Some(made);
            row.state = ExitState::Open;
        }
        self.tell_if_finished(branch, made);
        Ok(made)
    }

    fn grow(
        &mut self,
        branch: BranchId,
        floor: u32,
        from: Point,
        direction: Direction,
        made_by: Option<ExitId>,
        back_to: RoomId,
    ) -> Result<RoomId, Refusal> {
        let row = &self.world.branches[branch];
        let (spec, index) = (spec_of(row), row.rooms_made);
        let catalog = std::sync::Arc::clone(&self.catalog);
        let frontier = self.world.frontier_mut(branch, floor).ok_or(Refusal::NoWay)?;
        let plan = dungeon::open_room(&spec, &catalog, frontier, floor, from, direction, index);
        Ok(self.build(branch, floor, &plan, direction, made_by, back_to))
    }

    /// Makes a planned room real: the room, its way back (E13), its new exits, the older exits that lead into it
    /// from now on (E18), and whatever waits in it.
    fn build(
        &mut self,
        branch: BranchId,
        floor: u32,
        plan: &RoomPlan,
        direction: Direction,
        made_by: Option<ExitId>,
        back_to: RoomId,
    ) -> RoomId {
        let id = self.world.new_room_id();
        let area = self.world.branches[branch].theme.clone();
        self.world.add_room(Room {
            id,
            kind: plan.kind,
            name: plan.name.clone(),
            aliases: Vec::new(),
            description: plan.description.clone(),
            environment: plan.environment.clone(),
            area,
            branch: Some(branch),
            floor,
            at: plan.at,
            depth: plan.depth,
            difficulty: plan.difficulty,
            clear: plan.clear,
            challenge: Challenge {
                lever_pulls: plan.challenge.lever_pulls,
                reward: if plan.clear { Vec::new() } else { plan.challenge.items.clone() },
                ..Challenge::default()
            },
            made_by,
        });
        self.new_exit(id, direction.opposite(), ExitState::Open, Some(back_to), true);
        for new in &plan.new_exits {
            self.new_exit(id, *new, ExitState::Unexplored, None, false);
        }
        for (at, direction) in &plan.joined {
            self.join(branch, floor, *at, *direction, id);
        }
        for mob in &plan.challenge.creatures {
            self.spawn_mob(mob, id, Some(branch));
        }
        if plan.clear {
            for item in &plan.challenge.items {
                self.spawn_item(item, Place::Room(id));
            }
        }
        let now = self.now;
        self.world.refresh_branch(branch, now);
        if let Some(row) = self.world.branches.edit(branch) {
            row.rooms_made += 1;
            row.greatest_depth = row.greatest_depth.max(plan.depth);
        }
        id
    }

    fn new_exit(
        &mut self,
        room: RoomId,
        direction: Direction,
        state: ExitState,
        to: Option<RoomId>,
        back: bool,
    ) {
        let id = self.world.new_exit_id();
        let description = match (back, to) {
            (true, _) => "That is the way you came.".into(),
            _ => String::new(),
        };
        self.world.add_exit(Exit {
            id,
            room,
            name: direction.name().into(),
            aliases: vec![direction.letter().into()],
            direction: Some(direction),
            kind: ExitKind::Exit,
            state,
            to,
            back,
            description,
            settings: BranchSettings::default(),
            window: None,
        });
    }

    /// An older exit that pointed at the place of a new room leads into it from now on, one-way (E18, E21).
    fn join(&mut self, branch: BranchId, floor: u32, at: Point, direction: Direction, to: RoomId) {
        let Some(room) = self.world.room_at(branch, floor, at) else { return };
        let exit = self.world.exits_of(room).find(|e| e.direction == Some(direction)).map(|e| e.id);
        if let Some(row) = exit.and_then(|exit| self.world.exits.edit(exit)) {
            row.state = ExitState::OneWay;
            row.to = Some(to);
        }
    }

    /// The last room of a finishable branch says so and rewards whoever found it (E22).
    fn tell_if_finished(&mut self, branch: BranchId, room: RoomId) {
        let row = &self.world.branches[branch];
        let open = self
            .world
            .branch_index(branch)
            .map_or(0, |i| i.frontiers.values().map(dungeon::Frontier::open_count).sum::<u32>());
        if !row.finishable || open > 0 {
            return;
        }
        let reward = self.catalog.themes.get(&row.theme).and_then(|theme| theme.treasure.last().cloned());
        if let Some(challenge) = self.world.rooms.edit(room).map(|r| &mut r.challenge) {
            challenge.reward.extend(reward);
            let words = "Every way in this branch has been walked: there is nothing beyond this room.";
            challenge.hint = Some(match challenge.hint.take() {
                Some(hint) => format!("{hint} {words}"),
                None => words.into(),
            });
        }
        if self.world.rooms[room].clear {
            self.give_rewards(room);
        }
    }

    /// A creature comes to be.
    pub(crate) fn spawn_mob(
        &mut self,
        key: &str,
        room: RoomId,
        branch: Option<BranchId>,
    ) -> Option<CharacterId> {
        let prototype = self.catalog.mobs.get(key)?;
        let mob = crate::world::Character {
            id: CharacterId(0),
            account: None,
            mob: Some(key.to_owned()),
            name: prototype.name.clone(),
            key: None,
            skeleton: None,
            description: prototype.description.clone(),
            room,
            awake: true,
            link_dead_until: None,
            branch,
            hp: points(prototype.hp),
            hp_at: self.now,
            max_hp: points(prototype.hp),
            attack: points(prototype.attack),
            defence: points(prototype.defence),
            xp: i64::from(prototype.xp),
            level: 1,
            target: None,
            home: room,
            created_at: self.now,
            seen_at: self.now,
        };
        let id = self.world.new_character_id();
        self.world.add_character(crate::world::Character { id, ..mob });
        Some(id)
    }

    /// A thing comes to be.
    pub(crate) fn spawn_item(&mut self, key: &str, place: Place) {
        if self.catalog.items.contains_key(key) {
            let id = self.world.new_item_id();
            self.world.add_item(Item { id, prototype: key.to_owned(), place, made_at: self.now });
        }
    }

    /// The tasks that make a room the start of a dungeon (E52).
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

    /// Each exit whose guaranteed window is over is unlinked by chance (E46). The draw depends on the moment that
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
            if dice.up_to(999) < self.config.dungeon.reset_chance_permille {
                self.close_window(exit, branch);
            }
        }
    }

    /// The start exit leads elsewhere from now on; inside nothing changes (E8, E9).
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
        self.collapse_if_deserted(branch);
    }

    /// Branches in which nothing happened for too long collapse; those that would at the next check are warned
    /// (E47, E48). Only branches that are old are looked at.
    pub(super) fn check_branches(&mut self, room: RoomId, due: GameTime) {
        if self.world.start_tasks.get(room).is_none_or(|tasks| tasks.next_check_at != due) {
            return;
        }
        let (interval, life) = (self.config.dungeon.check_interval, self.config.dungeon.max_life);
        let next = next_tick(due, interval, self.now);
        if let Some(tasks) = self.world.start_tasks.edit(room) {
            tasks.next_check_at = next;
        }
        self.timers.schedule(next, Timer::CheckBranches(room));
        let of_room = |id: &BranchId| self.world.branches[*id].start_room == room;
        let old: Vec<BranchId> = self.world.branches_idle_since(self.now - life).filter(of_room).collect();
        for branch in old {
            self.collapse(branch);
        }
        self.schedule_warnings(room, next);
    }

    /// Sees to it that the people in branches that will be too old at a check are told before (E48).
    pub(super) fn schedule_warnings(&mut self, room: RoomId, check: GameTime) {
        let idle = check - self.config.dungeon.max_life;
        let of_room = |id: &BranchId| self.world.branches[*id].start_room == room;
        let doomed: Vec<BranchId> = self.world.branches_idle_since(idle).filter(of_room).collect();
        for branch in doomed {
            let ahead = NOTICES.map(|notice| check - notice).into_iter().filter(|at| *at > self.now);
            let mut ahead: Vec<GameTime> = ahead.collect();
            if ahead.is_empty() {
                // The check is nearer than the last notice: better late than not at all.
                ahead.push(self.now);
            }
            for at in ahead {
                self.timers.schedule(at, Timer::Warn(branch));
            }
        }
    }

    /// Tells the people in a branch when it will collapse if they go on doing nothing (E48).
    pub(super) fn warn_branch(&mut self, branch: BranchId) {
        let Some(row) = self.world.branches.get(branch) else { return };
        let Some(tasks) = self.world.start_tasks.get(row.start_room) else { return };
        if row.last_updated_at + self.config.dungeon.max_life > tasks.next_check_at {
            return;
        }
        let left = Span(tasks.next_check_at.0 - self.now.0);
        let words = Markup::styled(
            Style::Harm,
            &format!("Dust trickles from above. If nothing stirs here, this place collapses within {left}."),
        );
        if let Some(row) = self.world.branches.edit(branch) {
            row.warnings += 1;
        }
        for member in self.world.members(branch) {
            self.tell(member, Class::Notice, words.clone());
        }
    }

    /// A branch that nobody is in and nobody can enter is gone at once (E47).
    pub(crate) fn collapse_if_deserted(&mut self, branch: BranchId) {
        let closed = self.world.branches.get(branch).is_some_and(|row| !row.window_open);
        if closed && self.world.branch_index(branch).is_some_and(|index| index.members.is_empty()) {
            self.collapse(branch);
        }
    }

    /// The end of a branch: first everybody is moved to the start room, then its creatures and rooms go, then the
    /// branch itself (E49, E50).
    pub(crate) fn collapse(&mut self, branch: BranchId) {
        let Some(row) = self.world.branches.get(branch) else { return };
        let (start_room, start_exit) = (row.start_room, row.start_exit);
        if self.world.exits.get(start_exit).and_then(|e| e.window).is_some_and(|w| w.branch == branch)
            && let Some(exit) = self.world.exits.edit(start_exit)
        {
            exit.to = None;
            exit.window = None;
        }
        for member in self.world.members(branch) {
            self.throw_out(member, start_room);
        }
        let Some(index) = self.world.branch_index(branch) else { return };
        let (mobs, rooms): (Vec<_>, Vec<_>) =
            (index.mobs.iter().copied().collect(), index.rooms.values().copied().collect());
        for mob in mobs {
            self.world.remove_character(mob);
        }
        for room in rooms {
            self.world.remove_room(room);
        }
        self.world.remove_branch(branch);
    }

    fn throw_out(&mut self, member: CharacterId, start_room: RoomId) {
        let awake = self.world.characters[member].awake;
        self.tell(
            member,
            Class::Notice,
            Markup::styled(
                Style::Harm,
                "The silent room rumbles, the walls give way, and all of it collapses into the dark.",
            ),
        );
        self.stop_fights_of(member);
        self.world.move_character(member, start_room);
        self.world.set_membership(member, None);
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

/// The theme of start exits that name none.
pub const DEFAULT_THEME: &str = "well";

/// A number of content as the world counts.
fn points(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// What the generator needs to know of a branch.
pub(crate) fn spec_of(branch: &Branch) -> BranchSpec {
    BranchSpec {
        seed: branch.seed,
        theme: branch.theme.clone(),
        generator: branch.generator.clone(),
        settings: GrowSettings {
            max_unexplored_exits: branch.max_unexplored_exits,
            max_new_exits_per_room: branch.max_new_exits_per_room,
            finishable: branch.finishable,
        },
        difficulty_per_floor: branch.difficulty_per_floor,
    }
}

/// The first tick of a repeating task after now: what was missed while the server was down happens once (W2, W4).
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
