//! `Room.Map`: explored rooms of the current area, sent to clients that connect or enter an area. Later changes are
//! sent room by room as `Room.Info`.

use super::package::PackageSpec;
use super::room;
use crate::effect::data::{Data, KnownRoom, Package, RoomMap};
use crate::room::explored;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId, SessionId};

pub(super) const PACKAGE: PackageSpec =
    PackageSpec::new(Package::Map).first(|turn, _, who| send_new_area(turn, who));

/// Maximum number of rooms per message.
const ROOMS_IN_PART: usize = 50;

/// Sends the map of a character's area to its client, unless it was sent before.
pub(crate) fn send_new_area(turn: &mut Turn, who: CharacterId) {
    let Some(session) = turn.seated.get(&who).copied().filter(|seat| turn.wants(*seat, Package::Map)) else {
        return;
    };
    let here = turn.world.characters[who].room;
    let area = room::area_name(&turn.world.rooms[here]);
    // The rooms of a puzzle are known from its first room on, and belong to the surrounding area.
    let map = match turn.world.puzzle_at(here) {
        Some((floor, ..)) => format!("{area}/{floor:?}"),
        None => area.clone(),
    };
    if turn.seats.get_mut(&session).is_some_and(|seat| seat.gmcp.map_area(&map)) {
        send_map(turn, session, who, &area);
    }
}

fn send_map(turn: &mut Turn, session: SessionId, who: CharacterId, area: &str) {
    let known = explored::rooms_known(turn, who, turn.config.limits.map_rooms as usize);
    let parts: Vec<&[RoomId]> = known.chunks(ROOMS_IN_PART).collect();
    for (at, part) in parts.iter().enumerate() {
        let rooms = part.iter().map(|id| known_room(turn, who, *id)).collect();
        let map = RoomMap { area: area.to_owned(), part: at + 1, parts: parts.len(), rooms };
        turn.outbox.data(session, Data::RoomMap(map));
    }
}

/// Returns a room as remembered by the character. A web hides the exits of its room.
fn known_room(turn: &Turn, who: CharacterId, id: RoomId) -> KnownRoom {
    let mut known = KnownRoom::from(room::room_info(turn, Some(who), id));
    if turn.world.rooms[id].web && turn.world.characters[who].room != id {
        known.exitsv2.clear();
        known.details = vec!["web".to_owned()];
    }
    known
}
