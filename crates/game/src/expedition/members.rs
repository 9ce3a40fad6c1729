//! Members of an expedition: invitations, joining, leaving, and the end.

use crate::access::{audibility, permissions, sanctions};
use crate::branch::{asleep, collapse, start_room};
use crate::effect::Class;
use crate::expedition::{founding, led_by};
use crate::message::{naming, notices, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, RuleLimit, Span};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Expedition;

/// Invites a character to an expedition that a player leads.
pub(crate) fn invite(
    turn: &mut Turn,
    who: CharacterId,
    whom: CharacterId,
    name: &str,
) -> Result<(), Refusal> {
    let invited = turn.world.characters[whom].name.clone();
    let id = led_by(turn, who, name, &format!("expedition invite {invited} to *"))?;
    let row = &turn.world.expeditions[id];
    if row.members.contains(&whom) {
        return Err(if who == whom {
            refuse!("You are in your own company already.")
        } else {
            refuse!("{invited} belongs to it already.")
        });
    }
    if row.invited.contains(&whom) {
        return Err(refuse!("You have asked {invited} already."));
    }
    if !turn.seated.contains_key(&whom) {
        return Err(audibility::not_listening(&invited));
    }
    if turn.world.characters[whom].account.is_none_or(|account| sanctions::is_guest(turn, account)) {
        return Err(permissions::guest_has_none("expedition"));
    }
    require_size(turn, row, row.members.len() + row.invited.len())?;
    let asked = turn.world.expeditions.invitations(whom).count();
    refusal::require_below(&turn.config.limits, RuleLimit::PartyInvitations, asked, |_| {
        refuse!("{invited} has been asked by too many at once. Wait for an answer.")
    })?;
    let expedition = row.name.clone();
    turn.world.expeditions.invite(id, whom);
    let message = Markup::plain("You ask ").with(Style::Player, &invited);
    tell::tell(turn, who, Class::Reply, message.and(&format!(" to come along on {expedition}.")));
    if !turn.world.is_ignoring(whom, who) {
        let asks = naming::name_of(turn, who)
            .and(&format!(" asks you to come along on an expedition, {expedition}. Type "));
        let typed = format!("expedition join {expedition}");
        let asks = asks.with(Style::Command, &typed).and(" if you want to. It costs you nothing.");
        tell::tell(turn, whom, Class::Notice, asks);
    }
    Ok(())
}

fn require_size(turn: &Turn, row: &Expedition, has: usize) -> Result<(), Refusal> {
    let most = turn.catalog.rules.expedition.size_max;
    if has < most as usize {
        return Ok(());
    }
    Err(refuse!(
        "{} is full: it has {} at most, and an invitation counts.",
        row.name,
        grammar::counted(most, "member")
    ))
}

/// Accepts an invitation.
pub(crate) fn join(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    let asking: Vec<&Expedition> = turn.world.expeditions.invitations(who).collect();
    let row = super::named(&asking, name, "expedition join *", || {
        refuse!("Nobody has asked you to come along on an expedition.")
    })?;
    require_size(turn, row, row.members.len())?;
    founding::require_place(turn, who)?;
    let (id, expedition) = (row.branch, row.name.clone());
    tell_members(turn, id, &[], &naming::name_of(turn, who).and(&format!(" belongs to {expedition} now.")));
    turn.world.expeditions.join(id, who);
    let way = start_room::place_words(turn, turn.world.branches[id].start_exit);
    let message = format!("You belong to {expedition} now. The way in is {way}. Type ");
    tell::tell(
        turn,
        who,
        Class::Reply,
        Markup::plain(&message).with(Style::Command, "expedition enter").and(" there."),
    );
    Ok(())
}

