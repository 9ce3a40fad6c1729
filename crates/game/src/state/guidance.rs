//! Events ([`Lesson`]) and tips of new players since the server started. If this state is lost, a tip may be repeated.

use deepwell_core::base::{GameTime, Span};
use deepwell_core::catalog::help::guide::Lesson;
use std::collections::BTreeSet;
use std::mem::take;

/// Events met by a new player, and the time of the last tip.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Lessons {
    /// Events not yet processed.
    due: BTreeSet<Lesson>,
    /// Events whose tips wait until enough time has passed since the last tip.
    waiting: BTreeSet<Lesson>,
    told_at: Option<GameTime>,
    /// Commands that the guide suggested last.
    suggested: Vec<String>,
}

impl Lessons {
    /// Adds an event.
    pub(crate) fn note(&mut self, lesson: Lesson) {
        self.due.insert(lesson);
    }

    /// Returns `true` if any event is unprocessed or waits.
    pub(crate) fn has_pending(&self) -> bool {
        !self.due.is_empty() || !self.waiting.is_empty()
    }

    /// Takes the unprocessed and the waiting events.
    pub(crate) fn take(&mut self) -> (BTreeSet<Lesson>, BTreeSet<Lesson>) {
        (take(&mut self.due), take(&mut self.waiting))
    }

    /// Postpones the tips for some events.
    pub(crate) fn put_off(&mut self, moments: BTreeSet<Lesson>) {
        self.waiting = moments;
    }

    /// Records the time of a tip.
    pub(crate) const fn tell(&mut self, now: GameTime) {
        self.told_at = Some(now);
    }

    /// Sets the commands that the guide suggests.
    pub(crate) fn suggest(&mut self, commands: Vec<String>) {
        self.suggested = commands;
    }

    /// Returns the commands that the guide suggested last.
    pub(crate) fn suggested(&self) -> &[String] {
        &self.suggested
    }

    /// Returns `true` if the last tip is less than `gap` ago.
    pub(crate) fn was_tipped_within(&self, gap: Span, now: GameTime) -> bool {
        self.told_at.is_some_and(|at| now.since(at) < gap)
    }
}
