//! Parties: membership and party chat. Leadership, following, sharing, loot rolls and the party rope are in the files
//! beside this one.
//!
//! ```text
//! (first invitation) -> party -> dissolved: no member awake, or one member and no open invitation
//! ```
//! Parties survive restarts and lost connections. A member who quits stays in the party for a while.

pub(crate) mod finder;
pub(crate) mod follow;
pub(crate) mod invitation;
pub(crate) mod leader;
pub(crate) mod members;
pub(crate) mod roll;
pub(crate) mod rope;
pub(crate) mod scale;
pub(crate) mod share;
#[cfg(test)]
mod tests;

use crate::access::audibility;
use crate::character::{stats, wounds};
use crate::effect::Class;
use crate::message::{naming, notices, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, PartyId};
use deepwell_core::catalog::rules::Rules;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Channel, Character, LootRule};

/// Leaves the party and passes on all open rolls.
pub(crate) fn leave_party(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let id = members::own_party(turn, who)?.id;
    tell::tell(turn, who, Class::Reply, "You leave the party.");
    part_from(turn, id, who, " is no longer in the party.");
    Ok(())
}

/// Removes a member on behalf of the leader.
pub(crate) fn kick(turn: &mut Turn, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
    let id = members::led_by(turn, who)?;
    if who == whom {
        return Err(refuse!("Nobody sends oneself away; type party leave."));
    }
    let name = &turn.world.characters[whom].name;
    if turn.world.parties[id].rolls.iter().any(|roll| roll.claims.contains_key(&whom)) {
        return Err(refuse!("{name} has a part in what is rolled for; wait until it is settled."));
    }
    let notice = naming::name_of(turn, who).and(" sends you away: you are in no party any more.");
    notices::tell(turn, whom, notice);
    part_from(turn, id, whom, " is sent away from the party.");
    Ok(())
}

/// Removes a member from a party.
fn part_from(turn: &mut Turn, id: PartyId, who: CharacterId, how: &str) {
    roll::give_up_rolls(turn, id, who);
    turn.world.leave_party(who);
    members::tell_party(turn, id, &[], &naming::name_of(turn, who).and(how));
    turn.outbox.note_parties([who]);
    turn.emit_event(GameEvent::PartyChanged { party: id });
    leader::dissolve_or_replace_leader(turn, id);
}

/// Removes a deleted character from its party, from invitations and from rolls.
pub(crate) fn forget(turn: &mut Turn, who: CharacterId) {
    if let Some(id) = turn.world.parties.of(who) {
        part_from(turn, id, who, " is gone for good, and no longer in the party.");
    }
    let asking: Vec<PartyId> = turn.world.parties.invitations(who).collect();
    for id in asking {
        turn.world.parties.uninvite(id, who);
        turn.emit_event(GameEvent::PartyChanged { party: id });
        leader::dissolve_or_replace_leader(turn, id);
    }
    roll::forget_claims(turn, who);
}

/// Handles a member's logout: its place in the party is reserved for a while.
pub(crate) fn note_logout(turn: &mut Turn, who: CharacterId) {
    let Some(id) = turn.world.parties.of(who) else { return };
    let (time, until) = members::deadline(turn, turn.catalog.rules.party.keep_secs);
    let message =
        naming::name_of(turn, who).and(&format!(" is asleep, and keeps the place in the party for {time}."));
    members::tell_party(turn, id, &[who], &message);
    turn.timers.schedule(until, Timer::Party(id));
    turn.emit_event(GameEvent::MemberChanged { who });
    leader::dissolve_or_replace_leader(turn, id);
}

/// Returns the time at which a sleeping member is removed; `None` while it is awake.
fn reservation_end(turn: &Turn, body: &Character) -> Option<GameTime> {
    (!body.awake).then(|| body.seen_at + Rules::secs(turn.catalog.rules.party.keep_secs))
}

/// Schedules all party deadlines after a restart.
pub(crate) fn schedule_parties(turn: &mut Turn) {
    let mut dues: Vec<(PartyId, GameTime)> = Vec::new();
    for (id, party) in turn.world.parties.iter() {
        let places = party.members.iter().filter_map(|id| reservation_end(turn, &turn.world.characters[*id]));
        let rolls = party.rolls.iter().map(|roll| roll.until);
        let all = party.invited.values().copied().chain(rolls).chain(places);
        dues.extend(all.map(|due| (id, due)));
    }
    for (id, due) in dues {
        turn.timers.schedule(due, Timer::Party(id));
    }
}

