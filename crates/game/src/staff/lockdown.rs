//! Emergency locks: no logins, no new accounts, or no changes at all. A lock takes effect immediately, is stored, and
//! lasts until staff remove it. The login policy enforces locks on logins and accounts.

use crate::access::login_policy;
use crate::account::login;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::text::grammar;
use deepwell_core::world::LockdownSwitch;

/// Sets a lock.
pub(crate) fn lock(turn: &mut Turn, lock: LockdownSwitch) -> Result<String, Refusal> {
    turn.require_writable()?;
    if !turn.world.meta_mut().locks.insert(lock) {
        return Err(refuse!("{}: locked already.", grammar::capitalise(lock.name())));
    }
    if lock == LockdownSwitch::World {
        login::update_read_only(turn);
    }
    Ok(words(turn))
}

/// Removes a lock. A locked world is unfrozen first, so that the removal can be written.
pub(crate) fn unlock(turn: &mut Turn, lock: LockdownSwitch) -> Result<String, Refusal> {
    if lock != LockdownSwitch::World || turn.storage_fails {
        turn.require_writable()?;
    }
    if !login_policy::is_locked(turn, lock) {
        return Err(refuse!("{}: not locked.", grammar::capitalise(lock.name())));
    }
    if lock == LockdownSwitch::World {
        turn.world.freeze(false);
    }
    turn.world.meta_mut().locks.remove(&lock);
    login::update_read_only(turn);
    Ok(words(turn))
}

/// Lists the active locks in a sentence.
pub(crate) fn words(turn: &Turn) -> String {
    match grammar::list(turn.world.meta().locks.iter().map(|lock| lock.name())).as_str() {
        "" => "Nothing is locked.".into(),
        locked => format!("Locked: {locked}."),
    }
}
