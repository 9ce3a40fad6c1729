//! Portcullises and their levers. A lever may be in another room than its portcullis: a room that the player passed
//! through on the way there, so that it can always be reached.

use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::text::grammar;
use deepwell_core::world::{RoomFeature, RoomKind};

/// Places the lever of a new room's portcullis up to `rooms_back` rooms back. Rooms that already have a lever are
/// skipped; without another room the lever stays at the portcullis.
pub(crate) fn place_lever(turn: &mut Turn, gate: RoomId, rooms_back: u32) {
    let mut lever_in = None;
    let mut at = gate;
    for _ in 0..rooms_back {
        let Some(back) = turn.world.exits.of(at).find(|exit| exit.back).and_then(|exit| exit.to) else {
            break;
        };
        let room = &turn.world.rooms[back];
        // Levers are only searched for on the floor of the portcullis.
        if room.branch.is_none() || room.floor != turn.world.rooms[gate].floor {
            break;
        }
        at = back;
        if room.sheet.kind != RoomKind::Puzzle && room.challenge.raises.is_none() {
            lever_in = Some(back);
        }
    }
    let Some(lever_in) = lever_in else { return };
    turn.world.rooms.change(gate, |row| row.challenge.lever_in = Some(lever_in));
    turn.world.rooms.change(lever_in, |row| row.challenge.raises = Some(gate));
}

/// Returns the room whose portcullis the lever in a room raises, or `None` if the room has no lever or it has already
/// been raised.
pub(crate) fn raised_from(turn: &Turn, room: RoomId) -> Option<RoomId> {
    let challenge = &turn.world.rooms[room].challenge;
    let own =
        matches!(challenge.feature, Some(RoomFeature::Portcullis { .. })) && challenge.lever_in.is_none();
    challenge.raises.or(own.then_some(room))
}

/// Describes a lowered portcullis, with or without an exit behind it, and the location of its lever.
pub(crate) fn portcullis_words(turn: &Turn, room: RoomId, leads_on: bool) -> String {
    let does = if leads_on { "bars the way" } else { "is down, with no way on behind it" };
    match turn.world.rooms[room].challenge.lever_in {
        None => format!("A portcullis {does}; a stiff lever juts from the wall."),
        Some(lever_in) => format!(
            "A portcullis {does}; its chain runs through the wall, back towards {}.",
            way_back_words(turn, room, lever_in)
        ),
    }
}

/// Returns "Low passage with roots, two rooms back". The distance is needed because room names are not unique.
fn way_back_words(turn: &Turn, gate: RoomId, lever_in: RoomId) -> String {
    let name = &turn.world.rooms[lever_in].sheet.name;
    let step = |at: &RoomId| turn.world.exits.of(*at).find(|exit| exit.back).and_then(|exit| exit.to);
    let mut rooms = (0_u32..64).zip(std::iter::successors(Some(gate), step));
    match rooms.find(|(_, at)| *at == lever_in) {
        None | Some((0, _)) => name.clone(),
        Some((1, _)) => format!("{name}, one room back"),
        Some((steps, _)) => format!("{name}, {} rooms back", grammar::number(steps)),
    }
}

/// Describes a lever or portcullis of a room, or returns `None` if it has neither.
pub(crate) fn fixture(turn: &Turn, room: RoomId, lever: bool, portcullis: bool) -> Option<String> {
    let row = &turn.world.rooms[room];
    let is_gate = row.sheet.kind == RoomKind::Puzzle;
    if lever && raised_from(turn, room).is_some() {
        return Some(
            "An iron lever, stiff with rust. It looks as if it would give if pulled often enough.".into(),
        );
    }
    if lever && is_gate && row.challenge.lever_in.is_none() {
        return Some("An iron lever, pulled all the way down. It has locked and does not move.".into());
    }
    if !is_gate || !(lever || portcullis) {
        return None;
    }
    Some(match (row.challenge.lever_pulls(), row.challenge.lever_in) {
        (0, _) => "The portcullis hangs in its slot above the way, locked.".into(),
        (_, None) => "A portcullis of iron bars as thick as a wrist. A lever in the wall raises it.".into(),
        (_, Some(lever_in)) => format!(
            "A portcullis of iron bars as thick as a wrist. There is no lever here: a chain runs from it through \
             the wall, back towards {}.",
            way_back_words(turn, room, lever_in)
        ),
    })
}
