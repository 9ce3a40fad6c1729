//! What a room holds back and whose it is: coins, the theme that it was made by, and who stands there to find it.

use crate::base::{CharacterId, RoomId};
use crate::catalog::Theme;
use crate::game::clearing;
use crate::game::party::share;
use crate::game::turn::Turn;
use crate::world::Posture;

/// The coins that a room held back go to whoever finds them, and to the party.
pub(crate) fn find_coins(turn: &mut Turn, who: CharacterId, room: RoomId) {
    if turn.world.rooms[room].challenge.coins == 0 {
        return;
    }
    let Some(row) = turn.world.rooms.edit(room) else { return };
    let coins = i64::from(std::mem::take(&mut row.challenge.coins));
    let among = clearing::among(turn, room);
    share::split_coins(turn, who, room, coins, &format!("{among} you find"));
}

/// A player who stands in a room.
pub(crate) fn finder_in(turn: &Turn, room: RoomId) -> Option<CharacterId> {
    let stands = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.is_player() && body.awake && body.posture != Posture::Down
    };
    turn.world.occupants(room).iter().copied().find(stands)
}

/// The theme that a room of a branch was made by.
pub(crate) fn theme_of(turn: &Turn, room: RoomId) -> Option<&Theme> {
    turn.catalog.themes.get(&turn.world.rooms[room].area)
}