/// Handles due deadlines of a party: invitations, rolls and members who have quit.
pub(crate) fn party_due(turn: &mut Turn, id: PartyId) {
    let Some(party) = turn.world.parties.get(id) else { return };
    let (now, leader) = (turn.now, party.leader);
    let rolls: Vec<_> = party.rolls.iter().filter(|r| r.until <= now).map(|r| r.item).collect();
    let silent: Vec<CharacterId> =
        party.invited.iter().filter(|(_, until)| **until <= now).map(|(who, _)| *who).collect();
    let lost =
        |id: &CharacterId| reservation_end(turn, &turn.world.characters[*id]).is_some_and(|at| at <= now);
    let gone: Vec<CharacterId> = party.members.iter().copied().filter(lost).collect();
    for item in rolls {
        roll::settle(turn, item);
    }
    for who in &silent {
        turn.world.parties.uninvite(id, *who);
        tell::tell(
            turn,
            leader,
            Class::Notice,
            naming::name_of(turn, *who).and(" has not answered; the invitation is over."),
        );
        tell::tell(
            turn,
            *who,
            Class::Notice,
            naming::name_of(turn, leader).and(" waits no longer for your answer."),
        );
    }
    for who in gone {
        if turn.world.parties.of(who) == Some(id) {
            notices::keep_if_away(turn, who, "You have slept too long, and are of the party no more.");
            part_from(turn, id, who, " has slept too long, and is of the party no more.");
        }
    }
    if !silent.is_empty() {
        leader::dissolve_or_replace_leader(turn, id);
    }
}

/// Sends a message to all members of the party.
pub(crate) fn party_say(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let speech = audibility::spoken(turn, who, text)?;
    let members = members::own_party(turn, who)?.members.clone();
    audibility::require_unmuted(turn, who, Channel::Party)?;
    let talker = turn.world.characters[who].name.clone();
    let line = Markup::plain("[Party] ").with(Style::Player, &talker).and(": ").with(Style::Speech, &speech);
    let message = tell::spoken_message(turn, Class::Channel, "party", &talker, line.clone());
    for member in members {
        let deaf = turn.world.is_ignoring(member, who) || audibility::has_muted(turn, member, Channel::Party);
        if turn.seated.contains_key(&member) && !deaf {
            turn.emit_event(GameEvent::ToldMember { member, talker: who, text: &line });
            tell::send_spoken(turn, member, &message);
        }
    }
    Ok(())
}

/// Lists the party, one line per member, or open invitations for a player without a party.
pub(crate) fn party_list(turn: &Turn, who: CharacterId) -> Markup {
    let Some(party) = turn.world.parties.of(who).map(|id| &turn.world.parties[id]) else {
        return no_party(turn, who);
    };
    let mut list = Markup::styled(Style::Heading, "Your party");
    list.line(Style::Plain, loot_words(party.loot));
    for member in &party.members {
        let body = &turn.world.characters[*member];
        list.line(Style::Player, &body.name);
        let (hp, most) = (stats::hp(turn, *member), stats::max_hp_of(turn, *member));
        let place = members::place_words(turn, *member);
        list.push(Style::Plain, &format!(": level {}, {hp} of {most} hit points, at {place}.", body.level));
        if *member == party.leader {
            list.push(Style::Plain, " Leads.");
        }
        if let Some(name) = wounds::name_of_wounds(turn, *member) {
            list.push(Style::Harm, &format!(" {}.", grammar::capitalise(&name)));
        }
        list.push(Style::Plain, state_words(members::standing_of(turn, *member)));
    }
    for asked in party.invited.keys() {
        list.line(Style::Player, &turn.world.characters[*asked].name);
        list.push(Style::Plain, " has been asked.");
    }
    for roll in &party.rolls {
        list.line(Style::Plain, &format!("Dice are out for {}.", naming::item(turn, roll.item)));
    }
    list
}

fn no_party(turn: &Turn, who: CharacterId) -> Markup {
    let mut list = Markup::plain("You are in no party. Type ").with(Style::Command, "party invite");
    list.push(Style::Plain, " and a name to begin one.");
    for id in turn.world.parties.invitations(who) {
        list.line(Style::Player, &turn.world.characters[turn.world.parties[id].leader].name);
        list.push(Style::Plain, " has asked you: ");
        list.push(Style::Command, "party accept");
        list.push(Style::Plain, " or ");
        list.push(Style::Command, "party decline");
        list.push(Style::Plain, ".");
    }
    list
}

/// Sets the loot rule on behalf of the leader, or shows the current rule.
pub(crate) fn party_loot(turn: &mut Turn, who: CharacterId, rule: Option<LootRule>) -> Result<(), Refusal> {
    let Some(rule) = rule else {
        let sentence = loot_words(members::own_party(turn, who)?.loot);
        tell::tell(turn, who, Class::Reply, sentence);
        return Ok(());
    };
    let id = members::led_by(turn, who)?;
    turn.world.parties.change(id, |party| party.loot = rule);
    members::tell_party(turn, id, &[], &Markup::plain(loot_words(rule)));
    turn.emit_event(GameEvent::PartyChanged { party: id });
    Ok(())
}

const fn loot_words(rule: LootRule) -> &'static str {
    match rule {
        LootRule::RoundRobin => "Loot: each thing that is won goes to the next of you in turn.",
        LootRule::Free => "Loot: what is won lies there for whoever takes it.",
        LootRule::Roll => "Loot: for what is worth it you throw dice, need before greed.",
    }
}

fn state_words(state: &str) -> &'static str {
    match state {
        "asleep" => " Asleep.",
        "down" => " Lies on the floor and needs help.",
        "link-dead" => " Stares into the dark: the link is broken.",
        "fighting" => " In a fight.",
        "resting" => " Resting.",
        _ => "",
    }
}
