//! What a part of a creature's behaviour is. The table of them stands in `creatures`.

use crate::base::CharacterId;
use crate::catalog::Behaviour;
use crate::game::turn::Turn;
use crate::game::ways::Scent;

/// What a part of a behaviour does at each moment; `true` if the creature has acted with it.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// The name in data.
    pub(crate) name: &'static str,
    /// A tick of its branch: nobody fights it.
    pub(crate) stirs: fn(&mut Turn, CharacterId, &Behaviour, &Scent) -> bool,
    /// A player is in its room: one of them has just come.
    pub(crate) meets: fn(&mut Turn, CharacterId, &Behaviour, CharacterId) -> bool,
    /// A round of the fight it is in, before its blow.
    pub(crate) turns: fn(&mut Turn, CharacterId, &Behaviour) -> bool,
    /// It has been hurt.
    pub(crate) hurts: fn(&mut Turn, CharacterId, &Behaviour) -> bool,
}

/// A part that never acts: what the others leave out.
pub(crate) const PASSIVE: Part = Part {
    name: "",
    stirs: |_, _, _, _| false,
    meets: |_, _, _, _| false,
    turns: |_, _, _| false,
    hurts: |_, _, _| false,
};
