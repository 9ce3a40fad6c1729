//! What a part of a creature's behaviour is. The table of them stands in `creatures`.

use crate::base::CharacterId;
use crate::catalog::Behaviour;
use crate::game::turn::Turn;
use crate::game::ways::Scent;

/// What a part of a behaviour does at each moment; `true` if the creature has acted with it.
#[derive(Clone, Copy)]
pub(crate) struct BehaviourKind {
    /// The name in data.
    pub(crate) name: &'static str,
    /// A tick of its branch: nobody fights it.
    pub(crate) on_tick: fn(&mut Turn, CharacterId, &Behaviour, &Scent) -> bool,
    /// A player is in its room: one of them has just come.
    pub(crate) on_meet: fn(&mut Turn, CharacterId, &Behaviour, CharacterId) -> bool,
    /// A round of the fight it is in, before its blow.
    pub(crate) on_round: fn(&mut Turn, CharacterId, &Behaviour) -> bool,
    /// It has been hurt.
    pub(crate) on_hurt: fn(&mut Turn, CharacterId, &Behaviour) -> bool,
}

/// A part that never acts: what the others leave out.
pub(crate) const PASSIVE: BehaviourKind = BehaviourKind {
    name: "",
    on_tick: |_, _, _, _| false,
    on_meet: |_, _, _, _| false,
    on_round: |_, _, _| false,
    on_hurt: |_, _, _| false,
};
