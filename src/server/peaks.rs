//! The longest step of the last minutes, for operators.

use std::time::Duration;

use tokio::time::Instant;

use crate::game::StepCost;

/// Time after which a peak is replaced. Longer than the usual interval between two scrapes, so that no peak is missed,
/// and short enough that the slow first step after a start does not hide later ones.
const WINDOW: Duration = Duration::from_mins(5);

/// Steps with the longest duration and with the most work, each with its cause.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Peak {
    pub(super) seconds: (f64, &'static str),
    pub(super) work: (u64, &'static str),
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

/// Peaks of the current window and of the one before.
#[derive(Debug)]
pub(super) struct Peaks {
    begun: Instant,
    now: Peak,
    before: Peak,
}

impl Default for Peaks {
    fn default() -> Self {
        Self { begun: Instant::now(), now: Peak::default(), before: Peak::default() }
    }
}

impl Peaks {
    /// Records a step.
    pub(super) fn note(&mut self, at: Instant, took: Duration, cost: StepCost) {
        self.turn(at);
        self.now.note(took.as_secs_f64(), cost);
    }

    /// Returns the peak of the last five to ten minutes.
    pub(super) fn last(&mut self, at: Instant) -> Peak {
        self.turn(at);
        self.now.or(self.before)
    }

    /// Begins a new window if the current one is over.
    fn turn(&mut self, at: Instant) {
        let passed = at.duration_since(self.begun);
        if passed < WINDOW {
            return;
        }
        let last = std::mem::take(&mut self.now);
        self.before = if passed < 2 * WINDOW { last } else { Peak::default() };
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
        let cost = |work, cause| StepCost { work, cause, is_first: false };
        peaks.note(at(0.0), Duration::from_millis(9), cost(10, "find"));
        peaks.note(at(0.5), Duration::from_millis(3), cost(70, "check"));
        let both = Peak { seconds: (0.009, "find"), work: (70, "check") };
        assert_eq!(peaks.last(at(0.9)), both);
        peaks.note(at(1.1), Duration::from_millis(1), cost(1, "look"));
        assert_eq!(peaks.last(at(1.9)), both);
        assert_eq!(peaks.last(at(2.2)), Peak { seconds: (0.001, "look"), work: (1, "look") });
        assert_eq!(peaks.last(at(9.0)), Peak::default());
    }
}
