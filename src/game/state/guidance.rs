//! What a newcomer met and was told in this run of the game. Losing it costs a tip that comes again.

use crate::base::{GameTime, Span};
use crate::catalog::guide::Lesson;
use std::collections::BTreeSet;
use std::mem::take;

/// Moments of a newcomer, and when it was last told something.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Lessons {
    /// Moments that were not yet looked at.
    due: BTreeSet<Lesson>,
    /// Moments whose tips have to wait because the last one is too fresh.
    waiting: BTreeSet<Lesson>,
    told_at: Option<GameTime>,
}

impl Lessons {
    /// It has come to a moment.
    pub(crate) fn note(&mut self, lesson: Lesson) {
        self.due.insert(lesson);
    }

    /// Whether it has come to a moment that no word was said about yet.
    pub(crate) fn are_noted(&self) -> bool {
        !self.due.is_empty() || !self.waiting.is_empty()
    }

    /// Its moments: those since the last time, and those whose tips had to wait.
    pub(crate) fn take(&mut self) -> (BTreeSet<Lesson>, BTreeSet<Lesson>) {
        (take(&mut self.due), take(&mut self.waiting))
    }

    /// The tips about some moments have to wait.
    pub(crate) fn put_off(&mut self, moments: BTreeSet<Lesson>) {
        self.waiting = moments;
    }

    /// It is told something.
    pub(crate) const fn tell(&mut self, now: GameTime) {
        self.told_at = Some(now);
    }

    /// Whether it was told something less than a while ago.
    pub(crate) fn were_told_within(&self, gap: Span, now: GameTime) -> bool {
        self.told_at.is_some_and(|at| now.since(at) < gap)
    }
}
