//! Text of a large zone, written over steps: for its file, for a draft of it, or for the zone that a draft replaces.

use crate::building::zones::draft::{as_published_head, published_room, renamed};
use crate::building::zones::{row, text};
use crate::state::file_work::writing::ZoneText;
use crate::turn::Turn;
use deepwell_core::catalog::area::zone_file;
use deepwell_core::catalog::{Area, AreaRoom, Renaming};
use std::fmt::Write as _;

/// Writes the next room. Returns `true` at the end.
pub(in crate::building::zones) fn go_one_step(turn: &Turn, writing: &mut ZoneText) -> bool {
    turn.world.note_work(1);
    if !writing.has_keys {
        writing.room = turn.world.rooms.of_zone_after(&writing.zone, writing.room).next();
        match writing.room {
            Some(room) => _ = writing.keys.insert(turn.world.rooms[room].zone_key(), room),
            None => write_head(turn, writing),
        }
        return false;
    }
    let Some((_, id)) = writing.keys.pop_first() else { return true };
    let own = text::room(turn, id);
    let text_of_own = zone_file::write_room(&own);
    _ = writing.digest.write_str(&text_of_own);
    _ = writing.state.write_str(&with_shut_doors(&own).unwrap_or(text_of_own));
    let room = for_target(turn, writing, own);
    let written = zone_file::write_room(&room);
    turn.world.note_work(written.len() / text::WRITTEN_PER_WORK);
    writing.text.push_str(&written);
    false
}

/// Returns the text of a room with open doors as if they were shut, for players open them; `None` if it has none.
fn with_shut_doors(room: &AreaRoom) -> Option<String> {
    room.exits.iter().any(|exit| exit.door_open).then(|| {
        let mut room = room.clone();
        room.exits.iter_mut().for_each(|exit| exit.door_open = false);
        zone_file::write_room(&room)
    })
}

fn write_head(turn: &Turn, writing: &mut ZoneText) {
    let mut own = text::head(turn, &writing.zone);
    if writing.keys.is_empty() {
        writing.text = zone_file::write(&own);
    } else {
        // A head without rooms would say that there are none.
        own.rooms.push(AreaRoom::empty(String::new()));
    }
    let text_of_own = zone_file::write_head(&own);
    _ = writing.digest.write_str(&text_of_own);
    _ = writing.state.write_str(&text_of_own);
    let target = match row(turn, &writing.zone).draft {
        Some(draft) if draft.of == writing.target => as_published_head(turn, own, &draft),
        _ if writing.target == writing.zone => own,
        _ => renamed(own, &renaming(turn, writing), &writing.target),
    };
    writing.text = zone_file::write_head(&target);
    writing.has_keys = true;
}

fn renaming(turn: &Turn, writing: &ZoneText) -> Renaming {
    Renaming::of_zone(&text::head(turn, &writing.zone), &writing.target)
}

/// Returns a room as it is in the target.
fn for_target(turn: &Turn, writing: &ZoneText, room: AreaRoom) -> AreaRoom {
    if writing.target == writing.zone {
        return room;
    }
    let key = room.key.clone();
    let area = Area { rooms: vec![room], ..text::head(turn, &writing.zone) };
    let area = renamed(area, &renaming(turn, writing), &writing.target);
    let room = area.rooms.into_iter().next().unwrap_or_else(|| AreaRoom::empty(key));
    match row(turn, &writing.zone).draft {
        Some(draft) if draft.of == writing.target => published_room(turn, room, &draft.of),
        _ => room,
    }
}
