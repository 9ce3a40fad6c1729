//! Stairs and the floors below (T1 to T6).

use crate::base::RoomId;
use crate::game::Game;
use crate::game::command::Refusal;
use crate::world::Exit;

impl Game {
    /// Through stairs that nobody has taken: the next floor comes to be, and with it the room they lead to (P15, T3).
    pub(super) fn open_floor(&mut self, _exit: &Exit) -> Result<RoomId, Refusal> {
        Err(Refusal::NoWay)
    }

    /// Puts the stairs into a new room if its floor has none yet and it is deep enough (T1).
    pub(super) fn place_stairs(&mut self, _room: RoomId) {}
}
