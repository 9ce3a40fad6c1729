//! When hand-built rooms are tended next, what is missed there since when, and how deep triggers have set off each other.

use crate::base::{CharacterId, GameTime, RoomId};
use std::collections::BTreeMap;

/// Something of a room that has a moment of its own: its place among the spawn rules or the triggers of the room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Tended {
    Spawn(usize),
    Trigger(usize),
}

/// What is known of hand-built rooms from one moment to the next.
#[derive(Debug, Default)]
pub(crate) struct Tending {
    /// When rooms are looked after next, if any needs it.
    pub(crate) next: Option<GameTime>,
    /// When something is due.
    pub(crate) due: BTreeMap<(RoomId, Tended), GameTime>,
    /// Scripts that run just now, each set off by the one before.
    pub(crate) depth: u32,
    /// Who has left which room in this step and has not come to the next one.
    pub(crate) leaving: Vec<(CharacterId, RoomId)>,
}
