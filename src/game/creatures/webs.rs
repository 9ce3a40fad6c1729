//! Webs: a spinner does nothing about them but leave its room, see `webs`.

use crate::game::creatures::behaviour_kind::{BehaviourKind, PASSIVE};

/// A part that moves nothing by itself: who leaves a room spins.
pub(super) const KIND: BehaviourKind = BehaviourKind { name: "webs", ..PASSIVE };
