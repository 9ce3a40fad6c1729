//! Rooms with something to do in them besides fighting.

use crate::base::{CharacterId, RoomId};
use crate::dungeon::RoomPlan;
use crate::game::Game;

impl Game {
    /// A room has been made: what its kind needs is put into it.
    pub(crate) fn furnish(&mut self, _room: RoomId, _plan: &RoomPlan) {}

    /// A room has been cleared (E26): what its kind holds happens.
    pub(crate) fn room_cleared(&mut self, _room: RoomId) {}

    /// A player has come into a room.
    pub(crate) fn visits(&mut self, _who: CharacterId, _room: RoomId) {}
}
