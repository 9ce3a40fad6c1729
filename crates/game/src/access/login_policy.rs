//! Login policy: the only check of bans and locks. Passwords are verified earlier. The rules on which bans and locks
//! staff may set are elsewhere.

use crate::access::sanctions::{end_of, reason_of};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::address::IpAddr;
use deepwell_core::base::{AccountId, CharacterId, GameTime};
use deepwell_core::world::{Ban, Banned, LockdownSwitch, Role};

/// Returns `true` if staff have set the lock.
pub(crate) fn is_locked(turn: &Turn, lock: LockdownSwitch) -> bool {
    turn.world.meta().locks.contains(&lock)
}

/// Returns the ban that applies to a client at the address, for an account or, without one, for a new account.
pub(crate) fn ban_on(turn: &Turn, account: Option<AccountId>, address: Option<IpAddr>) -> Option<&Ban> {
    let role = account.and_then(|id| turn.world.accounts.get(id)).map_or(Role::Player, |row| row.role);
    let address = address.map(|address| address.to_canonical());
    let concerns = |ban: &&Ban| match ban.banned {
        Banned::Account(banned) => account == Some(banned),
        Banned::Network(network) => address.is_some_and(|address| network.contains(&address)),
    };
    let holds = |ban: &&Ban| ban.rank.is_none_or(|rank| role < rank) && !ban.sentence.is_over(turn.now);
    turn.world.bans.iter().map(|(_, ban)| ban).filter(concerns).find(holds)
}

/// Returns the message for a banned player.
pub(crate) fn ban_words(ban: &Ban, now: GameTime) -> String {
    let what = match ban.banned {
        Banned::Account(_) => "You are banned",
        Banned::Network(_) => "Your address is banned",
    };
    format!("{what} {}.{}", end_of(&ban.sentence, now), reason_of(&ban.sentence))
}

/// Refuses the present client if it may not create an account.
pub(crate) fn require_may_create_account(turn: &Turn) -> Result<(), Refusal> {
    require_not_banned(turn, None)?;
    if is_locked(turn, LockdownSwitch::Accounts) || is_locked(turn, LockdownSwitch::Logins) {
        return Err(refuse!("Nobody can make a new account for a while. Please try again later."));
    }
    require_writable(turn)
}

/// Refuses the present client if it may not play the character. Locks do not apply to a character that is already in
/// the world; [`LockdownSwitch::Logins`] does not apply to staff.
pub(crate) fn require_may_play(
    turn: &Turn,
    account: AccountId,
    character: CharacterId,
) -> Result<(), Refusal> {
    require_not_banned(turn, Some(account))?;
    if turn.world.characters[character].awake {
        return Ok(());
    }
    if is_locked(turn, LockdownSwitch::Logins) && turn.world.accounts[account].role == Role::Player {
        return Err(refuse!("Staff let nobody in for a while. Please try again later."));
    }
    require_writable(turn)
}

/// Refuses the present client if it is banned from using the account or, without one, from creating one.
pub(crate) fn require_not_banned(turn: &Turn, account: Option<AccountId>) -> Result<(), Refusal> {
    ban_on(turn, account, turn.caller)
        .map_or(Ok(()), |ban| Err(Refusal::Said(ban_words(ban, turn.now).into())))
}

/// Refuses a login while its rows cannot be written.
pub(crate) fn require_writable(turn: &Turn) -> Result<(), Refusal> {
    match (turn.storage_fails, turn.read_only) {
        (true, _) => Err(refuse!("The server cannot write just now; please try again in a minute.")),
        (false, true) => Err(refuse!(
            "Staff have locked the world for a while, so that nothing changes. Please try again later."
        )),
        (false, false) => Ok(()),
    }
}
