//! Stairs and the floors below: placed in one room of each floor, taken one body at a time, a party together
//! (T1 to T6, P15). Where they are is the generator's to say.

use crate::base::{BranchId, CharacterId, Direction, RoomId};
use crate::dungeon;
use crate::game::branches::spec_of;
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::{Exit, ExitKind, ExitState, Floor};

impl Game {
    /// Puts the stairs down into a room (T1). They lead nowhere until somebody takes them (P15).
    pub(super) fn place_stairs(&mut self, room: RoomId) {
        self.new_exit(room, Direction::Down, ExitState::Open, None, false);
    }

    /// The stairs down of a room, if it has them.
    pub(crate) fn stairs_down(&self, room: RoomId) -> Option<&Exit> {
        self.world.exits_of(room).find(|exit| exit.is_stairs_down())
    }

    /// Through stairs: the room they lead to, which comes to be if nobody has taken them yet. Going down asks for a
    /// clear room and for choices that have been made, and gives a moment of rest (T3).
    pub(super) fn take_stairs(&mut self, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
        if !exit.is_stairs_down() {
            return exit.to.ok_or(Refusal::NoWay);
        }
        self.may_explore(exit.room)?;
        if self.world.characters[who].trainings > 0 {
            let words = format!(
                "Before you go deeper, choose what you have learnt: train {}.",
                self.training_words()
            );
            return Err(Refusal::Because(words));
        }
        let to = match exit.to {
            Some(to) => to,
            None => self.open_floor(exit)?,
        };
        self.rest_on_the_stairs(who, to);
        Ok(to)
    }

    /// Half of the hit points come back to whoever goes down to a floor that is new to them (T3); up and down again gives
    /// nothing more.
    fn rest_on_the_stairs(&mut self, who: CharacterId, to: RoomId) {
        let row = &self.world.rooms[to];
        let (floor, known) = (self.world.dungeon_level(to), row.challenge.visitors.contains_key(&who));
        if known {
            self.tell(who, Class::Notice, format!("You go down the stairs you know. Dungeon level {floor}."));
            return;
        }
        if let Some(row) = self.world.rooms.edit(to).filter(|_| self.world.characters[who].is_player()) {
            row.challenge.visitors.insert(who, 1);
        }
        let (before, half) = (self.hp(who), self.max_hp_of(who) / 2);
        self.heal(who, half);
        let hp = self.hp(who);
        let rest = match hp - before {
            0 => "You sit down on the topmost step for a moment and breathe.".to_owned(),
            _ => format!(
                "You sit down on the topmost step for a moment and get your strength back: {hp} of {} hit points.",
                self.max_hp_of(who)
            ),
        };
        self.tell(who, Class::Notice, Markup::styled(Style::Boon, &rest));
        let down =
            format!("After this moment of peace you go down, deeper into the dark. Dungeon level {floor}.");
        self.tell(who, Class::Notice, down);
    }

    /// Through stairs that nobody has taken: the next floor comes to be, and with it the room they lead to (P15, T3).
    fn open_floor(&mut self, exit: &Exit) -> Result<RoomId, Refusal> {
        let above = self.world.floor_of(exit.room).ok_or(Refusal::NoWay)?;
        let branch = above.branch;
        let row = &self.world.branches[branch];
        if row.rooms_made >= self.config.limits.rooms_per_branch {
            return Err(Refusal::BranchFull);
        }
        let kind = exit.level_type.clone().unwrap_or_else(|| above.kind.clone());
        let (spec, index, level) = (spec_of(row), row.rooms_made, above.level.saturating_add(1));
        let mut recent = row.recent.clone();
        let floor = self.add_floor(branch, level, kind);
        let catalog = std::sync::Arc::clone(&self.catalog);
        let frontier = self.world.frontier_mut(branch, floor).ok_or(Refusal::NoWay)?;
        let plan = dungeon::open_landing(&spec, &catalog, frontier, floor, index, &mut recent);
        self.remember_recent(branch, recent);
        let made = self.build(branch, floor, &plan, Direction::Down, Some(exit.id), exit.room);
        if let Some(row) = self.world.exits.edit(exit.id) {
            row.to = Some(made);
        }
        Ok(made)
    }

    /// Adds a floor to a branch, and tells its number.
    pub(super) fn add_floor(&mut self, branch: BranchId, level: u32, kind: String) -> u32 {
        let last = self.world.floors_of(branch).map(|floor| floor.number).max().unwrap_or(0);
        let floor = Floor::new(branch, last.saturating_add(1), level, kind);
        let number = floor.number;
        self.world.floors.put(floor.id, floor);
        number
    }

    /// What a room's text says of its stairs, and to whom it is new.
    pub(crate) fn stairs_line(&self, room: RoomId) -> Option<String> {
        let floor = self.world.dungeon_level(room);
        let stairs = |exit: &&Exit| exit.kind == ExitKind::Stairs;
        let lines: Vec<String> = self
            .world
            .exits_of(room)
            .filter(stairs)
            .map(|exit| match exit.direction {
                Some(Direction::Down) => {
                    format!("Stairs lead down from here to dungeon level {}.", floor.saturating_add(1))
                }
                _ => format!("Stairs lead back up to dungeon level {}.", floor.saturating_sub(1)),
            })
            .collect();
        (!lines.is_empty()).then(|| lines.join(" "))
    }

    /// What is known of stairs as a way out.
    pub(crate) fn stairs_words(&self, exit: &Exit, to: Option<RoomId>) -> String {
        let floor = self.world.dungeon_level(exit.room);
        let place = to.map(|to| format!("{} on ", self.world.rooms[to].name)).unwrap_or_default();
        if exit.is_stairs_down() {
            let new = if to.is_none() { ", where none of you has been" } else { "" };
            format!("stairs down to {place}dungeon level {}{new}", floor.saturating_add(1))
        } else {
            format!("stairs up to {place}dungeon level {}, the way you came", floor.saturating_sub(1))
        }
    }

    /// The deepest dungeon level of a branch that anybody has been on (E41).
    pub(crate) fn deepest_level(&self, branch: BranchId) -> u32 {
        self.world.floors_of(branch).map(|floor| floor.level).max().unwrap_or(1)
    }

    /// Somebody stands in a room: if it has stairs, they learn what those are for.
    pub(super) fn notices_stairs(&mut self, who: CharacterId, room: RoomId) {
        if self.stairs_down(room).is_some() {
            self.learns(who, Lesson::SawStairs);
        }
    }
}
