//! Searches through all hand-built rooms, spread over several steps so that a large world does not delay players.

use deepwell_core::base::{CharacterId, ItemId, RoomId, SessionId};
use deepwell_core::catalog::{Referent, RoomKind};
use deepwell_core::world::Room;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

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
pub(crate) struct SearchResult {
    /// Room found, or room of the result; `None` for content.
    pub(crate) room: Option<RoomId>,
    /// Description of the result; empty if the room itself was searched for.
    pub(crate) words: String,
}

impl SearchResult {
    pub(crate) fn room(room: &Room) -> Self {
        Self { room: Some(room.id), words: String::new() }
    }

    pub(crate) fn in_room(room: &Room, finding: impl Into<String>) -> Self {
        Self { room: Some(room.id), words: finding.into() }
    }

    pub(crate) fn content(finding: String) -> Self {
        Self { room: None, words: finding }
    }
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

/// Page of the results to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Page {
    /// Number of the page, from 1.
    pub(crate) number: usize,
    /// Number of results on a page.
    pub(crate) size: usize,
}

impl Page {
    /// Single page with all results.
    pub(crate) const WHOLE: Self = Self { number: 1, size: usize::MAX };

    /// Returns the number of results before the page.
    pub(crate) const fn start(self) -> usize {
        (self.number - 1).saturating_mul(self.size)
    }

    /// Returns the number of results up to the end of the page.
    pub(crate) const fn end(self) -> usize {
        self.number.saturating_mul(self.size)
    }
}

/// Results in the order of the search. Those behind the page to show are counted, but not kept.
#[derive(Debug, Default)]
pub(crate) struct Finds {
    pub(crate) kept: Vec<SearchResult>,
    pub(crate) count: usize,
}

impl Finds {
    /// Adds results.
    pub(crate) fn add(&mut self, page: Page, finds: impl IntoIterator<Item = SearchResult>) {
        for find in finds {
            self.count += 1;
            if self.kept.len() < page.end() {
                self.kept.push(find);
            }
        }
    }
}

/// Remarks, mistakes first, by room. Those behind the page to show are counted, but not kept.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    /// The first remarks in their order, the last of them on top.
    kept: BinaryHeap<Remark>,
    pub(crate) mistakes: usize,
    pub(crate) doubts: usize,
}

impl Remarks {
    /// Adds a remark.
    pub(crate) fn add(&mut self, page: Page, remark: Remark) {
        match remark.weight {
            Severity::Mistake => self.mistakes += 1,
            Severity::Doubt => self.doubts += 1,
        }
        self.kept.push(remark);
        if self.kept.len() > page.end() {
            self.kept.pop();
        }
    }

    /// Returns the number of all remarks.
    pub(crate) const fn count(&self) -> usize {
        self.mistakes + self.doubts
    }

    /// Returns the remarks up to the end of the page, in order.
    pub(crate) fn sorted(self) -> Vec<Remark> {
        self.kept.into_sorted_vec()
    }
}

/// Stage of a running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchStage {
    /// Walk from the town along the exits.
    Walk,
    /// Collection of the rooms to which an exit leads.
    Ways,
    /// Search of the rooms.
    Rooms,
    /// Search of the rooms for keys of doors.
    Keys,
    /// Count of all creatures by kind.
    Bodies,
    /// Search of all items for keys of doors, or count by kind.
    Items,
    /// Count of the unreachable rooms of each group.
    Groups,
    /// Remarks about the groups.
    Unreachable,
    /// Remarks about the locked doors.
    Doors,
    /// Remarks about the prices of shops.
    Prices,
    /// End of the search.
    Done,
}

/// Search with the results so far.
#[derive(Debug)]
pub(crate) struct Sweep {
    pub(crate) sought: SearchTarget,
    /// Page of results to show.
    pub(crate) page: Page,
    pub(crate) stage: SearchStage,
    /// Last room examined in this stage.
    pub(crate) room: Option<RoomId>,
    /// Last creature counted.
    pub(crate) body: Option<CharacterId>,
    /// Last item examined.
    pub(crate) item: Option<ItemId>,
    /// Rooms to which a player can walk from the town.
    pub(crate) walkable: BTreeSet<RoomId>,
    /// Rooms of the walk whose exits are not yet followed.
    pub(crate) to_walk: Vec<RoomId>,
    /// Rooms to which an exit leads.
    pub(crate) entered: BTreeSet<RoomId>,
    /// Number of rooms that use each definition.
    pub(crate) using: BTreeMap<(Referent, String), usize>,
    /// Steps of quests that scripts of rooms complete, by the keys of quest and step; without step for a whole quest.
    pub(crate) steps_done: BTreeSet<(String, Option<String>)>,
    /// Number of creatures and items of each kind in the world.
    pub(crate) around: BTreeMap<(Referent, String), usize>,
    /// Results shown before all others.
    pub(crate) first: Finds,
    pub(crate) found: Finds,
    pub(crate) remarks: Remarks,
    /// Unreachable rooms, each with another of the same group and a lower number; the first of a group maps to itself.
    pub(crate) cut_off: BTreeMap<RoomId, RoomId>,
    /// Number of rooms of each group, by its first room.
    pub(crate) groups: BTreeMap<RoomId, u32>,
    /// Locked doors by key, each with its room and name. A key may be defined in the content and exist nowhere in the
    /// world.
    pub(crate) locked: BTreeMap<String, Vec<(RoomId, String)>>,
    /// Keys of doors that players can obtain.
    pub(crate) given: BTreeSet<String>,
    /// Lowest price of each ware, with its shop.
    pub(crate) asks: BTreeMap<String, (i64, RoomId)>,
    /// Shops that set what they pay, and one that does not.
    pub(crate) buyers: Vec<RoomId>,
    /// Set if a shop that pays the usual prices is among them.
    pub(crate) has_usual_buyer: bool,
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
