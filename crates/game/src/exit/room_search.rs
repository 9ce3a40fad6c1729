//! Breadth-first search over rooms along exits.

use deepwell_core::base::RoomId;
use deepwell_core::world::Exit;
use std::collections::{BTreeMap, VecDeque};

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimit {
    /// Number of rooms reached at which the search ends.
    pub(crate) rooms: usize,
    /// Maximum distance from the first room, in steps.
    pub(crate) steps: usize,
}

impl SearchLimit {
    /// No bounds.
    pub(crate) const NONE: Self = Self { rooms: usize::MAX, steps: usize::MAX };
}

/// Search from a room along the exits that `exits` returns for each room. Iterates over the rooms, nearest first,
/// beginning with the first room.
pub(crate) struct RoomSearch<'w, F> {
    from: RoomId,
    limit: SearchLimit,
    exits: F,
    /// Exit by which each room was reached, except the first room.
    entrances: BTreeMap<RoomId, &'w Exit>,
    /// Rooms that have been reached but not visited, with their distances.
    queue: VecDeque<(RoomId, usize)>,
    /// Room visited last, whose exits have not been followed.
    current: Option<(RoomId, usize)>,
}

impl<'w, F: Fn(RoomId) -> Vec<&'w Exit>> RoomSearch<'w, F> {
    pub(crate) fn new(from: RoomId, limit: SearchLimit, exits: F) -> Self {
        Self {
            from,
            limit,
            exits,
            entrances: BTreeMap::new(),
            queue: VecDeque::from([(from, 0)]),
            current: None,
        }
    }

    /// Returns the exit by which the search reached a room; `None` for the first room and rooms not reached.
    pub(crate) fn entrance(&self, room: RoomId) -> Option<&'w Exit> {
        self.entrances.get(&room).copied()
    }

    /// Returns the exits to take to a room, or `None` if the search has not reached it.
    pub(crate) fn way_to(&self, room: RoomId) -> Option<Vec<String>> {
        let mut steps = Vec::new();
        let mut at = room;
        while at != self.from {
            let exit = self.entrance(at)?;
            steps.push(exit.name.clone());
            at = exit.room;
        }
        steps.reverse();
        Some(steps)
    }

    /// Returns the nearest room that matches, with the exits to take to it.
    pub(crate) fn nearest(mut self, wanted: impl Fn(RoomId) -> bool) -> Option<(RoomId, Vec<String>)> {
        let room = self.find(|room| wanted(*room))?;
        Some((room, self.way_to(room)?))
    }
}

impl<'w, F: Fn(RoomId) -> Vec<&'w Exit>> Iterator for RoomSearch<'w, F> {
    type Item = RoomId;

    fn next(&mut self) -> Option<RoomId> {
        if let Some((room, steps)) = self.current {
            if self.entrances.len() > self.limit.rooms {
                self.queue.clear();
            } else if steps < self.limit.steps {
                for exit in (self.exits)(room) {
                    let new = exit.to.filter(|to| *to != self.from && !self.entrances.contains_key(to));
                    if let Some(to) = new {
                        self.entrances.insert(to, exit);
                        self.queue.push_back((to, steps + 1));
                    }
                }
            }
        }
        self.current = self.queue.pop_front();
        self.current.map(|(room, _)| room)
    }
}
