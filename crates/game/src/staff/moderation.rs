//! Moderation: kicks and sanctions such as mute and freeze. Staff cannot sanction an account of their own rank or
//! above. Sanctions are stored and expire if they have an end. The player is notified of the sanction, its reason and
//! its end.

use crate::access::sanctions;
use crate::access::sanctions::{end_of, reason_of};
use crate::account::login;
use crate::attack;
use crate::effect::CloseReason;
use crate::refusal::{Refusal, refuse};
use crate::staff::not_connected;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::address::IpAddr;
use deepwell_core::base::{AccountId, CharacterId, SessionId, Span};
use deepwell_core::world::{Role, Sanction, SanctionSentence};

/// Staff member or operator in whose name a sanction is imposed.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    /// Name as shown to others.
    pub(crate) name: String,
    /// Rank; `None` for the operator of the server, who outranks all accounts.
    pub(crate) rank: Option<Role>,
    /// Address of the connection, if known.
    pub(crate) address: Option<IpAddr>,
}

impl Authority {
    /// Returns the authority of the server operator.
    pub(crate) fn operator() -> Self {
        Self { name: "the operator".into(), rank: None, address: None }
    }

    /// Returns the authority of the player on this session.
    pub(crate) fn of(turn: &Turn, session: SessionId) -> Self {
        Self::of_account(turn, turn.seats[&session].account, session)
    }

    /// Returns the authority of an account, which may act on a page and have no player on the session.
    pub(crate) fn of_account(turn: &Turn, account: AccountId, session: SessionId) -> Self {
        let row = &turn.world.accounts[account];
        let address = turn.seats.get(&session).and_then(|seat| seat.address);
        Self { name: row.name.clone(), rank: Some(row.role), address }
    }

    /// Returns the stored form of a sanction that this authority imposes.
    pub(crate) fn sentence(&self, turn: &Turn, time: Option<Span>, reason: String) -> SanctionSentence {
        SanctionSentence {
            by: self.name.clone(),
            reason,
            since: turn.now,
            until: time.map(|time| turn.now + time),
        }
    }

    /// Refuses an action against an account of the same rank or above.
    pub(crate) fn require_above(&self, turn: &Turn, account: AccountId) -> Result<(), Refusal> {
        let theirs = turn.world.accounts[account].role;
        if self.rank.is_some_and(|mine| theirs >= mine) {
            Err(refuse!("You may do that to people below your own rank only."))
        } else {
            Ok(())
        }
    }
}

/// Target, duration and reason of a sanction.
#[derive(Clone, Debug)]
pub(crate) struct SanctionOrder {
    pub(crate) account: AccountId,
    /// Name by which the target was given.
    pub(crate) name: String,
    /// Duration; `None` if it lasts until staff end it.
    pub(crate) time: Option<Span>,
    /// Reason; may be empty.
    pub(crate) reason: String,
}

/// Closes the connections of an account, which may reconnect immediately.
pub(crate) fn kick(turn: &mut Turn, by: &Authority, verdict: &SanctionOrder) -> Result<String, Refusal> {
    by.require_above(turn, verdict.account)?;
    let reason = reason_of(&by.sentence(turn, None, verdict.reason.clone()));
    let message = format!("Server: Staff have ended your connection.{reason} You may come back.");
    match login::close_sessions(turn, CloseReason::Kicked, &message, |_, seat| {
        seat.account == verdict.account
    }) {
        0 => Err(not_connected(&verdict.name)),
        _ => Ok(format!("{} is out of the game.", verdict.name)),
    }
}

/// Imposes a sanction on an account, replacing an earlier one of the same kind.
pub(crate) fn impose_sanction(
    turn: &mut Turn,
    by: &Authority,
    restraint: Sanction,
    verdict: &SanctionOrder,
) -> Result<String, Refusal> {
    by.require_above(turn, verdict.account)?;
    let (account, sentence) = (verdict.account, by.sentence(turn, verdict.time, verdict.reason.clone()));
    if let Some(row) = turn.world.accounts.edit(account) {
        row.sentences.insert(restraint, sentence.clone());
    }
    schedule_end(turn, account, &sentence);
    if restraint == Sanction::Freeze {
        let in_memory = |who: &CharacterId| turn.world.characters.get(*who).is_some();
        let bodies: Vec<CharacterId> = turn.world.characters_of(account).filter(in_memory).collect();
        for who in bodies {
            attack::stop_fights_of(turn, who);
        }
    }
    sanctions::notify_account(turn, account, &sanctions::words(restraint, &sentence, turn.now));
    Ok(format!("{} is {} {}.", verdict.name, restraint.name(), end_of(&sentence, turn.now)))
}

/// Lifts a sanction.
pub(crate) fn lift_sanction(
    turn: &mut Turn,
    by: &Authority,
    restraint: Sanction,
    account: AccountId,
    name: &str,
) -> Result<String, Refusal> {
    by.require_above(turn, account)?;
    if !turn.world.accounts[account].sentences.contains_key(&restraint) {
        return Err(refuse!("{name} is not {}.", restraint.name()));
    }
    end(turn, account, restraint);
    Ok(format!("{name} is {} no more.", restraint.name()))
}

fn end(turn: &mut Turn, account: AccountId, restraint: Sanction) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.sentences.remove(&restraint);
    }
    sanctions::notify_account(turn, account, &format!("You are {} no more.", restraint.name()));
}

/// Removes the expired sanctions of an account.
pub(crate) fn expire_sanctions(turn: &mut Turn, account: AccountId) {
    let Some(row) = turn.world.accounts.get(account) else { return };
    let over = row.sentences.iter().filter(|(_, sentence)| sentence.is_over(turn.now));
    let over: Vec<Sanction> = over.map(|(restraint, _)| *restraint).collect();
    for restraint in over {
        end(turn, account, restraint);
    }
}

/// Returns the accounts with expired sanctions, for the check of all invariants.
pub(crate) fn overdue(turn: &Turn) -> Vec<String> {
    let over = turn
        .world
        .accounts
        .iter()
        .filter(|(_, row)| row.sentences.values().any(|sentence| sentence.is_over(turn.now)));
    over.map(|(id, _)| format!("accounts {id}: something on it should have ended")).collect()
}

fn schedule_end(turn: &mut Turn, account: AccountId, sentence: &SanctionSentence) {
    if let Some(until) = sentence.until {
        turn.timers.schedule(until, Timer::Sanction(account));
    }
}

/// Schedules the end of all stored sanctions, after a start.
pub(crate) fn schedule_sanction_ends(turn: &mut Turn) {
    let lasting: Vec<(AccountId, SanctionSentence)> = turn
        .world
        .accounts
        .iter()
        .flat_map(|(id, row)| row.sentences.values().map(move |sentence| (id, sentence.clone())))
        .collect();
    for (account, sentence) in lasting {
        schedule_end(turn, account, &sentence);
    }
}
