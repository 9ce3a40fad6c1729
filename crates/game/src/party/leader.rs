//! The leader of a party: how the lead is passed on, who takes it over, and the end of a party without members.

use crate::access::audibility;
use crate::message::{naming, notices};
use crate::party::{members, roll};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, PartyId};

/// Passes the leadership to another member.
pub(crate) fn pass_lead(turn: &mut Turn, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
    let id = members::led_by(turn, who)?;
    if who == whom {
        return Err(refuse!("You lead already."));
    }
    if !turn.world.characters[whom].awake {
        return Err(audibility::not_listening(&turn.world.characters[whom].name));
    }
    set_leader(turn, id, whom);
    Ok(())
}

fn set_leader(turn: &mut Turn, id: PartyId, leader: CharacterId) {
    turn.world.parties.change(id, |party| party.leader = leader);
    members::tell_party(turn, id, &[leader], &naming::name_of(turn, leader).and(" leads the party now."));
    notices::tell(turn, leader, "You lead the party now.");
    turn.emit_event(GameEvent::PartyChanged { party: id });
}

/// Dissolves the party or picks a new leader if necessary, after a member has left, fallen asleep or declined.
pub(super) fn dissolve_or_replace_leader(turn: &mut Turn, id: PartyId) {
    let Some(party) = turn.world.parties.get(id) else { return };
    let awake = |member: &&CharacterId| turn.world.characters[**member].awake;
    let first = party.members.iter().find(|member| turn.seated.contains_key(*member));
    let next = first.or_else(|| party.members.iter().find(awake)).copied();
    let leads = party.members.contains(&party.leader) && awake(&&party.leader);
    match next {
        _ if party.members.len() < 2 && party.invited.is_empty() => {
            end_party(turn, id, "The party is over: you are alone.");
        }
        None => end_party(turn, id, "The party is over: all its members are asleep."),
        Some(next) if !leads => set_leader(turn, id, next),
        Some(_) => {}
    }
}

/// Dissolves a party. Open rolls are settled as if their time had run out.
fn end_party(turn: &mut Turn, id: PartyId, notice: &str) {
    let Some(party) = turn.world.parties.get(id) else { return };
    let (members, rolls) = (party.members.clone(), party.rolls.clone());
    for roll in rolls {
        roll::settle(turn, roll.item);
    }
    for member in &members {
        notices::tell(turn, *member, notice);
    }
    turn.outbox.note_parties(members);
    turn.world.remove_party(id);
}
