//! What the members of a branch remember of rooms they have left (T7).

use crate::base::RoomId;
use crate::game::Game;

impl Game {
    /// The last player has left a room: what lies there is remembered.
    pub(super) fn remember_room(&mut self, _room: RoomId) {}
}
