//! Staff tools: moderation, bans, lockdown, snooping, accounts and characters of players.

pub(crate) mod bans;
pub(crate) mod lockdown;
pub(crate) mod moderation;
pub(crate) mod people;
pub(crate) mod snoop;
