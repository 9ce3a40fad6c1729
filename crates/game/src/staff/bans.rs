//! Bans by account, address or address range. A ban takes effect immediately and applies to everyone below the rank of
//! its author. It is stored, and expires if it has an end. The login policy enforces it.

use super::moderation::Authority;
use crate::access::login_policy;
use crate::access::sanctions::{self, end_of, reason_of};
use crate::account::login;
use crate::effect::CloseReason;
use crate::refusal::{self, Refusal, refuse};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::address::{IpNet, network_words};
use deepwell_core::base::{BanId, RuleLimit, Span};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Ban, Banned};

/// Minimum prefix lengths (IPv4, IPv6) of a banned range; a shorter prefix would ban too many addresses.
const BITS_MIN: (u8, u8) = (8, 24);

/// Target, duration and reason of a ban.
#[derive(Clone, Debug)]
pub(crate) struct BanOrder {
    pub(crate) banned: Banned,
    /// `None` for a ban without an end.
    pub(crate) time: Option<Span>,
    /// May be empty.
    pub(crate) reason: String,
}

/// Adds a ban, replacing an earlier ban of the same target, and closes the connections it covers.
pub(crate) fn ban(turn: &mut Turn, by: &Authority, order: BanOrder) -> Result<String, Refusal> {
    let BanOrder { banned, time, reason } = order;
    match banned {
        Banned::Account(account) => by.require_above(turn, account)?,
        Banned::Network(network) => require_allowed_range(by, network)?,
    }
    if let Some(old) = ban_of(turn, banned) {
        require_above(by, &turn.world.bans[old])?;
        turn.world.bans.remove(old);
    } else {
        let (limits, has) = (&turn.config.limits, turn.world.bans.len());
        refusal::require_below(limits, RuleLimit::Bans, has, |most| {
            refuse!("You can ban {most} and no more. Type unban and one that is no longer needed.")
        })?;
    }
    let id = turn.world.new_ban_id();
    let ban = Ban { id, banned, rank: by.rank, sentence: by.sentence(turn, time, reason) };
    turn.world.bans.put(ban.clone());
    schedule_end(turn, &ban);
    let message = format!("Server: {}", login_policy::ban_words(&ban, turn.now));
    let seats = turn.seats.iter();
    let kept_out = seats.filter(|(_, seat)| {
        login_policy::ban_on(turn, Some(seat.account), seat.address).is_some_and(|found| found.id == id)
    });
    let kept_out: Vec<_> = kept_out.map(|(session, _)| *session).collect();
    let gone =
        login::close_sessions(turn, CloseReason::Kicked, &message, |session, _| kept_out.contains(&session));
    let gone = grammar::counted(gone, "connection");
    let who = words_for(turn, banned);
    Ok(format!("{who} is banned {}; that ended {gone}.", end_of(&ban.sentence, turn.now)))
}

/// Removes the ban of an account or network.
pub(crate) fn unban(turn: &mut Turn, by: &Authority, banned: Banned) -> Result<String, Refusal> {
    let who = words_for(turn, banned);
    let id = ban_of(turn, banned).ok_or_else(|| refuse!("{who} is not banned."))?;
    require_above(by, &turn.world.bans[id])?;
    end(turn, id);
    Ok(format!("{who} is banned no more."))
}

/// Lists all bans, newest first.
pub(crate) fn list(turn: &Turn) -> Markup {
    let mut list = Markup::styled(Style::Heading, &format!("Bans: {}", turn.world.bans.len()));
    for (_, ban) in turn.world.bans.iter().rev() {
        let sentence = &ban.sentence;
        let (since, end) = (turn.now.since(sentence.since), end_of(sentence, turn.now));
        let who = words_for(turn, ban.banned);
        list.line(
            Style::Plain,
            &format!("{who}, {end}, by {} {since} ago.{}", sentence.by, reason_of(sentence)),
        );
    }
    list
}

/// Removes a ban if its row says that it has expired.
pub(crate) fn end_ban(turn: &mut Turn, id: BanId) {
    if turn.world.bans.get(id).is_some_and(|ban| ban.sentence.is_over(turn.now)) {
        end(turn, id);
    }
}

/// Removes a ban. The player of a banned account is told.
fn end(turn: &mut Turn, id: BanId) {
    if let Some(Ban { banned: Banned::Account(account), .. }) = turn.world.bans.remove(id) {
        sanctions::notify_account(turn, account, "You are banned no more.");
    }
}

/// Schedules the expiry of all bans after a start.
pub(crate) fn schedule_ends(turn: &mut Turn) {
    for ban in turn.world.bans.rows().into_values() {
        schedule_end(turn, &ban);
    }
}

/// Returns expired bans that are still stored, for the check of all invariants.
pub(crate) fn overdue(turn: &Turn) -> impl Iterator<Item = String> {
    let over = turn.world.bans.iter().filter(|(_, ban)| ban.sentence.is_over(turn.now));
    over.map(|(id, _)| format!("bans {id}: should have ended"))
}

fn schedule_end(turn: &mut Turn, ban: &Ban) {
    if let Some(until) = ban.sentence.until {
        turn.timers.schedule(until, Timer::Ban(ban.id));
    }
}

fn ban_of(turn: &Turn, banned: Banned) -> Option<BanId> {
    turn.world.bans.iter().find(|(_, ban)| ban.banned == banned).map(|(id, _)| id)
}

/// Refuses to change a ban made by a higher rank.
fn require_above(by: &Authority, ban: &Ban) -> Result<(), Refusal> {
    let is_above = by.rank.is_none() || ban.rank.is_some_and(|theirs| Some(theirs) <= by.rank);
    if is_above { Ok(()) } else { Err(refuse!("Somebody above you made that ban.")) }
}

/// Refuses a range that is too wide or contains the author's own address.
fn require_allowed_range(by: &Authority, network: IpNet) -> Result<(), Refusal> {
    let bits = if network.addr().is_ipv4() { BITS_MIN.0 } else { BITS_MIN.1 };
    if network.prefix_len() < bits {
        return Err(refuse!(
            "That would ban half the world. Give a range at least {bits} bits long, such as 203.0.113.0/24."
        ));
    }
    match by.address {
        Some(own) if network.contains(&own.to_canonical()) => Err(refuse!("Your own address is in there.")),
        _ => Ok(()),
    }
}

/// Returns the banned account name or network, for staff.
fn words_for(turn: &Turn, banned: Banned) -> String {
    match banned {
        Banned::Account(account) => turn.world.accounts[account].name.clone(),
        Banned::Network(network) => network_words(network),
    }
}
