//! Stairs and the floors below: placed in one room of each floor, taken one body at a time, a party together.
//! Where they are is the generator's to say.

use crate::base::{BranchId, CharacterId, Direction, RoomId};
use crate::dungeon;
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::{Class, Game};
use crate::level::Portal;
use crate::text::{Markup, Style};
use crate::world::{Exit, ExitKind, ExitState};

impl Game {
    /// Puts a way to another floor into a room. It leads nowhere until somebody takes it, or out of the dungeon.
    pub(super) fn place_portal(&mut self, room: RoomId, portal: &Portal) {
        let branch = self.world.rooms[room].branch;
        let start =
            branch.filter(|_| portal.exits_dungeon).map(|branch| self.world.branches[branch].start_room);
        let exit = self.new_exit(room, portal.direction, ExitState::Open, start, false);
        if let Some(row) = self.world.exits.edit(exit) {
            row.level_type = Some(portal.level_type.clone());
        }
    }

    /// The stairs down of a room, if it has them.
    pub(crate) fn stairs_down(&self, room: RoomId) -> Option<&Exit> {
        self.world.exits_of(room).find(|exit| exit.is_stairs_down())
    }

    /// Through stairs: the room they lead to, which comes to be if nobody has taken them yet. Going down asks for a
    /// clear room and for choices that have been made, and gives a moment of rest.
    pub(super) fn take_stairs(&mut self, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
        if exit.is_gate() {
            return self.pass_gate(who, exit);
        }
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

    /// Half of the hit points come back to whoever goes down to a floor that is new to them; up and down again gives
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

    /// Through stairs that nobody has taken: the next floor comes to be, and with it the room they lead to.
    fn open_floor(&mut self, exit: &Exit) -> Result<RoomId, Refusal> {
        let above = self.world.floor_of(exit.room).ok_or(Refusal::NoWay)?;
        let branch = above.branch;
        if self.world.branches[branch].rooms_made >= self.config.limits.rooms_per_branch {
            return Err(Refusal::BranchFull);
        }
        let kind = exit.level_type.clone().unwrap_or_else(|| above.kind.clone());
        let floor = self.add_floor(branch, above.level.saturating_add(1), &kind, None)?;
        let plan = self.plan_room(branch, floor, dungeon::Way::DOWN)?;
        let made = self.build(branch, floor, &plan, Direction::Down, Some(exit.id), exit.room);
        if let Some(row) = self.world.exits.edit(exit.id) {
            row.to = Some(made);
        }
        Ok(made)
    }

    /// What a room's text says of its stairs, and to whom it is new.
    pub(crate) fn stairs_line(&self, room: RoomId) -> Option<String> {
        let floor = self.world.dungeon_level(room);
        let own = self.world.floor_of(room).map(|floor| floor.kind.clone());
        let stairs = |exit: &&Exit| exit.kind == ExitKind::Stairs && !exit.is_gate();
        let lines: Vec<String> = self
            .world
            .exits_of(room)
            .filter(stairs)
            .map(|exit| match exit.direction {
                Some(Direction::Down) => {
                    let kind = exit.level_type.as_ref().filter(|kind| Some(*kind) != own.as_ref());
                    let kind = kind.map(|kind| format!(", the {kind}")).unwrap_or_default();
                    format!("Stairs lead down from here to dungeon level {}{kind}.", floor.saturating_add(1))
                }
                _ if exit.level_type.is_some() => "Steps lead up from here, out of the dungeon.".to_owned(),
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
        } else if exit.level_type.is_some() {
            "steps up, out of the dungeon".into()
        } else {
            format!("stairs up to {place}dungeon level {}, the way you came", floor.saturating_sub(1))
        }
    }

    /// The deepest dungeon level of a branch that anybody has been on.
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
