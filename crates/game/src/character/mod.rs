//! State of one character, player or creature: stats, rest, experience, abilities, affects, spawning.

pub(crate) mod abilities;
pub(crate) mod activity;
pub(crate) mod affects;
pub(crate) mod experience;
pub(crate) mod quests;
pub(crate) mod rest;
pub(crate) mod spawn;
pub(crate) mod stats;
pub(crate) mod variables;
pub(crate) mod wounds;
