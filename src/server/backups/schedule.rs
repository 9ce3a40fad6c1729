//! Times at which backups are due, by a clock that never goes back.

use deepwell_core::base::{GameTime, Span};

/// Shortest and longest time between a failed backup and the next one.
const RETRY: (Span, Span) = (Span::secs(1), Span::mins(10));

/// Schedule of backups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Schedule {
    /// Interval; `None` if backups are made only on request.
    every: Option<Span>,
    /// Start of the last sound backup.
    last: GameTime,
    /// Earliest time of the next attempt after a failure.
    retry_at: Option<GameTime>,
}

impl Schedule {
    /// Begins a schedule; `age` is that of the newest backup. Without one, or if it is older than the interval, a backup
    /// is due at once, and late only when a whole interval has passed.
    pub(super) fn begin(every: Option<Span>, now: GameTime, age: Option<Span>) -> Self {
        let interval = every.unwrap_or_default();
        let age = age.map_or(interval, |age| age.min(interval));
        Self { every, last: now - age, retry_at: None }
    }

    /// Returns the time of the next backup; `None` if none is planned.
    pub(super) fn next(&self) -> Option<GameTime> {
        let due = self.last + self.every?;
        Some(self.retry_at.map_or(due, |retry| retry.max(due)))
    }

    /// Returns `true` if no backup has been made for longer than two intervals.
    pub(super) fn is_late(&self, now: GameTime) -> bool {
        self.every.is_some_and(|every| now > self.last + every + every)
    }

    /// Notes a sound backup that was begun at a moment.
    pub(super) fn note_success(&mut self, begun: GameTime) {
        self.last = begun;
        self.retry_at = None;
    }

    /// Notes a backup that failed at a moment.
    pub(super) fn note_failure(&mut self, now: GameTime) {
        let pause = self.every.map_or(RETRY.1, |every| Span(every.0 / 4));
        self.retry_at = Some(now + pause.clamp(RETRY.0, RETRY.1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Span = Span::mins(60);
    const NOON: GameTime = GameTime(1_800_000_000_000);

    #[test]
    fn backup_is_due_after_the_interval_also_across_a_restart() {
        let mut schedule = Schedule::begin(Some(HOUR), NOON, None);
        assert_eq!(schedule.next(), Some(NOON), "the first one is due at once");
        schedule.note_success(NOON);
        assert_eq!(schedule.next(), Some(NOON + HOUR));
        let restarted = Schedule::begin(Some(HOUR), NOON + Span::mins(20), Some(Span::mins(20)));
        assert_eq!(restarted.next(), schedule.next());
        let long_off = Schedule::begin(Some(HOUR), NOON, Some(Span::mins(6_000)));
        assert_eq!((long_off.next(), long_off.is_late(NOON)), (Some(NOON), false));
        assert_eq!(Schedule::begin(None, NOON, None).next(), None);
    }

    #[test]
    fn failed_backup_is_retried_and_reported_as_late_after_two_intervals() {
        let mut schedule = Schedule::begin(Some(HOUR), NOON, Some(Span::ZERO));
        let mut now = NOON + HOUR;
        let mut attempts = 0;
        while !schedule.is_late(now) {
            assert!(schedule.next() <= Some(now));
            schedule.note_failure(now);
            attempts += 1;
            now = schedule.next().unwrap();
        }
        assert_eq!((attempts, now), (7, NOON + HOUR + HOUR + Span::mins(10)));
        schedule.note_success(now);
        assert!(!schedule.is_late(now) && schedule.next() == Some(now + HOUR));
    }

    #[test]
    fn short_interval_is_not_retried_in_a_busy_loop() {
        let mut schedule = Schedule::begin(Some(Span::secs(1)), NOON, None);
        schedule.note_failure(NOON);
        assert_eq!(schedule.next(), Some(NOON + Span::secs(1)));
        schedule.note_failure(NOON + Span::secs(1));
        assert_eq!(schedule.next(), Some(NOON + Span::secs(2)));
    }
}
