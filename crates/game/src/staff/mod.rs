//! Staff tools: moderation, bans, lockdown, snooping, accounts and characters of players.

pub(crate) mod bans;
pub(crate) mod lockdown;
pub(crate) mod moderation;
pub(crate) mod people;
pub(crate) mod snoop;

use crate::refusal::{Refusal, refuse};

/// Returns the refusal of a player who is not connected.
pub(crate) fn not_connected(name: &str) -> Refusal {
    refuse!("{name} is not connected.")
}
