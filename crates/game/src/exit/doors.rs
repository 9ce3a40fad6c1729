//! Doors in hand-built exits; both sides open and close together.

use crate::effect::Class;
use crate::exit::pathfinding;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::{GameEvent, Sound};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, ExitId, RoomId};
use deepwell_core::text::grammar;
use deepwell_core::world::{Door, Exit};

/// Returns the exit whose door is named, by the name of the exit or of the door.
pub(crate) fn door_named(turn: &Turn, room: RoomId, phrase: &str) -> Option<ExitId> {
    let typed = phrase.to_lowercase();
    let named = pathfinding::exit_named(turn, room, phrase).filter(|exit| exit.door.is_some());
    let is_called = |door: &Door| {
        let name = door.name.to_lowercase();
        !typed.is_empty() && (name == typed || name.split(' ').any(|word| word == typed))
    };
    let by_door = || turn.world.exits.of(room).find(|exit| exit.door.as_ref().is_some_and(is_called));
    named.or_else(by_door).map(|exit| exit.id)
}

/// Returns both sides of an exit: the exit and its counterpart in the other room, if any. Several exits between two
/// rooms are paired by equal doors, then by opposite directions, then by name, then in order. No exit is the
/// counterpart of two.
pub(crate) fn sides(turn: &Turn, exit: ExitId) -> Vec<ExitId> {
    let row = &turn.world.exits[exit];
    let Some(there) = row.to.filter(|to| *to != row.room) else { return vec![exit] };
    let leading = |from, to| turn.world.exits.of(from).filter(move |exit| exit.to == Some(to));
    let mut mine: Vec<&Exit> = leading(row.room, there).collect();
    let mut theirs: Vec<&Exit> = leading(there, row.room).collect();
    let are_one: [fn(&Exit, &Exit) -> bool; 4] = [
        |one, other| one.door.is_some() && one.door == other.door,
        |one, other| one.direction.is_some() && one.direction.map(Direction::opposite) == other.direction,
        |one, other| one.name == other.name,
        |_, _| true,
    ];
    for are_one in are_one {
        let mut left = Vec::new();
        for one in std::mem::take(&mut mine) {
            match theirs.iter().position(|other| are_one(one, other)) {
                Some(place) if one.id == exit => return vec![exit, theirs[place].id],
                Some(place) => _ = theirs.remove(place),
                None => left.push(one),
            }
        }
        mine = left;
    }
    vec![exit]
}

/// Opens or closes a door on both sides and notifies both rooms. Does nothing on a side already in that state.
pub(crate) fn set_door_shut(turn: &mut Turn, exit: ExitId, shut: bool) {
    for side in sides(turn, exit) {
        let row = &turn.world.exits[side];
        let Some(door) = row.door.as_ref().filter(|door| door.shut != shut) else { continue };
        let does = if shut { "falls shut" } else { "opens" };
        let message = format!("{} {does}.", grammar::capitalise(&format!("the {}", door.name)));
        let room = row.room;
        turn.world.exits.change(side, |row| row.door.iter_mut().for_each(|door| door.shut = shut));
        tell::tell_room(turn, room, &[], Class::Notice, message.as_str());
        turn.emit_event(GameEvent::RoomChanged { room });
    }
}

/// Opens or closes a door for a character. Opening a door with a key requires the key.
pub(crate) fn work(turn: &mut Turn, who: CharacterId, exit: ExitId, shut: bool) -> Result<(), Refusal> {
    let Some(door) = turn.world.exits[exit].door.to_value() else { return Err(Refusal::NoWay) };
    if door.shut == shut {
        let state = if shut { "shut" } else { "open" };
        return Err(refuse!("The {} is {state} already.", door.name));
    }
    let key = door.key.filter(|_| !shut);
    let held = |key: &String| {
        turn.world.carried(who).iter().copied().find(|item| turn.world.items[*item].prototype == *key)
    };
    let locked = || refuse!("The {} is locked, and you carry nothing that opens it.", door.name);
    let with = match &key {
        Some(key) => Some(held(key).ok_or_else(locked)?),
        None => None,
    };
    let tool = with.map_or_else(String::new, |item| format!(" with {}", naming::the_item(turn, item)));
    let (you, other) = if shut { ("shut", "shuts") } else { ("open", "opens") };
    tell::tell(turn, who, Class::Notice, format!("You {you} the {}{tool}.", door.name));
    tell::tell_others(turn, who, Class::Notice, &format!(" {other} the {}{tool}.", door.name));
    turn.emit_event(GameEvent::SoundedAround { who, sound: Sound::Door });
    let here = turn.world.exits[exit].room;
    turn.world.exits.change(exit, |row| row.door.iter_mut().for_each(|door| door.shut = shut));
    turn.emit_event(GameEvent::RoomChanged { room: here });
    set_door_shut(turn, exit, shut);
    Ok(())
}

/// Refuses to pass an exit with a closed door.
pub(crate) fn may_pass(exit: &Exit) -> Result<(), Refusal> {
    // Mappers match the first sentence.
    exit.shut_door().map_or(Ok(()), |door| Err(refuse!("You can't go that way. The {} is shut.", door.name)))
}
