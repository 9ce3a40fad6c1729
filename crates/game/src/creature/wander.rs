//! Behaviour `wander`: now and then walks through a random exit.

use crate::character::activity;
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};
use crate::creature::mind;
use deepwell_core::base::Dice;
use deepwell_core::catalog::Behaviour;

pub(super) const KIND: BehaviourKind = BehaviourKind {
    name: "wander",
    on_tick: |turn, creature, behaviour, _| {
        let Behaviour::Wander { percent } = *behaviour else { return false };
        activity::may_roam(turn, creature)
            && turn.dice.roam.percent(percent)
            && mind::go_anywhere(turn, creature)
    },
    ..PASSIVE
};
