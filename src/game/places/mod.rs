//! Rooms with something to do in them besides fighting.

use crate::base::{CharacterId, RoomId};
use crate::dungeon::RoomPlan;
use crate::game::Game;

impl Game {
    /// A room has been made: what its kind needs is put into it.
    pub(crate) fn furnish(&mut self, _room: RoomId, _plan: &RoomPlan) {}

    pub(crate) fn set_omens(&mut self, room: RoomId, plan: &RoomPlan) {
        for (direction, omen) in &plan.omens {
            let exit = self.world.exits_of(room).find(|exit| exit.direction == Some(*direction)).map(|exit| exit.id);
            if let Some(row) = exit.and_then(|exit| self.world.exits.edit(exit)) {
                row.omen = Some(omen.clone());
            }
        }
    }

    /// A room has been cleared (E26): what its kind holds happens.
    pub(crate) fn room_cleared(&mut self, _room: RoomId) {}

    /// A player has come into a room.
    pub(crate) fn visits(&mut self, _who: CharacterId, _room: RoomId) {}
}
