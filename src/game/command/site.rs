//! What of a place builders mean by a word: this room, another one by its number, a way out of this one, a creature in it, or its zone.

use crate::base::{CharacterId, ExitId, RoomId};
use crate::game::command::build::{building_site, hand_built, own_exit, require_builder};
use crate::game::command::resolve;
use crate::game::refusal::{BuildRefusal, Refusal, ZoneRefusal};
use crate::game::turn::Turn;

/// What a builder works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Site {
    /// A room built by hand.
    Room(RoomId),
    /// An exit of the room that the builder is in.
    Exit(ExitId),
    /// A creature in that room.
    Creature(CharacterId),
}

/// What words mean to a builder.
pub(super) fn site(turn: &Turn, who: CharacterId, words: &str) -> Result<Site, Refusal> {
    let is_room = words.eq_ignore_ascii_case("here") || words.starts_with('#');
    if is_room {
        return room(turn, who, words).map(Site::Room);
    }
    if let Ok(exit) = own_exit(turn, who, words) {
        return Ok(Site::Exit(exit));
    }
    building_site(turn, who)?;
    match resolve::being_here(turn, who, words) {
        Ok(being) if !turn.world.characters[being].is_player() => Ok(Site::Creature(being)),
        Ok(_) => Err(BuildRefusal::NotYours.into()),
        Err(_) => Err(BuildRefusal::NoSuchSite(words.to_owned()).into()),
    }
}

/// The room that words mean, if the builder may build there.
pub(super) fn room(turn: &Turn, who: CharacterId, words: &str) -> Result<RoomId, Refusal> {
    if words.eq_ignore_ascii_case("here") {
        return building_site(turn, who);
    }
    let room = hand_built(turn, who, words)?;
    require_builder(turn, who, room)?;
    Ok(room)
}

/// The zone that is named, or else the one of the room where the builder stands.
pub(super) fn zone_meant(turn: &Turn, who: CharacterId, name: &str) -> Result<String, Refusal> {
    if !name.is_empty() {
        return Ok(name.to_lowercase());
    }
    let room = &turn.world.rooms[turn.workplace(who)];
    if room.branch.is_some() { Err(ZoneRefusal::NotBuilt.into()) } else { Ok(room.area.clone()) }
}
