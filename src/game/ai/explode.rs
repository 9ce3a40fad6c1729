//! Exploding: it stands still, warns once when a player is there, and blows up with everything in its room.

use super::Part;
use crate::base::CharacterId;
use crate::catalog::Behaviour;
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::Mood;

pub(super) const PART: Part = Part {
    name: "explode",
    stirs: |game, mob, behaviour, _| !game.prey_of(mob).is_empty() && game.lights_fuse(mob, behaviour),
    meets: |game, mob, behaviour, _| game.lights_fuse(mob, behaviour),
    turns: |game, mob, behaviour| game.lights_fuse(mob, behaviour),
    hurts: |game, mob, behaviour| game.lights_fuse(mob, behaviour),
};

impl Game {
    /// The warning. From now on nothing stops it but its death.
    fn lights_fuse(&mut self, mob: CharacterId, behaviour: &Behaviour) -> bool {
        let Behaviour::Explode { rounds, warning, .. } = behaviour else { return false };
        let body = &self.world.characters[mob];
        if matches!(body.mood, Mood::Fuse(_)) || !self.world.rooms[body.room].kind.is_dungeon() {
            return false;
        }
        let room = body.room;
        self.set_mood(mob, Mood::Fuse(*rounds));
        self.tell_room(room, &[], Class::Combat, Markup::styled(Style::Harm, warning));
        self.schedule_act(mob);
        true
    }

    /// A round of a burning fuse.
    pub(super) fn burns_on(&mut self, mob: CharacterId, left: u32) {
        let room = self.world.characters[mob].room;
        if self.is_held_back(room) {
            // Rounds wait for a player, and so does the fuse: it burns in `creature_turn`.
            return self.schedule_act(mob);
        }
        self.burns_a_round(mob, left);
    }

    /// A round of a burning fuse in a fight whose rounds wait for a player.
    pub(super) fn burns_in_turn(&mut self, mob: CharacterId) {
        let body = &self.world.characters[mob];
        if let Mood::Fuse(left) = body.mood
            && self.holds_rounds(body.room)
        {
            self.burns_a_round(mob, left);
        }
    }

    fn burns_a_round(&mut self, mob: CharacterId, left: u32) {
        if left > 1 {
            self.set_mood(mob, Mood::Fuse(left - 1));
            return self.schedule_act(mob);
        }
        let catalog = std::sync::Arc::clone(&self.catalog);
        let key = self.world.characters[mob].mob.as_ref();
        let parts = key.and_then(|key| catalog.mobs.get(key)).map(|prototype| &prototype.behaviours);
        for behaviour in parts.into_iter().flatten() {
            if let Behaviour::Explode { damage, blast, .. } = behaviour {
                return self.bursts(mob, *damage, blast);
            }
        }
        // Content has changed since the fuse was lit.
        self.settles(mob);
    }

    /// The blast: everything in the room is hurt, and what burst is gone without a trace.
    fn bursts(&mut self, mob: CharacterId, damage: u32, blast: &str) {
        let room = self.world.characters[mob].room;
        self.tell_room(room, &[], Class::Combat, Markup::styled(Style::Harm, blast));
        self.stop_fights_of(mob);
        self.world.remove_character(mob);
        self.forgets(mob);
        let points = i32::try_from(damage).unwrap_or(i32::MAX);
        for victim in self.world.occupants(room).to_vec() {
            let there = self.world.characters.get(victim).is_some_and(|body| body.room == room);
            if !there || self.is_down(victim) {
                continue;
            }
            let words = format!("The blast hurts you for {}.", grammar::counted(damage, "point", None));
            self.tell(victim, Class::Combat, Markup::styled(Style::Harm, &words));
            self.harm(victim, points, None);
        }
        // Whoever was out may have been the last of the branch.
        if self.world.rooms.get(room).is_some() {
            self.check_clear(room);
        }
    }
}
