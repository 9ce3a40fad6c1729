//! Behaviour `webs`: the creature spins when it leaves its room; see `webs`.

use crate::creature::behaviour_kind::{BehaviourKind, PASSIVE};

/// Behaviour without callbacks; webs are spun when the creature leaves a room.
pub(super) const KIND: BehaviourKind = BehaviourKind { name: "webs", ..PASSIVE };
