//! Attacking: at players whom it meets, at once or after some rounds in the same room.

use super::{PASSIVE, Part};
use crate::base::{CharacterId, Dice, Span};
use crate::catalog::Behaviour;
use crate::game::{Class, Game};
use crate::text::act::Template;

pub(super) const PART: Part = Part {
    name: "attack",
    stirs: |game, mob, behaviour, _| {
        let prey = game.prey_of(mob);
        let chosen = game.dice.roam.pick(&prey).copied();
        chosen.is_some_and(|player| game.comes_at(mob, behaviour, player))
    },
    meets: |game, mob, behaviour, player| game.comes_at(mob, behaviour, player),
    ..PASSIVE
};

const COME_AT: Template = Template::new("{actor} {comes|come} at {target}.");

impl Game {
    /// Attacks a player, or waits until it has been there for long enough.
    fn comes_at(&mut self, mob: CharacterId, behaviour: &Behaviour, player: CharacterId) -> bool {
        let Behaviour::Attack { after } = *behaviour else { return false };
        let patience = Span(self.config.round.0.saturating_mul(i64::from(after)));
        if self.now.since(self.world.characters[player].arrived_at) < patience {
            self.schedule_act(mob);
            return false;
        }
        self.act(Class::Combat, &COME_AT, mob, Some(player), "");
        self.engage(mob, player);
        true
    }
}
