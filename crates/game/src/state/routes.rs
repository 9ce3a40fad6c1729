//! Creatures that follow a route: which of them has a timer, the rest of the path that each one walks, and the zones in
//! which players have been seen lately.

use deepwell_core::base::{CharacterId, ExitId, GameTime, RoomId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Time for which the search for players in a zone is not repeated.
const SEEN: Span = Span::secs(30);

/// State of the creatures with a route.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    /// Creatures with a pending timer.
    pending: BTreeSet<CharacterId>,
    /// Goal of each walking creature, and the exits that are left, the next one last.
    paths: BTreeMap<CharacterId, (RoomId, Vec<ExitId>)>,
    /// Zones with the time of the last search for players, and its result.
    seen: BTreeMap<String, (GameTime, bool)>,
}

impl Routes {
    /// Records the timer of a creature. Returns `false` if one is pending.
    pub(crate) fn begin(&mut self, creature: CharacterId) -> bool {
        self.pending.insert(creature)
    }

    /// Returns `true` if a timer of the creature is pending.
    pub(crate) fn is_pending(&self, creature: CharacterId) -> bool {
        self.pending.contains(&creature)
    }

    /// Records that the timer of a creature has run.
    pub(crate) fn settle(&mut self, creature: CharacterId) {
        self.pending.remove(&creature);
    }

    /// Takes the rest of the path of a creature to a goal.
    pub(crate) fn take_path(&mut self, creature: CharacterId, goal: RoomId) -> Option<Vec<ExitId>> {
        self.paths.remove(&creature).filter(|(to, _)| *to == goal).map(|(_, path)| path)
    }

    /// Keeps the rest of the path of a creature.
    pub(crate) fn keep_path(&mut self, creature: CharacterId, goal: RoomId, path: Vec<ExitId>) {
        self.paths.insert(creature, (goal, path));
    }

    /// Forgets a creature that is gone or has no route any more.
    pub(crate) fn forget(&mut self, creature: CharacterId) {
        self.paths.remove(&creature);
    }

    /// Returns whether players are in a zone, if that has been found out lately.
    pub(crate) fn players_seen(&self, zone: &str, now: GameTime) -> Option<bool> {
        self.seen.get(zone).filter(|(at, _)| now < *at + SEEN).map(|(_, seen)| *seen)
    }

    /// Records whether players are in a zone, and forgets old searches.
    pub(crate) fn note_players(&mut self, zone: &str, now: GameTime, seen: bool) {
        self.seen.retain(|_, (at, _)| now < *at + SEEN);
        self.seen.insert(zone.to_owned(), (now, seen));
    }
}
