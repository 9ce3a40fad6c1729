//! Wandering: now and then through a random exit.

use super::{PASSIVE, Part};
use crate::base::Dice;
use crate::catalog::Behaviour;

pub(super) const PART: Part = Part {
    name: "wander",
    stirs: |game, mob, behaviour, _| {
        let Behaviour::Wander { percent } = *behaviour else { return false };
        game.may_roam(mob) && game.dice.roam.percent(percent) && game.goes_anywhere(mob)
    },
    ..PASSIVE
};
