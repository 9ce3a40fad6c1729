//! Behaviour `sleep`: sleeps until attacked or woken by a fight in its room.

use crate::character::stats;
use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};

pub(super) const KIND: BehaviourKind =
    BehaviourKind { name: "sleep", on_hurt: |turn, creature, _| stats::wake(turn, creature), ..PASSIVE };
