//! Seeking: half the time one step along the shortest path to the nearest player, else through a random exit.

use super::paths::Scent;
use super::{PASSIVE, Part};
use crate::base::{CharacterId, Dice, ExitId};
use crate::catalog::Behaviour;
use crate::game::Game;

pub(super) const PART: Part = Part {
    name: "seek",
    stirs: |game, mob, behaviour, scent| {
        let Behaviour::Seek { percent } = *behaviour else { return false };
        game.may_roam(mob) && game.seeks(mob, percent, scent)
    },
    ..PASSIVE
};

impl Game {
    fn seeks(&mut self, mob: CharacterId, percent: u32, scent: &Scent) -> bool {
        if !self.dice.roam.percent(percent) {
            return self.goes_anywhere(mob);
        }
        match scent.steps(self.world.characters[mob].room) {
            // It has found whom it seeks, and stays.
            Some(0) => false,
            Some(_) => self.step_nearer(mob, scent).is_some_and(|exit| self.goes(mob, exit)),
            None => self.goes_anywhere(mob),
        }
    }

    /// The exit that begins a shortest path; one of them by chance if there are several.
    fn step_nearer(&mut self, mob: CharacterId, scent: &Scent) -> Option<ExitId> {
        let room = self.world.characters[mob].room;
        let here = scent.steps(room)?;
        let nearer = |to| scent.steps(to).is_some_and(|steps| steps < here);
        let ways: Vec<ExitId> = self.ways(room).filter(|(_, to)| nearer(*to)).map(|(exit, _)| exit).collect();
        self.dice.roam.pick(&ways).copied()
    }
}
