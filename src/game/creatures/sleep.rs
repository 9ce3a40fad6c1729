//! Behaviour `sleep`: sleeps until attacked or woken by a fight in its room.

use crate::game::body;
use crate::game::creatures::behaviour_kind::{BehaviourKind, PASSIVE};

pub(super) const KIND: BehaviourKind =
    BehaviourKind { name: "sleep", on_hurt: |turn, mob, _| body::wake(turn, mob), ..PASSIVE };
