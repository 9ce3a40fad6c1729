//! Who is in a party, and where its members are.

use crate::base::{CharacterId, GameTime, PartyId, RoomId, Span};
use crate::catalog::rules::Rules;
use crate::game::effect::Class;
use crate::game::refusal::{PartyRefusal, Refusal};
use crate::game::tell;
use crate::game::turn::Turn;
use crate::text::Markup;
use crate::world::{Party, Posture};

/// Members of somebody's party in a room who are awake, oneself included; oneself alone without a party. Whoever
/// is down is alive and counts. A companion counts as its master.
pub(crate) fn companions_of(turn: &Turn, who: CharacterId, room: RoomId) -> Vec<CharacterId> {
    let who = credited(turn, who);
    let Some(party) = turn.world.party_of(who) else { return vec![who] };
    let here = |id: &CharacterId| turn.world.characters[*id].room == room && turn.world.characters[*id].awake;
    turn.world.parties[party].members.iter().copied().filter(here).collect()
}

/// The party somebody is in.
pub(crate) fn own_party(turn: &Turn, who: CharacterId) -> Result<&Party, Refusal> {
    let party = turn.world.party_of(who).map(|id| &turn.world.parties[id]);
    party.ok_or(Refusal::Party(PartyRefusal::NoParty))
}

/// The party somebody leads.
pub(crate) fn led_by(turn: &Turn, who: CharacterId) -> Result<PartyId, Refusal> {
    let party = own_party(turn, who)?;
    if party.leader == who {
        return Ok(party.id);
    }
    let leader = turn.world.characters[party.leader].name.clone();
    Err(PartyRefusal::NotLeader { leader }.into())
}

/// A member of somebody's party by its name or the beginning of it, awake or not.
pub(crate) fn member_named(turn: &Turn, who: CharacterId, word: &str) -> Result<CharacterId, Refusal> {
    let (party, typed) = (own_party(turn, who)?, word.to_lowercase());
    let named = |id: &&CharacterId, exact: bool| {
        let name = turn.world.characters[**id].name.to_lowercase();
        if exact { name == typed } else { name.starts_with(&typed) }
    };
    let exact = party.members.iter().find(|id| named(id, true));
    let found = exact.or_else(|| party.members.iter().find(|id| named(id, false)));
    found.copied().ok_or_else(|| PartyRefusal::NoMember(word.to_owned()).into())
}

/// Tells every member something, but for some.
pub(crate) fn tell_party(turn: &mut Turn, id: PartyId, except: &[CharacterId], words: &Markup) {
    let Some(party) = turn.world.parties.get(id) else { return };
    for member in party.members.clone() {
        if !except.contains(&member) {
            tell::tell(turn, member, Class::Notice, words.clone());
        }
    }
}

/// A time of the rules, and when it is over if it begins now.
pub(crate) fn deadline(turn: &Turn, secs: u32) -> (Span, GameTime) {
    let span = Rules::secs(secs);
    (span, turn.now + span)
}

/// The room that somebody is in, and which branch it belongs to.
pub(crate) fn place_words(turn: &Turn, who: CharacterId) -> String {
    let room = &turn.world.rooms[turn.world.characters[who].room];
    match room.branch {
        Some(branch) => format!("{}, branch {branch}", room.name),
        None => room.name.clone(),
    }
}

/// How somebody is, in one word.
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

/// Who has the merit of what a body does: a companion's is its master's.
pub(crate) fn credited(turn: &Turn, who: CharacterId) -> CharacterId {
    turn.world.characters[who].master.unwrap_or(who)
}
