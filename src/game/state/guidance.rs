//! What newcomers met and were told in this run of the game. Losing it costs a tip that comes again.

use crate::base::{CharacterId, GameTime, Span};
use crate::catalog::guide::Lesson;
use std::collections::{BTreeMap, BTreeSet};

/// Moments of newcomers, and when they were last told something.
#[derive(Debug, Default)]
pub(crate) struct Guidance {
    /// Moments that were not yet looked at.
    due: BTreeMap<CharacterId, BTreeSet<Lesson>>,
    /// Moments whose tips have to wait because the last one is too fresh.
    waiting: BTreeMap<CharacterId, BTreeSet<Lesson>>,
    told_at: BTreeMap<CharacterId, GameTime>,
}

impl Guidance {
    /// Somebody has come to a moment.
    pub(crate) fn note(&mut self, who: CharacterId, lesson: Lesson) {
        self.due.entry(who).or_default().insert(lesson);
    }

    /// Whether somebody has come to a moment that no word was said about yet.
    pub(crate) fn has_noted(&self, who: CharacterId) -> bool {
        self.due.contains_key(&who) || self.waiting.contains_key(&who)
    }

    /// The moments of somebody: those since the last time, and those whose tips had to wait.
    pub(crate) fn take(&mut self, who: CharacterId) -> (BTreeSet<Lesson>, BTreeSet<Lesson>) {
        (self.due.remove(&who).unwrap_or_default(), self.waiting.remove(&who).unwrap_or_default())
    }

    /// The tips about some moments have to wait.
    pub(crate) fn put_off(&mut self, who: CharacterId, moments: BTreeSet<Lesson>) {
        if !moments.is_empty() {
            self.waiting.insert(who, moments);
        }
    }

    /// Somebody is told something.
    pub(crate) fn tell(&mut self, who: CharacterId, now: GameTime) {
        self.told_at.insert(who, now);
    }

    /// Whether somebody was told something less than a while ago.
    pub(crate) fn was_told_within(&self, who: CharacterId, gap: Span, now: GameTime) -> bool {
        self.told_at.get(&who).is_some_and(|at| now.since(*at) < gap)
    }

    /// Drops everything about somebody.
    pub(crate) fn forget(&mut self, who: CharacterId) {
        self.due.remove(&who);
        self.waiting.remove(&who);
        self.told_at.remove(&who);
    }
}
