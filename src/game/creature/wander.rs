//! Behaviour `wander`: now and then walks through a random exit.

use crate::base::Dice;
use crate::catalog::Behaviour;
use crate::game::character::activity;
use crate::game::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::game::creature::mind;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "wander",
    on_tick: |turn, mob, behaviour, _| {
        let Behaviour::Wander { percent } = *behaviour else { return false };
        activity::may_roam(turn, mob) && turn.dice.roam.percent(percent) && mind::go_anywhere(turn, mob)
    },
    ..PASSIVE
};
