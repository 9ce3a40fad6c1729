//! Packs: creatures that stand up for each other in the same room. What company adds to their blows is a number of the
//! fight, not of the mind.

use super::{PASSIVE, Part};
use crate::base::CharacterId;
use crate::game::{Class, Game};
use crate::text::act::Template;

pub(super) const PART: Part = Part {
    name: "pack",
    turns: |game, mob, _| game.rallies(mob),
    hurts: |game, mob, _| game.rallies(mob),
    ..PASSIVE
};

const JOIN: Template = Template::new("{actor} {joins|join} the fight against {target}.");

impl Game {
    /// Others of a creature's kind in its room.
    fn kin_here(&self, mob: CharacterId) -> Vec<CharacterId> {
        let body = &self.world.characters[mob];
        let kin = |other: &CharacterId| *other != mob && self.world.characters[*other].mob == body.mob;
        self.world.occupants(body.room).iter().copied().filter(kin).collect()
    }

    /// Its kind in the room joins its fight; that costs it nothing.
    fn rallies(&mut self, mob: CharacterId) -> bool {
        let Some(foe) = self.world.characters[mob].target else { return false };
        let room = self.world.characters[mob].room;
        for kin in self.kin_here(mob) {
            let there = |who| self.world.characters.get(who).is_some_and(|body| body.room == room);
            if self.is_at_leisure(kin) && !self.is_stunned(kin) && there(kin) && there(foe) {
                self.act(Class::Combat, &JOIN, kin, Some(foe), "");
                self.engage(kin, foe);
            }
        }
        false
    }
}
