//! Party invitations: sending (the first one creates the party), accepting and declining.

use crate::access::audibility;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::party::{leader, members};
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, PartyId, RuleLimit};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{LootRule, Party};
use std::collections::BTreeMap;

/// Invites a character to the inviter's party, and creates the party if necessary.
pub(crate) fn invite(turn: &mut Turn, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
    let name = turn.world.characters[whom].name.clone();
    if who == whom {
        return Err(refuse!("You are in your own company already."));
    }
    if !turn.seated.contains_key(&whom) {
        return Err(audibility::not_listening(&name));
    }
    let own = turn.world.parties.of(who).map(|_| members::led_by(turn, who)).transpose()?;
    if let Some(other) = turn.world.parties.of(whom).filter(|id| turn.world.parties[*id].members.len() > 1) {
        return Err(if Some(other) == own {
            refuse!("{name} goes with you already.")
        } else {
            refuse!("{name} goes with others already.")
        });
    }
    let most = turn.catalog.rules.party.size_max as usize;
    if let Some(party) = own.map(|id| &turn.world.parties[id]) {
        if party.invited.contains_key(&whom) {
            return Err(refuse!("You have asked {name} already."));
        }
        if party.members.len() + party.invited.len() >= most {
            return Err(refuse!(
                "A party is {} at most, and whoever has been asked counts.",
                grammar::number(turn.catalog.rules.party.size_max)
            ));
        }
    } else if most < 2 {
        return Err(refuse!("Everybody goes alone here."));
    }
    let asked = turn.world.parties.invitations(whom).count();
    let too_many = |_| refuse!("{name} has been asked by too many at once. Wait for an answer.");
    refusal::require_below(&turn.config.limits, RuleLimit::PartyInvitations, asked, too_many)?;
    let id = own.unwrap_or_else(|| found_party(turn, who));
    let (time, until) = members::deadline(turn, turn.catalog.rules.party.invite_secs);
    turn.world.parties.invite(id, whom, until);
    turn.timers.schedule(until, Timer::Party(id));
    tell::tell(
        turn,
        who,
        Class::Reply,
        Markup::plain("You ask ").with(Style::Player, &name).and(" into your party."),
    );
    let asks =
        naming::name_of(turn, who).and(" asks you into a party. Type ").with(Style::Command, "party accept");
    let asks = asks.and(" or ").with(Style::Command, "party decline");
    if !turn.world.is_ignoring(whom, who) {
        tell::tell(turn, whom, Class::Notice, asks.and(&format!(" within {time}.")));
        turn.emit_event(GameEvent::Learned { who: whom, lesson: Lesson::Invited });
    }
    Ok(())
}

fn found_party(turn: &mut Turn, leader: CharacterId) -> PartyId {
    let id = turn.world.new_party_id();
    turn.world.parties.add(Party {
        id,
        leader,
        members: vec![leader],
        invited: BTreeMap::new(),
        loot: LootRule::default(),
        turn: 0,
        coin_turn: 0,
        rolls: Vec::new(),
        created_at: turn.now,
    });
    turn.emit_event(GameEvent::PartyChanged { party: id });
    id
}

/// Returns the party that has invited a character: the only one, or the one with a member of the given name.
fn invitation(turn: &Turn, who: CharacterId, name: &str) -> Result<PartyId, Refusal> {
    let typed = name.to_lowercase();
    let meant = |id: &CharacterId| turn.world.characters[*id].name.to_lowercase().starts_with(&typed);
    let asking: Vec<PartyId> = turn
        .world
        .parties
        .invitations(who)
        .filter(|id| turn.world.parties[*id].members.iter().any(meant))
        .collect();
    match asking.as_slice() {
        [] if name.is_empty() => Err(refuse!("Nobody has asked you into a party.")),
        [] => Err(refuse!("Nobody called \"{name}\" has asked you.")),
        [one] => Ok(*one),
        several => {
            let leader = |id: &PartyId| turn.world.characters[turn.world.parties[*id].leader].name.clone();
            Err(refuse!(
                "{} have asked you. Say whom you mean: party accept NAME.",
                grammar::list(several.iter().map(leader))
            ))
        }
    }
}

/// Joins the inviting party and starts following its leader.
pub(crate) fn accept(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    let id = invitation(turn, who, name)?;
    if let Some(own) = turn.world.parties.of(who) {
        if turn.world.parties[own].members.len() > 1 {
            return Err(refuse!("You are in a party; leave it first."));
        }
        turn.outbox.note_parties([who]);
        turn.world.remove_party(own);
    }
    let party = &turn.world.parties[id];
    if party.members.len() >= turn.catalog.rules.party.size_max as usize {
        return Err(refuse!("That party is full by now."));
    }
    let leader = party.leader;
    let others: Vec<String> =
        party.members.iter().map(|member| turn.world.characters[*member].name.clone()).collect();
    turn.world.parties.join(id, who);
    turn.seekers.remove(who);
    turn.world.characters.change(who, |body| body.following = Some(leader));
    members::tell_party(turn, id, &[who], &naming::name_of(turn, who).and(" joins the party."));
    let message = Markup::plain(&format!("You go with {} now, and follow ", grammar::list(&others)));
    let message = message.with(Style::Player, &turn.world.characters[leader].name).and(". Type ");
    tell::tell(
        turn,
        who,
        Class::Reply,
        message.with(Style::Command, "follow").and(" alone to stop following."),
    );
    turn.emit_event(GameEvent::PartyChanged { party: id });
    Ok(())
}

/// Declines an invitation.
pub(crate) fn decline(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    let id = invitation(turn, who, name)?;
    turn.world.parties.uninvite(id, who);
    let leader = turn.world.parties[id].leader;
    tell::tell(turn, who, Class::Reply, "You decline.");
    tell::tell(turn, leader, Class::Notice, naming::name_of(turn, who).and(" does not want to come along."));
    leader::dissolve_or_replace_leader(turn, id);
    Ok(())
}
