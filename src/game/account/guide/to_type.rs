//! Commands that a player could type next: those of a guide step with their placeholders filled, including the path to
//! a destination.

use super::notice::creature_here;
use crate::base::{CharacterId, ItemId, RoomId};
use crate::catalog::guide::{Blank, Line, Piece};
use crate::game::branch::start_room;
use crate::game::exit::room_search::{RoomSearch, SearchLimit};
use crate::game::room::look;
use crate::game::turn::Turn;
use crate::world::{Exit, ExitKind, ExitState, Room, RoomKind};

/// Bounds of a path search.
const WAY_LIMIT: SearchLimit = SearchLimit { rooms: 500, ..SearchLimit::NONE };

/// Fills the placeholders of lines. `None` if one cannot be filled, or if no command remains.
pub(super) fn suggested_commands(turn: &Turn, who: CharacterId, lines: &[Line]) -> Option<Vec<String>> {
    let mut typed = Vec::new();
    for line in lines {
        if let [Piece::Blank(blank @ (Blank::WayTo(_) | Blank::WayToGear | Blank::Onward))] = line.as_slice()
        {
            typed.extend(steps_for(turn, who, *blank)?);
            continue;
        }
        let mut words = String::new();
        for piece in line {
            match piece {
                Piece::Words(text) => words.push_str(text),
                Piece::Blank(blank) => words.push_str(&self::blank(turn, who, *blank)?),
            }
        }
        typed.push(words);
    }
    (!typed.is_empty()).then_some(typed)
}

fn blank(turn: &Turn, who: CharacterId, blank: Blank) -> Option<String> {
    let unworn = |id: &&ItemId| {
        let item = &turn.world.items[**id];
        let prototype = turn.catalog.items.get(&item.prototype);
        item.worn.is_none() && prototype.is_some_and(|prototype| prototype.slot.is_some())
    };
    let name = |id: &ItemId| {
        turn.catalog.items.get(&turn.world.items[*id].prototype).map(|prototype| prototype.name.clone())
    };
    match blank {
        Blank::Creature => creature_here(turn, who).map(|id| turn.world.characters[id].name.clone()),
        Blank::Thing => turn.world.ground(turn.world.characters[who].room).first().and_then(name),
        Blank::Gear => turn.world.carried(who).iter().find(unworn).and_then(name),
        Blank::Onward | Blank::WayTo(_) | Blank::WayToGear => {
            steps_for(turn, who, blank).map(|steps| steps.join(", "))
        }
    }
}

fn steps_for(turn: &Turn, who: CharacterId, blank: Blank) -> Option<Vec<String>> {
    let here = turn.world.characters[who].room;
    match blank {
        Blank::WayTo(kind) => shortest_path_to(turn, here, |room| room.kind == kind),
        Blank::WayToGear => shortest_path_to(turn, here, |room| !room.supplies.is_empty()),
        _ => onward(turn, who, here),
    }
}

/// Returns the commands that lead onward. In the start room, the easiest start exit; in a branch, an unexplored exit or
/// the obstacle before it.
fn onward(turn: &Turn, who: CharacterId, here: RoomId) -> Option<Vec<String>> {
    let room = &turn.world.rooms[here];
    let opening = |exit: &&&Exit| exit.kind == ExitKind::Branch;
    let unknown = |exit: &&&Exit| exit.state == ExitState::Unexplored;
    let exits = look::exits_in_order(turn, here);
    if room.kind == RoomKind::Start {
        let gentlest = exits.iter().filter(opening).min_by_key(|exit| !start_room::is_gentle(turn, exit));
        return gentlest.map(|exit| vec![exit.name.clone()]);
    }
    if room.branch.is_none() {
        return shortest_path_to(turn, here, |room| room.kind == RoomKind::Start);
    }
    if !room.clear {
        if let Some(creature) = creature_here(turn, who) {
            return Some(vec![format!("kill {}", turn.world.characters[creature].name)]);
        }
        let lever = room.challenge.lever_in.unwrap_or(here);
        let mut steps = shortest_path_to(turn, here, |room| room.id == lever)?;
        steps.push("pull lever".into());
        return Some(steps);
    }
    let calm = exits.iter().filter(unknown).min_by_key(|exit| exit.omen.is_some());
    if let Some(exit) = calm {
        return Some(vec![exit.name.clone()]);
    }
    let more = |room: &Room| turn.world.exits_of(room.id).any(|exit| unknown(&&exit));
    shortest_path_to(turn, here, |other| other.branch == room.branch && more(other))
}

/// Returns the exits to take to the nearest room that matches, over explored exits; empty if `from` matches.
fn shortest_path_to(turn: &Turn, from: RoomId, wanted: impl Fn(&Room) -> bool) -> Option<Vec<String>> {
    // A start exit leads into a branch, which may belong to other players, and is not used as a path.
    let is_path =
        |exit: &&Exit| exit.state != ExitState::Unexplored && exit.kind != ExitKind::Branch && !exit.hidden;
    let exits = |room| look::exits_in_order(turn, room).into_iter().filter(is_path).collect();
    let (_, steps) =
        RoomSearch::new(from, WAY_LIMIT, exits).nearest(|room| wanted(&turn.world.rooms[room]))?;
    Some(steps)
}
