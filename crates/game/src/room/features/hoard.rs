//! Coins held back by a room, the player who finds them, and the theme of a room.

use crate::exit::clearing;
use crate::party::share;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::Theme;
use deepwell_core::world::Posture;

/// Gives the coins held back by a room to the player who finds them and their party.
pub(crate) fn find_coins(turn: &mut Turn, who: CharacterId, room: RoomId) {
    if turn.world.rooms[room].challenge.coins == 0 {
        return;
    }
    let Some(row) = turn.world.rooms.edit(room) else { return };
    let coins = i64::from(std::mem::take(&mut row.challenge.coins));
    let among = clearing::hiding_place(turn, room);
    share::split_coins(turn, who, room, coins, &format!("{among} you find"));
}

/// Returns a player in a room who is awake and not incapacitated.
pub(crate) fn finder_in(turn: &Turn, room: RoomId) -> Option<CharacterId> {
    let stands = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.is_player() && body.awake && body.posture != Posture::Down
    };
    turn.world.occupants(room).iter().copied().find(stands)
}

/// Returns the theme from which a room of a branch was generated.
pub(crate) fn theme_of(turn: &Turn, room: RoomId) -> Option<&Theme> {
    turn.catalog.themes.get(&turn.world.rooms[room].area)
}
