//! Guarding: a guard stays in its room as long as that is not clear, and bars the ways on. One that ran
//! has given up its post; when it has calmed down it goes home.

use super::{PASSIVE, Part};
use crate::base::{CharacterId, Dice, ExitId};
use crate::catalog::{Behaviour, MobPrototype};
use crate::game::Game;

pub(super) const PART: Part = Part { name: "guard", stirs: |game, mob, _, _| game.goes_home(mob), ..PASSIVE };

impl Game {
    /// Whether a creature holds a post that it does not leave.
    pub(super) fn on_guard(&self, mob: CharacterId) -> bool {
        let Some(body) = self.world.characters.get(mob) else { return false };
        let posted = body.home == body.room && !self.world.rooms[body.room].clear;
        posted && self.mob_prototype(mob).is_some_and(MobPrototype::guards)
    }

    /// Whether a creature moves between rooms just now.
    pub(super) fn may_roam(&self, mob: CharacterId) -> bool {
        let flees = |b: &Behaviour| matches!(b, Behaviour::Flee { .. });
        // A guard that flees does so out of a fight, and then goes home.
        let moves = |mob: &MobPrototype| mob.roams() || (!mob.guards() && mob.behaviours.iter().any(flees));
        self.mob_prototype(mob).is_some_and(moves) && !self.on_guard(mob)
    }

    /// One step towards the room it belongs to, for guards that would rather stand than roam.
    fn goes_home(&mut self, mob: CharacterId) -> bool {
        let body = &self.world.characters[mob];
        let (room, home) = (body.room, body.home);
        if room == home || self.mob_prototype(mob).is_none_or(MobPrototype::roams) {
            return false;
        }
        if self.world.rooms.get(home).is_none_or(|row| row.branch != self.world.rooms[room].branch) {
            return false;
        }
        let steps = self.distances_to(std::iter::once(home));
        let Some(here) = steps.get(&room) else { return self.goes_anywhere(mob) };
        let nearer = |to| steps.get(&to).is_some_and(|steps| steps < here);
        let ways: Vec<ExitId> = self.ways(room).filter(|(_, to)| nearer(*to)).map(|(exit, _)| exit).collect();
        let way = self.dice.roam.pick(&ways).copied();
        way.is_some_and(|way| self.goes(mob, way))
    }
}
