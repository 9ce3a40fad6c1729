//! Searches through all hand-built rooms that go on over several steps, so that a large world does not hold up the players.

use crate::base::{CharacterId, ItemId, RoomId, SessionId};
use crate::catalog::{Referent, RoomKind};
use std::collections::{BTreeMap, BTreeSet};

/// How sure it is that something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Weight {
    /// It names what is not there, or cannot work.
    Mistake,
    /// It can be meant.
    Doubt,
}

/// A remark about one room.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Remark {
    pub(crate) weight: Weight,
    pub(crate) room: RoomId,
    /// A sentence that begins in small letters.
    pub(crate) words: String,
}

/// One result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Find {
    /// The room found, or the room of the result; none for content.
    pub(crate) room: Option<RoomId>,
    /// Description of the result; empty for a room that was looked for itself.
    pub(crate) words: String,
}

/// Target of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sought {
    /// Rooms with these words in their name, text, tags or details.
    Words(String),
    /// Rooms with a tag.
    Tag(String),
    /// Rooms of a kind.
    Kind(RoomKind),
    /// Rooms and content that use a key.
    Uses(String),
    /// Creatures or things by name.
    Prototypes(Referent, String),
    /// Rooms without a way in or out.
    Orphans,
    /// Rooms that cannot be reached from the town.
    Unlinked,
    /// Exits that lead nowhere or not back.
    Exits,
    /// Content that is used nowhere.
    Unused,
    /// Mistakes in the rooms of zones, with the name of the zones for players and the words that were typed.
    Mistakes { zones: BTreeSet<String>, name: String, typed: String },
}

/// Part of a search that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Walks from the town along the exits.
    Walk,
    /// Notes the rooms to which an exit leads.
    Ways,
    /// Looks at the rooms.
    Rooms,
    /// Looks in the rooms for the keys of doors.
    Keys,
    /// Looks among all things for the keys of doors.
    Things,
    /// Nothing is left to look at.
    Done,
}

/// A search with the results so far.
#[derive(Debug)]
pub(crate) struct Sweep {
    pub(crate) sought: Sought,
    /// The page of results to show.
    pub(crate) page: usize,
    pub(crate) stage: Stage,
    /// The hand-built rooms at the start of the search, by number. A room may be gone when its turn comes.
    pub(crate) rooms: Vec<RoomId>,
    /// Position in `rooms`.
    pub(crate) next: usize,
    /// The last thing looked at.
    pub(crate) thing: Option<ItemId>,
    /// Rooms to which a player can walk from the town.
    pub(crate) walkable: BTreeSet<RoomId>,
    /// Rooms of the walk whose exits are to be followed.
    pub(crate) to_walk: Vec<RoomId>,
    /// Rooms to which an exit leads.
    pub(crate) entered: BTreeSet<RoomId>,
    /// How many rooms use each thing of content.
    pub(crate) using: BTreeMap<(Referent, String), usize>,
    /// Results that are shown before all others.
    pub(crate) first: Vec<Find>,
    pub(crate) found: Vec<Find>,
    pub(crate) remarks: Vec<Remark>,
    /// Rooms that cannot be reached, each with another of the same group; the first of a group has itself.
    pub(crate) cut_off: BTreeMap<RoomId, RoomId>,
    /// Doors by their keys, each with its room and its name. A key may exist as content and nowhere in the world.
    pub(crate) locked: BTreeMap<String, Vec<(RoomId, String)>>,
    /// Keys of doors that players can come by.
    pub(crate) given: BTreeSet<String>,
}

/// The searches under way, one for each client.
#[derive(Debug, Default)]
pub(crate) struct Sweeps {
    pending: BTreeMap<SessionId, (CharacterId, Sweep)>,
    /// The client whose search went on last.
    last: Option<SessionId>,
    is_scheduled: bool,
}

impl Sweeps {
    /// Adds the search of a client in the place of its former one. Returns `true` if a timer is to be scheduled.
    pub(crate) fn add(&mut self, session: SessionId, who: CharacterId, sweep: Sweep) -> bool {
        self.pending.insert(session, (who, sweep));
        !std::mem::replace(&mut self.is_scheduled, true)
    }

    /// Takes the search whose turn it is when the timer fires: clients take turns.
    pub(crate) fn take_due(&mut self) -> Option<(SessionId, CharacterId, Sweep)> {
        self.is_scheduled = false;
        let after = self.last.and_then(|last| self.pending.range(SessionId(last.0 + 1)..).next());
        let session = *after.or_else(|| self.pending.iter().next())?.0;
        self.last = Some(session);
        let (who, sweep) = self.pending.remove(&session)?;
        Some((session, who, sweep))
    }

    /// Drops the search of a client that is gone.
    pub(crate) fn forget(&mut self, session: SessionId) {
        self.pending.remove(&session);
    }

    /// Returns `true` if searches wait and no timer is scheduled; it counts as scheduled then.
    pub(crate) fn must_schedule(&mut self) -> bool {
        !self.pending.is_empty() && !std::mem::replace(&mut self.is_scheduled, true)
    }
}