/// Leaves an expedition, or declines an invitation. A leader is told first what that means, unless it `is_sure`.
pub(crate) fn leave(turn: &mut Turn, who: CharacterId, name: &str, is_sure: bool) -> Result<(), Refusal> {
    let all: Vec<&Expedition> =
        turn.world.expeditions.of(who).chain(turn.world.expeditions.invitations(who)).collect();
    let row = super::named(&all, name, "expedition leave *", super::belongs_to_none)?;
    let (id, expedition, leader) = (row.branch, row.name.clone(), row.leader);
    if row.invited.contains(&who) {
        turn.world.expeditions.uninvite(id, who);
        tell::tell(turn, who, Class::Reply, "You decline.");
        let notice = naming::name_of(turn, who).and(&format!(" does not come along on {expedition}."));
        notices::tell(turn, leader, notice);
        return Ok(());
    }
    if turn.world.characters[who].branch == Some(id) {
        return Err(refuse!("You are below, in the branch of {expedition}. Come home first, then leave it."));
    }
    if row.weekly.is_none() {
        let next = row.members.iter().find(|member| **member != who);
        let next = next.ok_or_else(|| refuse!("You are its last member. Type expedition end to end it."))?;
        if leader == who && !is_sure {
            let next = turn.world.name_of(*next).unwrap_or_default();
            let warning = format!(
                "You lead {expedition}. If you leave, {next} leads it, and what you have paid stays with it. To leave, type "
            );
            let warning =
                Markup::plain(&warning).with(Style::Command, &format!("expedition leave {expedition} now"));
            tell::tell(turn, who, Class::Reply, warning.and("."));
            return Ok(());
        }
    }
    tell::tell(turn, who, Class::Reply, format!("You belong to {expedition} no more."));
    part(turn, id, who);
    Ok(())
}

/// Removes a member, or an invitation, on behalf of the leader. A member who is asleep in the branch is carried home.
pub(crate) fn remove(turn: &mut Turn, who: CharacterId, typed: &str, name: &str) -> Result<(), Refusal> {
    let typed = typed.trim();
    let led = super::led(turn, who);
    let of_it = |row: &Expedition| {
        let is_meant =
            |id: &&CharacterId| turn.world.name_of(**id).is_some_and(|name| name.eq_ignore_ascii_case(typed));
        row.members.iter().chain(&row.invited).find(is_meant).copied()
    };
    // Without a name, those expeditions are meant to which the other belongs.
    let mut among = led.clone();
    if name.trim().is_empty() {
        among.retain(|row| of_it(row).is_some());
        if among.is_empty() && !led.is_empty() {
            return Err(refuse!("Nobody called \"{typed}\" belongs to {}.", super::names(&led)));
        }
    }
    let row = super::named(&among, name, &format!("expedition remove {typed} from *"), super::leads_none)?;
    let whom = of_it(row).ok_or_else(|| refuse!("Nobody called \"{typed}\" belongs to {}.", row.name))?;
    if whom == who {
        return Err(refuse!("Nobody sends oneself away; type expedition leave."));
    }
    let (id, expedition) = (row.branch, row.name.clone());
    let removed = turn.world.name_of(whom).unwrap_or_default().to_owned();
    if row.invited.contains(&whom) {
        turn.world.expeditions.uninvite(id, whom);
        tell::tell(turn, who, Class::Reply, format!("The invitation of {removed} is over."));
        return Ok(());
    }
    let below = turn.world.characters.get(whom).filter(|body| body.branch == Some(id));
    let is_carried = match below.map(|body| body.awake) {
        Some(true) => {
            return Err(refuse!(
                "{removed} is below, in the branch of {expedition}. Wait until {removed} is home, or asleep there."
            ));
        }
        below => below.is_some(),
    };
    let mut message = format!("You belong to {expedition} no more: its leader has struck your name.");
    if is_carried {
        asleep::require_awake(turn, id)?;
        collapse::carry_out(turn, whom, turn.world.branches[id].start_room);
        message.push_str(" You have been carried up in your sleep.");
    }
    notices::tell(turn, whom, message);
    part(turn, id, whom);
    Ok(())
}

