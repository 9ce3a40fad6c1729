//! The longest step of the last minutes, the time that each kind of step takes, and the busiest rooms, for operators.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::server::load::CauseLoad;
use crate::server::load::busy_rooms::{BusyRooms, RoomTotal};
use deepwell_core::base::RoomId;
use deepwell_game::StepCost;

/// Time after which a peak is replaced. Longer than the usual interval between two scrapes, so that no peak is missed,
/// and short enough that the slow first step after a start does not hide later ones.
const WINDOW: Duration = Duration::from_mins(5);

/// Steps with the longest duration and with the most work, each with its cause.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::server) struct Peak {
    pub(in crate::server) seconds: (f64, &'static str),
    pub(in crate::server) work: (u64, &'static str),
}

impl Peak {
    fn note(&mut self, seconds: f64, cost: StepCost) {
        if seconds > self.seconds.0 {
            self.seconds = (seconds, cost.cause);
        }
        if cost.work > self.work.0 {
            self.work = (cost.work, cost.cause);
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            seconds: if self.seconds.0 >= other.seconds.0 { self.seconds } else { other.seconds },
            work: if self.work.0 >= other.work.0 { self.work } else { other.work },
        }
    }
}

/// Steps of one cause: their number and time since the start, and the longest of the current window and of the one before.
#[derive(Clone, Copy, Debug, Default)]
struct CauseTotal {
    steps: u64,
    took: Duration,
    now: Peak,
    before: Peak,
}

/// Peaks of the current window and of the one before.
#[derive(Debug)]
pub(in crate::server) struct Peaks {
    begun: Instant,
    now: Peak,
    before: Peak,
    /// Totals by cause. Causes are names in the program, so their number is bounded.
    causes: BTreeMap<&'static str, CauseTotal>,
    /// Rooms of the current window, and of the one before.
    rooms: [BusyRooms; 2],
}

impl Default for Peaks {
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            now: Peak::default(),
            before: Peak::default(),
            causes: BTreeMap::new(),
            rooms: <[BusyRooms; 2]>::default(),
        }
    }
}

impl Peaks {
    /// Records a step.
    pub(in crate::server) fn note(&mut self, at: Instant, took: Duration, cost: StepCost) {
        self.turn(at);
        self.now.note(took.as_secs_f64(), cost);
        let total = self.causes.entry(cost.cause).or_default();
        total.steps += 1;
        total.took += took;
        total.now.note(took.as_secs_f64(), cost);
        if let Some(room) = cost.room {
            self.rooms[0].note(room, took, cost.work);
        }
    }

    /// Returns the totals of the rooms with the most work in the last five to ten minutes.
    pub(in crate::server) fn sum_rooms(&mut self, at: Instant) -> Vec<(RoomId, RoomTotal)> {
        self.turn(at);
        let mut sums: BTreeMap<RoomId, RoomTotal> = BTreeMap::new();
        for (room, total) in self.rooms.iter().flat_map(BusyRooms::totals) {
            let sum = sums.entry(room).or_default();
            *sum = sum.and(total);
        }
        sums.into_iter().collect()
    }

    /// Returns the totals of all causes, with the peaks of the last five to ten minutes.
    pub(in crate::server) fn collect_loads(&mut self, at: Instant) -> Vec<CauseLoad> {
        self.turn(at);
        let load = |(cause, total): (&&'static str, &CauseTotal)| {
            let peak = total.now.or(total.before);
            CauseLoad {
                cause: (*cause).to_owned(),
                steps: total.steps,
                seconds: total.took.as_secs_f64(),
                longest_seconds: peak.seconds.0,
                largest_work: peak.work.0,
            }
        };
        self.causes.iter().map(load).collect()
    }

    /// Returns the peak of the last five to ten minutes.
    pub(in crate::server) fn last(&mut self, at: Instant) -> Peak {
        self.turn(at);
        self.now.or(self.before)
    }

    /// Begins a new window if the current one is over.
    fn turn(&mut self, at: Instant) {
        let passed = at.duration_since(self.begun);
        if passed < WINDOW {
            return;
        }
        let kept = |last: Peak| if passed < 2 * WINDOW { last } else { Peak::default() };
        self.before = kept(std::mem::take(&mut self.now));
        for total in self.causes.values_mut() {
            total.before = kept(std::mem::take(&mut total.now));
        }
        let rooms = std::mem::take(&mut self.rooms[0]);
        self.rooms[1] = if passed < 2 * WINDOW { rooms } else { BusyRooms::default() };
        self.begun = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_is_kept_for_at_least_one_window() {
        let (mut peaks, start) = (Peaks::default(), Instant::now());
        let at = |windows: f64| start + WINDOW.mul_f64(windows);
        let cost = |work, cause| StepCost {
            work,
            cause,
            room: None,
            is_first: false,
            is_read: false,
            script_work: 0,
        };
        peaks.note(at(0.0), Duration::from_millis(9), cost(10, "find"));
        peaks.note(at(0.5), Duration::from_millis(3), cost(70, "check"));
        let both = Peak { seconds: (0.009, "find"), work: (70, "check") };
        assert_eq!(peaks.last(at(0.9)), both);
        peaks.note(at(1.1), Duration::from_millis(1), cost(1, "look"));
        assert_eq!(peaks.last(at(1.9)), both);
        assert_eq!(peaks.last(at(2.2)), Peak { seconds: (0.001, "look"), work: (1, "look") });
        assert_eq!(peaks.last(at(9.0)), Peak::default());
    }

    #[test]
    fn rooms_are_counted_for_at_least_one_window() {
        let (mut peaks, start) = (Peaks::default(), Instant::now());
        let cost = |work, room| StepCost {
            work,
            cause: "look",
            room,
            is_first: false,
            is_read: false,
            script_work: 0,
        };
        peaks.note(start, Duration::from_millis(2), cost(40, Some(RoomId(7))));
        peaks.note(start, Duration::from_millis(2), cost(90, None));
        peaks.note(start + WINDOW, Duration::from_millis(1), cost(5, Some(RoomId(7))));
        let [(room, total)] = peaks.sum_rooms(start + WINDOW)[..] else { panic!("one room") };
        assert_eq!((room, total.steps, total.work), (RoomId(7), 2, 45));
        assert_eq!(total.took, Duration::from_millis(3));
        assert_eq!(peaks.sum_rooms(start + 2 * WINDOW).len(), 1);
        assert!(peaks.sum_rooms(start + 4 * WINDOW).is_empty());
    }

    #[test]
    fn steps_are_added_up_by_cause() {
        let (mut peaks, start) = (Peaks::default(), Instant::now());
        let cost = |work, cause| StepCost {
            work,
            cause,
            room: None,
            is_first: false,
            is_read: false,
            script_work: 0,
        };
        for (millis, work) in [(500, 7), (250, 9)] {
            peaks.note(start, Duration::from_millis(millis), cost(work, "look"));
        }
        peaks.note(start, Duration::from_millis(125), cost(1, "find"));
        let load = |cause: &str, steps, seconds, longest_seconds, largest_work| CauseLoad {
            cause: cause.to_owned(),
            steps,
            seconds,
            longest_seconds,
            largest_work,
        };
        let find = load("find", 1, 0.125, 0.125, 1);
        assert_eq!(peaks.collect_loads(start), [find.clone(), load("look", 2, 0.75, 0.5, 9)]);
        let later = peaks.collect_loads(start + 3 * WINDOW);
        assert_eq!(later[1], load("look", 2, 0.75, 0.0, 0), "totals stay, peaks expire");
    }
}
