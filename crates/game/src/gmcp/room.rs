//! `Room`: the current room, for mappers, when it is seen and when it changes; and the other players in it.

use super::commands;
use super::package::{GmcpContext, PackageSpec};
use crate::branch::rooms;
use crate::effect::data::room::{Coord, ExitInfo, PlayerHere, RoomInfo};
use crate::effect::data::{Data, Package};
use crate::exit::{hidden, pathfinding};
use crate::party::members;
use crate::state::gmcp::People;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::world::{Exit, Place, Room};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Room)
    .by_default()
    .first(|turn, _, who| send_room_info(turn, who))
    .around(tell_people);

/// Sends all other players in the room, or those who came, left or changed their state.
fn tell_people(look: &mut GmcpContext<'_>) {
    let (turn, but) = (look.turn, look.who);
    let room = turn.world.characters[but].room;
    let now = look.scene.people.get_or_init(|| Arc::new(people_in(turn, room)));
    let before = look.sent.replace_people(Arc::clone(now));
    let here = |(name, state): &(String, &'static str)| PlayerHere {
        name: name.clone(),
        fullname: name.clone(),
        commands: commands::for_player(name),
        state,
    };
    let others = now.iter().filter(|(who, _)| **who != but);
    let Some(before) = before else {
        return look.news.push(Data::RoomPlayers(others.map(|(_, seen)| here(seen)).collect()));
    };
    let gone = before.iter().filter(|(who, _)| **who != but && !now.contains_key(who));
    look.news.extend(gone.map(|(_, (name, _))| Data::RoomRemovePlayer(name.clone())));
    let changed = others.filter(|(who, seen)| before.get(who) != Some(seen));
    look.news.extend(changed.map(|(_, seen)| Data::RoomAddPlayer(here(seen))));
}

/// Marks the room of a player as changed if others see the player in another state than before.
pub(super) fn show_state(turn: &mut Turn, who: CharacterId) {
    let body = turn.world.characters.get(who).filter(|body| body.awake && body.is_player());
    let Some(body) = body else { return };
    let (room, state) = (body.room, members::standing_of(turn, who));
    if std::mem::replace(&mut turn.awake.edit(who).shown_state, state) != state {
        turn.world.touched.note(Place::Room(room));
    }
}

fn people_in(turn: &Turn, room: RoomId) -> People {
    let people = turn.world.occupants(room).iter().map(|who| (*who, &turn.world.characters[*who]));
    let players = people.filter(|(_, body)| body.is_player());
    players.map(|(who, body)| (who, (body.name.clone(), members::standing_of(turn, who)))).collect()
}

/// Sends `Room.Info` to the client of a character, if subscribed.
pub(crate) fn send_room_info(turn: &mut Turn, who: CharacterId) {
    let Some(session) = turn.seated.get(&who).copied() else { return };
    if turn.wants(session, Package::Room) {
        let info = room_info(turn, Some(who), turn.world.characters[who].room);
        turn.outbox.data(session, Data::RoomInfo(Box::new(info)));
    }
}

/// Sends `Room.Info` of a changed room to all clients in it.
pub(crate) fn send_change(turn: &mut Turn, room: RoomId) {
    for who in turn.world.occupants(room).to_vec() {
        send_room_info(turn, who);
    }
}

/// Returns the area name of a room for clients; each branch is a separate area.
pub(super) fn area_name(room: &Room) -> String {
    match room.branch {
        Some(branch) => format!("{}/branch {branch}", room.area),
        None => room.area.clone(),
    }
}

/// Builds the body of `Room.Info` with the exits that a character knows. Without a character, hidden exits are left
/// out.
pub(crate) fn room_info(turn: &Turn, who: Option<CharacterId>, id: RoomId) -> RoomInfo {
    let room = &turn.world.rooms[id];
    let area = area_name(room);
    let z = room.height();
    let number = room.branch.map_or(0, |branch| branch.0);
    let mut info = RoomInfo {
        num: id.0,
        name: room.sheet.name.clone(),
        zone: area.clone(),
        area,
        environment: room.sheet.environment.clone(),
        terrain: room.sheet.environment.clone(),
        coords: format!("{number},{},{},{z}", room.at.x, room.at.y),
        coord: Coord { id: number, x: room.at.x, y: room.at.y, z },
        map: String::new(),
        details: Vec::new(),
        exits: BTreeMap::new(),
        exitsv2: BTreeMap::new(),
        depth: room.depth,
        floor: turn.world.dungeon_level(id),
        branch: room.branch,
        clear: room.clear,
        ephemeral: room.branch.is_some(),
    };
    if !room.clear {
        info.details.push("unclear".into());
    }
    if rooms::portal(turn, id).is_some() {
        info.details.push("portal".into());
    } else if rooms::stairs_down(turn, id).is_some() {
        info.details.push("stairs".into());
    }
    if room.web {
        info.details.push("web".into());
    }
    if turn.world.puzzle_at(id).is_some() {
        info.details.push("puzzle".into());
    }
    info.details.extend(room.sheet.kind.spec().detail().map(Into::into));
    let is_seen = |exit: &&Exit| who.map_or(!exit.hidden, |who| hidden::is_seen(turn, who, exit));
    for exit in turn.world.exits.of(id).filter(is_seen) {
        let key = exit.direction.map_or_else(|| exit.name.clone(), |direction| direction.letter().to_owned());
        if let (Some(to), Some(_)) = (exit.to, exit.direction) {
            info.exits.insert(key.clone(), to.0);
        }
        let details = ExitInfo {
            num: exit.to.map_or(-1, |to| i64::from(to.0)),
            state: pathfinding::shown_state(turn, exit).name().into(),
            back: exit.back,
            cmd: exit.direction.is_none().then(|| exit.name.clone()),
        };
        info.exitsv2.insert(key, details);
    }
    info
}