/// Removes a member, and tells the others, unless the expedition is that of the week. The last one ends it.
fn part(turn: &mut Turn, id: BranchId, who: CharacterId) {
    let led_by = turn.world.expeditions.get(id).map(|row| row.leader);
    if !turn.world.expeditions.leave(id, who) {
        return end_now(turn, id);
    }
    let row = &turn.world.expeditions[id];
    if row.weekly.is_some() {
        return;
    }
    let gone = match turn.world.name_of(who) {
        Some(name) => Markup::styled(Style::Player, name),
        None => Markup::plain("A member who is gone"),
    };
    let gone = gone.and(&format!(" belongs to {} no more.", row.name));
    let leader = row.leader;
    if led_by == Some(leader) {
        return tell_members(turn, id, &[], &gone);
    }
    let name = turn.world.name_of(leader).unwrap_or_default();
    let message = gone.clone().and(&format!(" {name} leads it now."));
    tell_members(turn, id, &[leader], &message);
    notices::tell(turn, leader, gone.and(" You lead it now."));
}

/// Removes a deleted character from all expeditions.
pub(crate) fn forget(turn: &mut Turn, who: CharacterId) {
    let all: Vec<BranchId> = turn.world.expeditions.of(who).map(|row| row.branch).collect();
    for id in all {
        part(turn, id, who);
    }
}

/// Tells the leader what ends with an expedition.
pub(crate) fn end_preview(turn: &Turn, who: CharacterId, name: &str) -> Result<Markup, Refusal> {
    let id = led_by(turn, who, name, "expedition end *")?;
    let (row, branch) = (&turn.world.expeditions[id], &turn.world.branches[id]);
    let message = format!(
        "{} ends for all its members. Its branch of {} collapses, camps and all, with what lies there; whoever is inside is carried \
         out. To end it, type ",
        row.name,
        grammar::counted(branch.rooms_made, "room"),
    );
    let typed = format!("expedition end {} now", row.name);
    Ok(Markup::plain(&message).with(Style::Command, &typed).and("."))
}

/// Ends an expedition on behalf of its leader.
pub(crate) fn end(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    let id = led_by(turn, who, name, "expedition end * now")?;
    asleep::require_awake(turn, id)?;
    let others = turn.world.branches.members(id);
    if let Some(other) = others.into_iter().find(|other| *other != who && turn.world.characters[*other].awake)
    {
        let name = &turn.world.characters[other].name;
        return Err(refuse!("{name} is in its branch just now. Wait until nobody else is."));
    }
    let expedition = turn.world.expeditions[id].name.clone();
    tell::tell(turn, who, Class::Reply, format!("You strike {expedition} from the wall."));
    end_now(turn, id);
    Ok(())
}

/// Ends an expedition. Its branch is left to the rules for ordinary branches, and collapses: at once, or when a branch
/// that is asleep has woken.
fn end_now(turn: &mut Turn, id: BranchId) {
    note_collapse(turn, id);
    collapse::collapse(turn, id);
}

/// Ends the expedition of a branch that collapses, and tells its members.
pub(crate) fn note_collapse(turn: &mut Turn, branch: BranchId) {
    let Some(row) = turn.world.expeditions.remove(branch) else { return };
    // If the server stops before a sleeping branch has woken and collapsed, the next check of its age ends it.
    turn.world.branches.disown(branch, Span::ZERO);
    let message = format!("The expedition {} is over: its branch has collapsed.", row.name);
    // The members of a weekly expedition have paid nothing, and know its end beforehand.
    let readers = if row.weekly.is_some() { Vec::new() } else { row.members };
    for member in readers {
        notices::tell(turn, member, message.clone());
    }
}

/// Tells the members of an expedition who are in the world, except some.
fn tell_members(turn: &mut Turn, id: BranchId, except: &[CharacterId], message: &Markup) {
    let Some(row) = turn.world.expeditions.get(id) else { return };
    for member in row.members.clone() {
        if turn.seated.contains_key(&member) && !except.contains(&member) {
            tell::tell(turn, member, Class::Notice, message.clone());
        }
    }
}
