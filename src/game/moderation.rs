//! What staff do about somebody who makes play a misery for others: they send them out, silence them, or stop them.
//! Nobody does it to somebody of their own rank or above. Everything is stored, ends by itself if it was given an end,
//! and is told to whom it was done: what, why, and until when.

use super::effect::Closed;
use super::refusal::{AccountRefusal, Refusal};
use super::restraint::{self, end_of, reason_of};
use super::timers::Timer;
use super::turn::Turn;
use super::{fight, login};
use crate::base::address::IpAddr;
use crate::base::{AccountId, CharacterId, SessionId, Span};
use crate::world::{Restraint, Role, Sentence};

/// In whose name something is done to somebody.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    /// As others are told it.
    pub(crate) name: String,
    /// The rank; none for the operator of the server, who is above all.
    pub(crate) rank: Option<Role>,
    /// Where they call from, if that is known.
    pub(crate) address: Option<IpAddr>,
}

impl Authority {
    /// Whoever runs the server.
    pub(crate) fn operator() -> Self {
        Self { name: "the operator".into(), rank: None, address: None }
    }

    /// Somebody who plays, on this client.
    pub(crate) fn of(turn: &Turn, session: SessionId) -> Self {
        let seat = &turn.seats[&session];
        let row = &turn.world.accounts[seat.account];
        Self { name: row.name.clone(), rank: Some(row.role), address: seat.address }
    }

    /// What is written down of something they lay on somebody.
    pub(crate) fn sentence(&self, turn: &Turn, time: Option<Span>, reason: String) -> Sentence {
        Sentence { by: self.name.clone(), reason, since: turn.now, until: time.map(|time| turn.now + time) }
    }

    /// Refuses what would be done to somebody of the same rank or above.
    pub(crate) fn require_above(&self, turn: &Turn, account: AccountId) -> Result<(), Refusal> {
        let theirs = turn.world.accounts[account].role;
        if self.rank.is_some_and(|mine| theirs >= mine) {
            Err(AccountRefusal::NotBelow.into())
        } else {
            Ok(())
        }
    }
}

/// To whom something is done, for how long, and why.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) account: AccountId,
    /// The name by which they were meant.
    pub(crate) name: String,
    /// None for as long as nobody ends it.
    pub(crate) time: Option<Span>,
    /// May be empty.
    pub(crate) reason: String,
}

/// Ends the connections of somebody; they may come back at once.
pub(crate) fn kick(turn: &mut Turn, by: &Authority, verdict: &Verdict) -> Result<String, Refusal> {
    by.require_above(turn, verdict.account)?;
    let reason = reason_of(&by.sentence(turn, None, verdict.reason.clone()));
    let words = format!("Server: Staff have ended your connection.{reason} You may come back.");
    match login::let_go(turn, Closed::Kicked, &words, |_, seat| seat.account == verdict.account) {
        0 => Err(AccountRefusal::NotConnected(verdict.name.clone()).into()),
        _ => Ok(format!("{} is out of the game.", verdict.name)),
    }
}

/// Lays something on somebody, in place of what was laid on them before.
pub(crate) fn restrain(
    turn: &mut Turn,
    by: &Authority,
    restraint: Restraint,
    verdict: &Verdict,
) -> Result<String, Refusal> {
    by.require_above(turn, verdict.account)?;
    let (account, sentence) = (verdict.account, by.sentence(turn, verdict.time, verdict.reason.clone()));
    if let Some(row) = turn.world.accounts.edit(account) {
        row.sentences.insert(restraint, sentence.clone());
    }
    schedule_end(turn, account, &sentence);
    if restraint == Restraint::Freeze {
        let bodies: Vec<CharacterId> = turn.world.characters_of(account).collect();
        for who in bodies {
            fight::stop_fights_of(turn, who);
        }
    }
    restraint::inform(turn, account, &restraint::words(restraint, &sentence, turn.now));
    Ok(format!("{} is {} {}.", verdict.name, restraint.name(), end_of(&sentence, turn.now)))
}

/// Takes it off again.
pub(crate) fn release(
    turn: &mut Turn,
    by: &Authority,
    restraint: Restraint,
    (account, name): (AccountId, &str),
) -> Result<String, Refusal> {
    by.require_above(turn, account)?;
    if !turn.world.accounts[account].sentences.contains_key(&restraint) {
        return Err(AccountRefusal::NotRestrained { name: name.to_owned(), what: restraint.name() }.into());
    }
    end(turn, account, restraint);
    Ok(format!("{name} is {} no more.", restraint.name()))
}

fn end(turn: &mut Turn, account: AccountId, restraint: Restraint) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.sentences.remove(&restraint);
    }
    restraint::inform(turn, account, &format!("You are {} no more.", restraint.name()));
}

/// Ends what has lain on an account long enough.
pub(crate) fn end_restraints(turn: &mut Turn, account: AccountId) {
    let Some(row) = turn.world.accounts.get(account) else { return };
    let over = row.sentences.iter().filter(|(_, sentence)| sentence.is_over(turn.now));
    let over: Vec<Restraint> = over.map(|(restraint, _)| *restraint).collect();
    for restraint in over {
        end(turn, account, restraint);
    }
}

/// What should have ended by now, for the check of all invariants.
pub(crate) fn overdue(turn: &Turn) -> Vec<String> {
    let over = turn
        .world
        .accounts
        .iter()
        .filter(|(_, row)| row.sentences.values().any(|sentence| sentence.is_over(turn.now)));
    over.map(|(id, _)| format!("accounts {id}: something on it should have ended")).collect()
}

fn schedule_end(turn: &mut Turn, account: AccountId, sentence: &Sentence) {
    if let Some(until) = sentence.until {
        turn.timers.schedule(until, Timer::Restraint(account));
    }
}

/// After a start: everything that is laid on somebody ends when it was to end.
pub(crate) fn schedule_ends(turn: &mut Turn) {
    let lasting: Vec<(AccountId, Sentence)> = turn
        .world
        .accounts
        .iter()
        .flat_map(|(id, row)| row.sentences.values().map(move |sentence| (id, sentence.clone())))
        .collect();
    for (account, sentence) in lasting {
        schedule_end(turn, account, &sentence);
    }
}
