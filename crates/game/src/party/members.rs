//! Members of a party and their locations.

use crate::effect::Class;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, PartyId, RoomId, Span};
use deepwell_core::catalog::rules::Rules;
use deepwell_core::text::Markup;
use deepwell_core::world::{Party, Posture};

/// Returns the awake party members in a room, including the given character; only that character if it has no party.
/// Incapacitated members count. A companion is replaced by its master.
pub(crate) fn companions_of(turn: &Turn, who: CharacterId, room: RoomId) -> Vec<CharacterId> {
    let who = credited(turn, who);
    let Some(party) = turn.world.parties.of(who) else { return vec![who] };
    let here = |id: &CharacterId| turn.world.characters[*id].room == room && turn.world.characters[*id].awake;
    turn.world.parties[party].members.iter().copied().filter(here).collect()
}

/// Returns the party of a character, or the error for players without one.
pub(crate) fn own_party(turn: &Turn, who: CharacterId) -> Result<&Party, Refusal> {
    let party = turn.world.parties.of(who).map(|id| &turn.world.parties[id]);
    party.ok_or_else(|| refuse!("You are in no party. Type party invite and a name to begin one."))
}

/// Returns the party that a character leads, or an error.
pub(crate) fn led_by(turn: &Turn, who: CharacterId) -> Result<PartyId, Refusal> {
    let party = own_party(turn, who)?;
    if party.leader == who {
        return Ok(party.id);
    }
    let leader = turn.world.characters[party.leader].name.clone();
    Err(refuse!("That is for {leader}, who leads your party."))
}

/// Finds a member of a character's party by name or prefix, awake or not.
pub(crate) fn member_named(turn: &Turn, who: CharacterId, word: &str) -> Result<CharacterId, Refusal> {
    let (party, typed) = (own_party(turn, who)?, word.to_lowercase());
    let named = |id: &&CharacterId, exact: bool| {
        let name = turn.world.characters[**id].name.to_lowercase();
        if exact { name == typed } else { name.starts_with(&typed) }
    };
    let exact = party.members.iter().find(|id| named(id, true));
    let found = exact.or_else(|| party.members.iter().find(|id| named(id, false)));
    found.copied().ok_or_else(|| refuse!("Nobody in your party is called \"{word}\"."))
}

/// Notifies all members of a party except the given ones.
pub(crate) fn tell_party(turn: &mut Turn, id: PartyId, except: &[CharacterId], message: &Markup) {
    let Some(party) = turn.world.parties.get(id) else { return };
    for member in party.members.clone() {
        if !except.contains(&member) {
            tell::tell(turn, member, Class::Notice, message.clone());
        }
    }
}

/// Converts a time limit of the rules to a span and its deadline from now.
pub(crate) fn deadline(turn: &Turn, secs: u32) -> (Span, GameTime) {
    let span = Rules::secs(secs);
    (span, turn.now + span)
}

/// Returns the room of a character, with the number of its branch.
pub(crate) fn place_words(turn: &Turn, who: CharacterId) -> String {
    let room = &turn.world.rooms[turn.world.characters[who].room];
    match room.branch {
        Some(branch) => format!("{}, branch {branch}", room.sheet.name),
        None => room.sheet.name.clone(),
    }
}

/// Returns the one-word status of a character.
pub(crate) fn standing_of(turn: &Turn, who: CharacterId) -> &'static str {
    let body = &turn.world.characters[who];
    match body.posture {
        _ if !body.awake => "asleep",
        Posture::Down => "down",
        _ if body.link_dead_until.is_some() => "link-dead",
        _ if body.target.is_some() => "fighting",
        Posture::Resting => "resting",
        Posture::Asleep | Posture::Standing => "ready",
    }
}

/// Returns the character credited for an action: the master of a companion, otherwise the character.
pub(crate) fn credited(turn: &Turn, who: CharacterId) -> CharacterId {
    turn.world.characters[who].master.filter(|led| turn.world.characters.get(*led).is_some()).unwrap_or(who)
}
