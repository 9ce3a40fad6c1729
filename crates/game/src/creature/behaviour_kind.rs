//! Callbacks of a creature behaviour. The table of behaviours is in `creatures`.

use crate::exit::pathfinding::PlayerDistances;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::Behaviour;

/// Callbacks of a behaviour; each returns `true` if the creature has acted.
#[derive(Clone, Copy)]
pub(crate) struct BehaviourKind {
    /// Name in content files.
    pub(crate) name: &'static str,
    /// Called on a tick of its branch while the creature is not fighting.
    pub(crate) on_tick: fn(&mut Turn, CharacterId, &Behaviour, &PlayerDistances) -> bool,
    /// Called when a player is in its room, usually one who has just arrived.
    pub(crate) on_meet: fn(&mut Turn, CharacterId, &Behaviour, CharacterId) -> bool,
    /// Called each round of its fight, before its attack.
    pub(crate) on_round: fn(&mut Turn, CharacterId, &Behaviour) -> bool,
    /// Called when it has been hurt.
    pub(crate) on_hurt: fn(&mut Turn, CharacterId, &Behaviour) -> bool,
}

/// Behaviour without callbacks; the base for the others.
pub(crate) const PASSIVE: BehaviourKind = BehaviourKind {
    name: "",
    on_tick: |_, _, _, _| false,
    on_meet: |_, _, _, _| false,
    on_round: |_, _, _| false,
    on_hurt: |_, _, _| false,
};
