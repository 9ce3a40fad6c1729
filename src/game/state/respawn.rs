//! Respawn schedule of hand-built rooms, and the nesting depth of triggers.

use crate::base::{CharacterId, GameTime, RoomId};
use std::collections::BTreeMap;

/// Part of a room with its own due time: the index of a spawn rule or of a trigger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RespawnSlot {
    Spawn(usize),
    Trigger(usize),
}

/// Respawn state of hand-built rooms.
#[derive(Debug, Default)]
pub(crate) struct RespawnState {
    /// Time of the pending respawn check.
    pub(crate) next: Option<GameTime>,
    /// Due times of spawn rules and triggers.
    pub(crate) due: BTreeMap<(RoomId, RespawnSlot), GameTime>,
    /// Number of scripts on the stack, each triggered by the one before.
    pub(crate) depth: u32,
    /// Characters that have left a room in this step and not yet arrived in the next one.
    pub(crate) leaving: Vec<(CharacterId, RoomId)>,
}
