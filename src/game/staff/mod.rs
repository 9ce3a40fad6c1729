//! Staff tools: moderation, bans, lockdown, snooping.

pub(crate) mod bans;
pub(crate) mod lockdown;
pub(crate) mod moderation;
pub(crate) mod snoop;
