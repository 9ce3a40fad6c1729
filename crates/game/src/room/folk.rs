//! Townsfolk in a room. They have no row: content says where they are.

use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::Folk;

/// Returns the townsfolk in a room.
pub(crate) fn folk_in(turn: &Turn, room: RoomId) -> impl Iterator<Item = &Folk> {
    turn.catalog.folk.iter().filter(move |folk| is_in(turn, room, folk))
}

/// Returns `true` if a room is the home of a townsperson. Rooms match by alias or by name, so that builders may change
/// either.
fn is_in(turn: &Turn, room: RoomId, folk: &Folk) -> bool {
    let (area, key) = &folk.room;
    let row = &turn.world.rooms[room];
    if let Some(kind) = folk.kind {
        return row.branch.is_some() && row.sheet.kind == kind;
    }
    let named = || {
        let rooms = turn.catalog.areas.get(area).map(|area| &area.rooms);
        rooms.into_iter().flatten().any(|meant| meant.key == *key && meant.sheet.name == row.sheet.name)
    };
    row.branch.is_none() && row.area == *area && (row.sheet.aliases.contains(key) || named())
}
