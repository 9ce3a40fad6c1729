//! Fleeing: away from players as long as nobody fights it, and out of a fight when it is badly hurt. Who
//! has run keeps away for a while, then comes back.

use super::paths::Scent;
use super::{PASSIVE, Part};
use crate::base::{CharacterId, Dice, ExitId};
use crate::catalog::Behaviour;
use crate::game::Game;
use crate::world::Mood;

pub(super) const PART: Part = Part {
    name: "flee",
    stirs: |game, mob, behaviour, scent| {
        let Behaviour::Flee { percent, .. } = *behaviour else { return false };
        game.may_roam(mob) && game.keeps_away(mob, percent, scent)
    },
    turns: |game, mob, behaviour| {
        let Behaviour::Flee { below, .. } = *behaviour else { return false };
        game.breaks_away(mob, below)
    },
    ..PASSIVE
};

impl Game {
    /// One step away from the nearest player, or anywhere; nowhere if nobody is near.
    fn keeps_away(&mut self, mob: CharacterId, percent: u32, scent: &Scent) -> bool {
        if scent.steps(self.world.characters[mob].room).is_none() {
            return false;
        }
        if !self.dice.roam.percent(percent) {
            return self.goes_anywhere(mob);
        }
        self.step_farther(mob, scent).is_some_and(|exit| self.goes(mob, exit))
    }

    /// The exit that leads farthest from players; none if all of them lead nearer.
    fn step_farther(&mut self, mob: CharacterId, scent: &Scent) -> Option<ExitId> {
        let room = self.world.characters[mob].room;
        let here = scent.steps(room)?;
        let far = |to| scent.steps(to).unwrap_or(u32::MAX);
        let ways: Vec<_> = self.ways(room).filter(|(_, to)| far(*to) > here).collect();
        let farthest = ways.iter().map(|(_, to)| far(*to)).max()?;
        let ways: Vec<ExitId> =
            ways.into_iter().filter(|(_, to)| far(*to) == farthest).map(|(exit, _)| exit).collect();
        self.dice.roam.pick(&ways).copied()
    }

    /// Out of a fight, if too little is left of it.
    fn breaks_away(&mut self, mob: CharacterId, below: u32) -> bool {
        let (hp, most) = (i64::from(self.hp(mob)), i64::from(self.max_hp_of(mob)));
        if hp * 100 >= most * i64::from(below) || self.is_held(mob) {
            return false;
        }
        let from = self.world.characters[mob].room;
        if self.flee(mob).is_err() {
            return false;
        }
        if self.world.characters.get(mob).is_some_and(|body| body.room != from && body.target.is_none()) {
            self.set_mood(mob, Mood::Fleeing(self.catalog.rules.roaming.flee_ticks));
            if let Some(branch) = self.world.characters[mob].branch {
                self.wake_branch(branch);
            }
            // A guard that runs has given up its post.
            if self.world.rooms.get(from).is_some() {
                self.check_clear(from);
            }
        }
        true
    }

    /// A tick of one that runs.
    pub(super) fn runs_on(&mut self, mob: CharacterId, left: u32, scent: &Scent) {
        match left.checked_sub(1) {
            Some(left) => self.set_mood(mob, Mood::Fleeing(left)),
            None => return self.settles(mob),
        }
        if let Some(exit) = self.step_farther(mob, scent) {
            self.goes(mob, exit);
        }
    }
}
