//! Switches for the bad day: nobody comes in, nobody makes an account, nothing changes. They hold at once, are stored, and
//! what they shut is shut until staff open it. Whom they keep out is `entrance`'s.

use super::refusal::{AccountRefusal, Refusal};
use super::turn::Turn;
use super::{entrance, login};
use crate::text::grammar;
use crate::world::Lock;

/// Shuts something.
pub(crate) fn lock(turn: &mut Turn, lock: Lock) -> Result<String, Refusal> {
    turn.require_writable()?;
    if !turn.world.meta_mut().locks.insert(lock) {
        return Err(AccountRefusal::LockedAlready(lock).into());
    }
    if lock == Lock::World {
        login::follow_read_only(turn);
    }
    Ok(words(turn))
}

/// Opens it again. A locked world is opened first, so that it can be written that it is.
pub(crate) fn unlock(turn: &mut Turn, lock: Lock) -> Result<String, Refusal> {
    if lock != Lock::World || turn.storage_fails {
        turn.require_writable()?;
    }
    if !entrance::is_locked(turn, lock) {
        return Err(AccountRefusal::NotLocked(lock).into());
    }
    if lock == Lock::World {
        turn.world.freeze(false);
    }
    turn.world.meta_mut().locks.remove(&lock);
    login::follow_read_only(turn);
    Ok(words(turn))
}

/// What is locked, in a sentence.
pub(crate) fn words(turn: &Turn) -> String {
    let locked: Vec<&str> = turn.world.meta().locks.iter().map(|lock| lock.name()).collect();
    match locked.len() {
        0 => "Nothing is locked.".into(),
        _ => format!("Locked: {}.", grammar::list(&locked)),
    }
}
