//! Searches through all hand-built rooms, spread over several steps so that a large world does not delay players.

use crate::base::{CharacterId, ItemId, RoomId, SessionId};
use crate::catalog::{Referent, RoomKind};
use std::collections::{BTreeMap, BTreeSet};

/// Severity of a remark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Severity {
    /// A reference to something missing, or a part that cannot work.
    Mistake,
    /// A suspicious part that may be intended.
    Doubt,
}

/// Remark about a room.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Remark {
    pub(crate) weight: Severity,
    pub(crate) room: RoomId,
    /// Sentence that begins in lower case.
    pub(crate) words: String,
}

/// Result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Find {
    /// Room found, or room of the result; `None` for content.
    pub(crate) room: Option<RoomId>,
    /// Description of the result; empty if the room itself was searched for.
    pub(crate) words: String,
}

/// Target of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SearchTarget {
    /// Rooms with these words in their name, text, tags or details.
    Words(String),
    /// Rooms with a tag.
    Tag(String),
    /// Rooms of a kind.
    Kind(RoomKind),
    /// Rooms and content that use a key.
    Uses(String),
    /// Creatures or items by name.
    Prototypes(Referent, String),
    /// Rooms without an exit in or out.
    Orphans,
    /// Rooms that cannot be reached from the town.
    Unlinked,
    /// Exits without a destination or an exit back.
    Exits,
    /// Unused content.
    Unused,
    /// Errors in the rooms of zones, with the name of the zones for players and the argument as typed.
    Mistakes { zones: BTreeSet<String>, name: String, typed: String },
}

/// Stage of a running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Walk from the town along the exits.
    Walk,
    /// Collection of the rooms to which an exit leads.
    Ways,
    /// Search of the rooms.
    Rooms,
    /// Search of the rooms for keys of doors.
    Keys,
    /// Search of all items for keys of doors.
    Things,
    /// End of the search.
    Done,
}

/// Search with the results so far.
#[derive(Debug)]
pub(crate) struct Sweep {
    pub(crate) sought: SearchTarget,
    /// Page of results to show.
    pub(crate) page: usize,
    pub(crate) stage: Stage,
    /// Hand-built rooms at the start of the search, by number. A room may be deleted before it is searched.
    pub(crate) rooms: Vec<RoomId>,
    /// Position in `rooms`.
    pub(crate) next: usize,
    /// Last item searched.
    pub(crate) thing: Option<ItemId>,
    /// Rooms to which a player can walk from the town.
    pub(crate) walkable: BTreeSet<RoomId>,
    /// Rooms of the walk whose exits are not yet followed.
    pub(crate) to_walk: Vec<RoomId>,
    /// Rooms to which an exit leads.
    pub(crate) entered: BTreeSet<RoomId>,
    /// Number of rooms that use each definition.
    pub(crate) using: BTreeMap<(Referent, String), usize>,
    /// Results shown before all others.
    pub(crate) first: Vec<Find>,
    pub(crate) found: Vec<Find>,
    pub(crate) remarks: Vec<Remark>,
    /// Unreachable rooms, each with another of the same group; the first of a group maps to itself.
    pub(crate) cut_off: BTreeMap<RoomId, RoomId>,
    /// Locked doors by key, each with its room and name. A key may be defined in the content and exist nowhere in the
    /// world.
    pub(crate) locked: BTreeMap<String, Vec<(RoomId, String)>>,
    /// Keys of doors that players can obtain.
    pub(crate) given: BTreeSet<String>,
}

/// Running searches, one per session.
#[derive(Debug, Default)]
pub(crate) struct Sweeps {
    pending: BTreeMap<SessionId, (CharacterId, Sweep)>,
    /// Session whose search ran last.
    last: Option<SessionId>,
    is_scheduled: bool,
}

impl Sweeps {
    /// Adds the search of a session, replacing its earlier one. Returns `true` if the caller must schedule a timer.
    pub(crate) fn add(&mut self, session: SessionId, who: CharacterId, sweep: Sweep) -> bool {
        self.pending.insert(session, (who, sweep));
        !std::mem::replace(&mut self.is_scheduled, true)
    }

    /// Takes the next search when the timer fires. Sessions take turns.
    pub(crate) fn take_due(&mut self) -> Option<(SessionId, CharacterId, Sweep)> {
        self.is_scheduled = false;
        let after = self.last.and_then(|last| self.pending.range(SessionId(last.0 + 1)..).next());
        let session = *after.or_else(|| self.pending.iter().next())?.0;
        self.last = Some(session);
        let (who, sweep) = self.pending.remove(&session)?;
        Some((session, who, sweep))
    }

    /// Drops the search of a closed session.
    pub(crate) fn forget(&mut self, session: SessionId) {
        self.pending.remove(&session);
    }

    /// Returns `true` if searches wait without a timer, which the caller must then schedule.
    pub(crate) fn must_schedule(&mut self) -> bool {
        !self.pending.is_empty() && !std::mem::replace(&mut self.is_scheduled, true)
    }
}
