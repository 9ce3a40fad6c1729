//! GMCP messages about parties: the whole party when its membership changes, single members when their state changes.

use super::package::PackageSpec;
use super::room;
use crate::character::stats;
use crate::effect::data::party::{PartyInfo, PartyMember};
use crate::effect::data::{Data, Package, PartyInvitation};
use crate::party::members;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, PartyId, SessionId};
use deepwell_core::world::LootRule;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Party)
    .by_default()
    .first(|turn, _, who| turn.outbox.note_parties([who]))
    .at_prompt(&[invitations]);

/// Lists the open invitations, without those of ignored players.
fn invitations(turn: &Turn, who: CharacterId) -> Data {
    Data::PartyInvitations(open_invitations(turn, who))
}

pub(super) fn open_invitations(turn: &Turn, who: CharacterId) -> Vec<PartyInvitation> {
    let asking = turn.world.parties.invitations(who).map(|id| turn.world.parties[id].leader);
    let heard = asking.filter(|leader| !turn.world.is_ignoring(who, *leader));
    let followed = heard.map(|leader| {
        let from = turn.world.characters[leader].name.clone();
        let (accept, decline) = (format!("party accept {from}"), format!("party decline {from}"));
        PartyInvitation { from, accept, decline }
    });
    followed.collect()
}

/// Marks the state of a player as possibly changed, for its party and for the players in its room.
pub(crate) fn show_member(turn: &mut Turn, who: CharacterId) {
    if turn.wanted.contains(&Package::Room) || turn.world.parties.of(who).is_some() {
        turn.outbox.note_member(who);
    }
}

/// Marks a party as changed, for all its members.
pub(crate) fn show_party(turn: &mut Turn, id: PartyId) {
    if let Some(party) = turn.world.parties.get(id) {
        turn.outbox.note_parties(party.members.iter().copied());
    }
}

/// Sends party changes to subscribed clients at the end of a step.
pub(crate) fn finish_parties(turn: &mut Turn) {
    let anew = turn.outbox.take_parties();
    for who in &anew {
        if let Some(session) = listener(turn, *who) {
            let info = party_info(turn, *who);
            note_members(turn, session, *who, &info);
            turn.outbox.data(session, Data::PartyInfo(Box::new(info)));
        }
    }
    for changed in turn.outbox.take_members() {
        room::show_state(turn, changed);
        let Some(party) = turn.world.parties.of(changed).map(|id| &turn.world.parties[id]) else {
            continue;
        };
        let others = party.members.iter().filter(|id| !anew.contains(id));
        let listeners: Vec<SessionId> = others.filter_map(|id| listener(turn, *id)).collect();
        if listeners.is_empty() {
            continue;
        }
        let member = party_member(turn, changed);
        for session in listeners {
            let Some(seat) = turn.seats.get_mut(&session) else { continue };
            if seat.gmcp.replace_member(changed, &member) {
                turn.outbox.data(session, Data::PartyUpdate(Box::new(member.clone())));
            }
        }
    }
}

/// Returns the session of a character whose client subscribes to this package.
fn listener(turn: &Turn, who: CharacterId) -> Option<SessionId> {
    turn.seated.get(&who).copied().filter(|session| turn.wants(*session, Package::Party))
}

fn note_members(turn: &mut Turn, session: SessionId, who: CharacterId, info: &PartyInfo) {
    let members = turn.world.parties.of(who).map(|id| turn.world.parties[id].members.clone());
    if let Some(seat) = turn.seats.get_mut(&session) {
        let members = members.unwrap_or_default().into_iter();
        seat.gmcp.replace_members(members.zip(info.members.iter().cloned()).collect());
    }
}

fn party_info(turn: &Turn, who: CharacterId) -> PartyInfo {
    let Some(party) = turn.world.parties.of(who).map(|id| &turn.world.parties[id]) else {
        return PartyInfo::default();
    };
    let loot = match party.loot {
        LootRule::RoundRobin => "round-robin",
        LootRule::Free => "free",
        LootRule::Roll => "roll",
    };
    PartyInfo {
        id: Some(party.id),
        leader: Some(turn.world.characters[party.leader].name.clone()),
        loot: Some(loot.into()),
        members: party.members.iter().map(|member| party_member(turn, *member)).collect(),
    }
}

fn party_member(turn: &Turn, who: CharacterId) -> PartyMember {
    let body = &turn.world.characters[who];
    let leader = turn.world.parties.of(who).is_some_and(|id| turn.world.parties[id].leader == who);
    PartyMember {
        name: body.name.clone(),
        hp: stats::hp(turn, who),
        maxhp: stats::max_hp_of(turn, who),
        level: body.level,
        place: members::place_words(turn, who),
        room: body.room.0,
        state: members::standing_of(turn, who).into(),
        leader,
    }
}
