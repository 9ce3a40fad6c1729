//! Calling for help: a creature that is hurt calls its kind from the rooms next door.

use super::{PASSIVE, Part};
use crate::base::{CharacterId, Dice, ExitId};
use crate::catalog::Behaviour;
use crate::game::{Class, Game};
use crate::text::Markup;

pub(super) const PART: Part =
    Part { name: "call_for_help", turns: |game, mob, behaviour| game.calls(mob, behaviour), ..PASSIVE };

impl Game {
    /// Spends a turn on a call, if anybody of its kind is near enough to come.
    fn calls(&mut self, mob: CharacterId, behaviour: &Behaviour) -> bool {
        let Behaviour::CallForHelp { percent, line } = behaviour else { return false };
        let Some(foe) = self.world.characters[mob].target else { return false };
        if self.hp(mob) >= self.max_hp_of(mob) {
            return false;
        }
        let kin = self.kin_next_door(mob);
        if kin.is_empty() || !self.dice.roam.percent(*percent) {
            return false;
        }
        let room = self.world.characters[mob].room;
        self.tell_room(room, &[], Class::Combat, Markup::plain(line));
        for (helper, exit) in kin {
            let came = self.is_at_leisure(helper) && self.goes(helper, exit);
            let free = came && self.is_at_leisure(helper) && self.world.characters[helper].room == room;
            if free && self.is_prey(helper, foe) {
                self.engage(helper, foe);
            }
        }
        true
    }

    /// Creatures of its kind in the rooms next door that are free to come, and the exits they would take.
    fn kin_next_door(&self, mob: CharacterId) -> Vec<(CharacterId, ExitId)> {
        let body = &self.world.characters[mob];
        let mut kin = Vec::new();
        for near in self.rooms_near(body.room, 1) {
            let Some((exit, _)) = self.way_towards(near.room, near.towards) else { continue };
            for other in self.world.occupants(near.room) {
                let alike = self.world.characters[*other].mob == body.mob;
                if alike && self.is_at_leisure(*other) && !self.on_guard(*other) && !self.is_stunned(*other) {
                    kin.push((*other, exit));
                }
            }
        }
        kin
    }
}
