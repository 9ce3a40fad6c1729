//! Rooms of a draft that become those of its zone, and players who leave a draft.

use crate::building::built_rooms;
use crate::building::zones::room_called;
use crate::message::notices;
use crate::movement;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::world::ZoneDraft;

/// Moves a room of a draft into its new zone, with all that is in it.
pub(in crate::building::zones) fn take_over(turn: &mut Turn, room: RoomId, zone: &str) {
    turn.world.rooms.change_built(room, |row| zone.clone_into(&mut row.area));
    let inside = turn.world.occupants(room).iter().copied();
    let players: Vec<CharacterId> = inside.filter(|who| turn.world.characters[*who].is_player()).collect();
    for who in players {
        notices::tell(turn, who, "What is around you is no draft any more: everybody can see it.");
    }
}

/// Moves a player out of a draft that is about to be removed.
pub(in crate::building::zones) fn send_out(turn: &mut Turn, who: CharacterId, draft: &ZoneDraft) {
    let to = counterpart(turn, turn.world.characters[who].room, draft);
    notices::tell(turn, who, "The draft around you is no more; this is the world as everybody sees it.");
    movement::relocate(turn, who, to);
}

/// Returns the published version of a room of a draft, or the town.
pub(super) fn counterpart(turn: &Turn, room: RoomId, draft: &ZoneDraft) -> RoomId {
    let key = turn.world.rooms[room].zone_key();
    room_called(turn, &draft.of, &key).unwrap_or_else(|| built_rooms::town(turn))
}
