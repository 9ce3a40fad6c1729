//! Resolution of targets of build commands: a room, an exit, a creature, or the zone.

use crate::building::zones;
use crate::command::build::room::exits::{
    building_site, hand_built, no_such_site, own_exit, require_builder,
};
use crate::command::parse::resolve;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, RoomId};

/// Target of a build command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuildTarget {
    /// A hand-built room.
    Room(RoomId),
    /// An exit of the builder's room.
    Exit(ExitId),
    /// A creature in that room.
    Creature(CharacterId),
}

/// Resolves words to a target: this room, another by number or `ZONE/KEY`, an exit or a creature of this room, or another
/// room by name.
pub(crate) fn site(turn: &Turn, who: CharacterId, phrase: &str) -> Result<BuildTarget, Refusal> {
    let is_room = phrase.eq_ignore_ascii_case("here") || phrase.starts_with('#') || phrase.contains('/');
    if is_room {
        return room(turn, who, phrase).map(BuildTarget::Room);
    }
    if let Ok(exit) = own_exit(turn, who, phrase) {
        return Ok(BuildTarget::Exit(exit));
    }
    building_site(turn, who)?;
    match resolve::being_here(turn, who, phrase) {
        Ok(being) if !turn.world.characters[being].is_player() => Ok(BuildTarget::Creature(being)),
        Ok(_) => Err(refuse!("A creature that somebody plays is called what it is called.")),
        Err(_) => match hand_built(turn, who, phrase) {
            Ok(_) => room(turn, who, phrase).map(BuildTarget::Room),
            Err(_) => Err(no_such_site(phrase)),
        },
    }
}

/// Resolves words to a room in which the builder may build.
pub(crate) fn room(turn: &Turn, who: CharacterId, phrase: &str) -> Result<RoomId, Refusal> {
    if phrase.eq_ignore_ascii_case("here") {
        return building_site(turn, who);
    }
    let room = hand_built(turn, who, phrase)?;
    require_builder(turn, who, room)?;
    Ok(room)
}

/// Returns the named zone, or the zone of the builder's room.
pub(crate) fn zone_meant(turn: &Turn, who: CharacterId, name: &str) -> Result<String, Refusal> {
    if !name.is_empty() {
        return Ok(name.to_lowercase());
    }
    let room = &turn.world.rooms[turn.workplace(who)];
    if room.branch.is_some() { Err(zones::not_built()) } else { Ok(room.area.clone()) }
}
