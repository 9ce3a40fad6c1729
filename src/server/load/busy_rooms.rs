//! Rooms whose steps do the most work, for operators: the Space-Saving algorithm, which finds the rooms with a large
//! share of all work in bounded memory.

use std::collections::BTreeMap;
use std::time::Duration;

use deepwell_core::base::RoomId;

/// Number of rooms that are counted. A room with more than this fraction of all work is certainly among them.
const COUNTED: usize = 256;

/// Steps of one room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::server) struct RoomTotal {
    pub(in crate::server) steps: u64,
    pub(in crate::server) work: u64,
    pub(in crate::server) took: Duration,
    /// Work of the rooms that were counted here before, so that a new room is not evicted at once.
    inherited: u64,
}

impl RoomTotal {
    /// Returns the sum of two totals of the same room.
    pub(in crate::server) fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            work: self.work + other.work,
            took: self.took + other.took,
            inherited: 0,
        }
    }
}

/// Totals by room.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::server) struct BusyRooms(BTreeMap<RoomId, RoomTotal>);

impl BusyRooms {
    /// Records a step. If too many rooms are counted, its room replaces the one with the least work.
    pub(in crate::server) fn note(&mut self, room: RoomId, took: Duration, work: u64) {
        let mut inherited = 0;
        if self.0.len() >= COUNTED && !self.0.contains_key(&room) {
            let share = |total: &RoomTotal| total.inherited + total.work;
            let least = self.0.iter().min_by_key(|(_, total)| share(total)).map(|(room, _)| *room);
            inherited = least.and_then(|least| self.0.remove(&least)).map_or(0, |total| share(&total));
        }
        let total = self.0.entry(room).or_insert(RoomTotal { inherited, ..RoomTotal::default() });
        total.steps += 1;
        total.work += work;
        total.took += took;
    }

    /// Returns the totals, in the order of the rooms.
    pub(in crate::server) fn totals(&self) -> impl Iterator<Item = (RoomId, RoomTotal)> {
        self.0.iter().map(|(room, total)| (*room, *total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_room_is_found_among_more_rooms_than_are_counted() {
        let mut rooms = BusyRooms::default();
        let millisecond = Duration::from_millis(1);
        for number in 0..20_000 {
            rooms.note(RoomId(10 + number), millisecond, 5);
            if number % 50 == 0 {
                rooms.note(RoomId(7), millisecond, 40);
            }
        }
        assert_eq!(rooms.totals().count(), COUNTED);
        let (room, total) = rooms.totals().max_by_key(|(_, total)| total.work).unwrap();
        assert_eq!((room, total.work <= 400 * 40, total.work > 300 * 40), (RoomId(7), true, true));
    }
}
