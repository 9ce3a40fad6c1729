//! Keeping people out: by account, by address, by a range of addresses. A ban holds at once and for everybody below the
//! rank of whoever made it, is stored, and ends by itself if it was given an end. Whom it keeps out is `entrance`'s.

use super::effect::Closed;
use super::moderation::Authority;
use super::refusal::{AccountRefusal, Refusal};
use super::restraint::{end_of, reason_of};
use super::timers::Timer;
use super::turn::Turn;
use super::{entrance, login};
use crate::base::address::{IpNet, network_words};
use crate::base::{BanId, Span};
use crate::text::{Markup, Style, grammar};
use crate::world::{Ban, Banned};

/// Bits that a range must have at least: what is wider keeps half the world out.
const BITS_MIN: (u8, u8) = (8, 24);

/// Whom to keep out, for how long, and why.
#[derive(Clone, Debug)]
pub(crate) struct BanOrder {
    pub(crate) banned: Banned,
    /// None for as long as nobody ends it.
    pub(crate) time: Option<Span>,
    /// May be empty.
    pub(crate) reason: String,
}

/// Keeps somebody out from now on, and ends their connections.
pub(crate) fn ban(turn: &mut Turn, by: &Authority, order: BanOrder) -> Result<String, Refusal> {
    let BanOrder { banned, time, reason } = order;
    match banned {
        Banned::Account(account) => by.require_above(turn, account)?,
        Banned::Network(network) => require_fit(by, network)?,
    }
    if let Some(old) = ban_of(turn, banned) {
        require_above(by, &turn.world.bans[old])?;
        turn.world.bans.remove(old);
    } else if turn.world.bans.len() >= turn.config.limits.bans as usize {
        return Err(AccountRefusal::TooManyBans { most: turn.config.limits.bans }.into());
    }
    let id = turn.world.new_ban_id();
    let ban = Ban { id, banned, rank: by.rank, sentence: by.sentence(turn, time, reason) };
    turn.world.bans.put(ban.clone());
    schedule_end(turn, &ban);
    let words = format!("Server: {}", entrance::ban_words(&ban, turn.now));
    let seats = turn.seats.iter();
    let kept_out = seats.filter(|(_, seat)| {
        entrance::ban_on(turn, Some(seat.account), seat.address).is_some_and(|found| found.id == id)
    });
    let kept_out: Vec<_> = kept_out.map(|(session, _)| *session).collect();
    let gone = login::let_go(turn, Closed::Kicked, &words, |session, _| kept_out.contains(&session));
    let gone = grammar::counted(u32::try_from(gone).unwrap_or(u32::MAX), "connection", None);
    let who = words_for(turn, banned);
    Ok(format!("{who} is banned {}; that ended {gone}.", end_of(&ban.sentence, turn.now)))
}

/// Lets somebody in again.
pub(crate) fn unban(turn: &mut Turn, by: &Authority, banned: Banned) -> Result<String, Refusal> {
    let who = words_for(turn, banned);
    let id = ban_of(turn, banned).ok_or_else(|| AccountRefusal::NotBanned(who.clone()))?;
    require_above(by, &turn.world.bans[id])?;
    turn.world.bans.remove(id);
    Ok(format!("{who} is banned no more."))
}

/// Everybody who is kept out, the newest first.
pub(crate) fn list(turn: &Turn) -> Markup {
    let count = u32::try_from(turn.world.bans.len()).unwrap_or(u32::MAX);
    let mut list = Markup::styled(Style::Heading, &format!("Bans: {count}"));
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

/// A ban is over, if its row still says so.
pub(crate) fn end_ban(turn: &mut Turn, id: BanId) {
    if turn.world.bans.get(id).is_some_and(|ban| ban.sentence.is_over(turn.now)) {
        turn.world.bans.remove(id);
    }
}

/// After a start: every ban ends when it was to end.
pub(crate) fn schedule_ends(turn: &mut Turn) {
    for ban in turn.world.bans.rows().into_values() {
        schedule_end(turn, &ban);
    }
}

/// What should have ended by now, for the check of all invariants.
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

/// Nobody undoes what somebody above them has done.
fn require_above(by: &Authority, ban: &Ban) -> Result<(), Refusal> {
    let is_above = by.rank.is_none() || ban.rank.is_some_and(|theirs| Some(theirs) <= by.rank);
    if is_above { Ok(()) } else { Err(AccountRefusal::BannedFromAbove.into()) }
}

/// Nobody shuts themselves out, or everybody.
fn require_fit(by: &Authority, network: IpNet) -> Result<(), Refusal> {
    let bits = if network.addr().is_ipv4() { BITS_MIN.0 } else { BITS_MIN.1 };
    if network.prefix_len() < bits {
        return Err(AccountRefusal::RangeTooWide { bits }.into());
    }
    match by.address {
        Some(own) if network.contains(&own.to_canonical()) => Err(AccountRefusal::OwnAddress.into()),
        _ => Ok(()),
    }
}

/// Who is meant, as staff are told.
fn words_for(turn: &Turn, banned: Banned) -> String {
    match banned {
        Banned::Account(account) => turn.world.accounts[account].name.clone(),
        Banned::Network(network) => network_words(network),
    }
}
