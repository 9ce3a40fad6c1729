//! What newcomers met and were told in this run of the game.

use crate::base::{CharacterId, GameTime};
use crate::catalog::guide::Lesson;
use std::collections::{BTreeMap, BTreeSet};

/// What this run of the game remembers of newcomers. Losing it costs a tip that comes again.
#[derive(Debug, Default)]
pub(crate) struct Guidance {
    /// Moments that were not yet looked at.
    pub(crate) due: BTreeMap<CharacterId, BTreeSet<Lesson>>,
    /// Moments whose tips have to wait because the last one is too fresh.
    pub(crate) waiting: BTreeMap<CharacterId, BTreeSet<Lesson>>,
    /// When somebody was last told something.
    pub(crate) told_at: BTreeMap<CharacterId, GameTime>,
}
