//! Sleeping: until it is attacked, or a fight in its room wakes it.

use super::{PASSIVE, Part};
use crate::base::{CharacterId, Dice, RoomId};
use crate::catalog::Behaviour;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::world::Posture;

pub(super) const PART: Part = Part { name: "sleep", hurts: |game, mob, _| game.wakes(mob), ..PASSIVE };

const WAKE: Template = Template::new("{actor} {wakes|wake}.");

impl Game {
    /// How a new creature begins: asleep if that is its way, else as it would be if nobody disturbed it.
    pub(crate) fn begins_life(&mut self, mob: CharacterId) {
        let sleeps = |b: &Behaviour| matches!(b, Behaviour::Sleep { .. });
        if self.mob_prototype(mob).is_some_and(|prototype| prototype.behaviours.iter().any(sleeps))
            && let Some(body) = self.world.characters.edit(mob)
        {
            body.posture = Posture::Asleep;
        }
        self.settles(mob);
    }

    /// Ends a creature's sleep.
    pub(in crate::game) fn wakes(&mut self, mob: CharacterId) -> bool {
        let asleep = |body: &crate::world::Character| !body.is_player() && body.posture == Posture::Asleep;
        if self.world.characters.get(mob).is_some_and(asleep) {
            if let Some(body) = self.world.characters.edit(mob) {
                body.posture = Posture::Standing;
            }
            self.act(Class::Combat, &WAKE, mob, None, "");
        }
        false
    }

    /// A round of a fight in a room: whoever sleeps there may wake, and then sees what there is to see.
    pub(crate) fn makes_noise(&mut self, room: RoomId) {
        for mob in self.world.occupants(room).to_vec() {
            let percent = self.mob_prototype(mob).and_then(|prototype| {
                prototype.behaviours.iter().find_map(|behaviour| match behaviour {
                    Behaviour::Sleep { wakes_percent } => Some(*wakes_percent),
                    _ => None,
                })
            });
            let asleep = self.world.characters.get(mob).is_some_and(|body| body.posture == Posture::Asleep);
            if asleep && percent.is_some_and(|percent| self.dice.roam.percent(percent)) {
                self.wakes(mob);
                for player in self.prey_of(mob) {
                    if self.notices(mob, player) {
                        break;
                    }
                }
            }
        }
    }
}
