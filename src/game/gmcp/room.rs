//! `Room.Info` for mappers: the room around a body, when it is seen and when it changes.

use crate::base::{CharacterId, RoomId};
use crate::game::data::Data;
use crate::game::data::room::{Coord, ExitInfo, RoomInfo};
use crate::game::rooms;
use crate::game::turn::Turn;
use crate::world::{ExitKind, ExitState};
use std::collections::BTreeMap;

/// Sends `Room.Info` to whoever drives a body and asked for it.
pub(crate) fn send_room_info(turn: &mut Turn, who: CharacterId) {
    let Some(session) = turn.seated.get(&who).copied() else { return };
    if turn.seats.get(&session).is_some_and(|seat| seat.wants.room) {
        let info = room_info(turn, turn.world.characters[who].room);
        turn.outbox.data(session, Data::RoomInfo(Box::new(info)));
    }
}

/// Sends `Room.Info` to everybody in a room that has changed.
pub(crate) fn send_change(turn: &mut Turn, room: RoomId) {
    for who in turn.world.occupants(room).to_vec() {
        send_room_info(turn, who);
    }
}

/// The body of `Room.Info`.
pub(crate) fn room_info(turn: &Turn, id: RoomId) -> RoomInfo {
    let room = &turn.world.rooms[id];
    let area = match room.branch {
        Some(branch) => format!("{}/branch {branch}", room.area),
        None => room.area.clone(),
    };
    let z = room.branch.map_or(0, |_| -i32::try_from(room.floor).unwrap_or(0));
    let number = room.branch.map_or(0, |branch| branch.0);
    let mut info = RoomInfo {
        num: id.0,
        name: room.name.clone(),
        zone: area.clone(),
        area,
        environment: room.environment.clone(),
        terrain: room.environment.clone(),
        coords: format!("{number},{},{},{z}", room.at.x, room.at.y),
        coord: Coord { id: number, x: room.at.x, y: room.at.y, z },
        map: String::new(),
        details: Vec::new(),
        exits: BTreeMap::new(),
        exitsv2: BTreeMap::new(),
        depth: room.depth,
        floor: room.floor,
        branch: room.branch,
        clear: room.clear,
        ephemeral: room.branch.is_some(),
    };
    if !room.clear {
        info.details.push("unclear".into());
    }
    if rooms::stairs_down(turn, id).is_some() {
        info.details.push("stairs".into());
    }
    if room.web {
        info.details.push("web".into());
    }
    if turn.world.puzzle_at(id).is_some() {
        info.details.push("puzzle".into());
    }
    info.details.extend(room.kind.spec().detail.map(Into::into));
    for exit in turn.world.exits_of(id) {
        let key = exit.direction.map_or_else(|| exit.name.clone(), |direction| direction.letter().to_owned());
        if let (Some(to), Some(_)) = (exit.to, exit.direction) {
            info.exits.insert(key.clone(), to.0);
        }
        let unknown = exit.kind != ExitKind::Exit && exit.to.is_none();
        let state = if unknown { ExitState::Unexplored } else { exit.state };
        let details = ExitInfo {
            num: exit.to.map_or(-1, |to| i64::from(to.0)),
            state: state.name().into(),
            back: exit.back,
            cmd: exit.direction.is_none().then(|| exit.name.clone()),
        };
        info.exitsv2.insert(key, details);
    }
    info
}
