//! Clock of a running server: starts at the wall-clock time, then follows the monotonic clock alone. The modules below
//! the server receive timestamps and never read a clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

use deepwell_core::base::{GameTime, Span};

/// Game time. All copies return the same time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    origin: GameTime,
    wall: fn() -> GameTime,
}

impl Clock {
    /// Starts at the wall-clock time, but not before the last timestamp of the stored world. If the wall clock is
    /// further ahead of that timestamp than `most_ahead`, starts at the timestamp: a clock that is years ahead would
    /// end every ban and every term, and game time never goes back.
    pub fn start(world: GameTime, most_ahead: Span) -> Self {
        Self::start_by(wall, world, most_ahead)
    }

    /// Does the same as [`Clock::start`], with a given wall clock.
    pub fn start_by(wall: fn() -> GameTime, world: GameTime, most_ahead: Span) -> Self {
        let now = wall();
        let is_fresh = world == GameTime(0);
        let origin = if is_fresh || now.since(world) <= most_ahead { now.max(world) } else { world };
        Self { started: Instant::now(), origin, wall }
    }

    /// Starts at a given time.
    pub fn start_at(origin: GameTime) -> Self {
        Self { started: Instant::now(), origin, wall }
    }

    /// Returns the present game time. It never goes back, and jumps of the wall clock do not affect it.
    pub fn now(&self) -> GameTime {
        self.origin + Span(millis(self.started.elapsed()))
    }

    /// Converts a game time to an instant for the runtime's timers; the start instant if the time is before the start.
    pub fn instant(&self, at: GameTime) -> Instant {
        let ahead = u64::try_from(at.since(self.origin).0).unwrap_or(0);
        self.started + Duration::from_millis(ahead)
    }

    /// Returns the wall-clock time, for names and reports.
    pub fn wall(&self) -> GameTime {
        (self.wall)()
    }

    /// Returns the difference between wall-clock time and game time in milliseconds; negative if the wall clock is
    /// behind.
    pub fn drift(&self) -> i64 {
        (self.wall)().0.saturating_sub(self.now().0)
    }
}

/// Reads the wall clock; returns the epoch for earlier times. For operators only: the game follows a [`Clock`].
#[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
pub fn wall() -> GameTime {
    GameTime(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis))
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn w3_time_follows_the_monotonic_clock() {
        let clock = Clock::start_at(GameTime(5_000));
        tokio::time::advance(Duration::from_millis(1_234)).await;
        assert_eq!(clock.now(), GameTime(6_234));
    }

    #[test]
    fn w1_game_time_ahead_of_wall_clock_is_not_set_back() {
        let future = GameTime(i64::MAX / 2);
        assert!(Clock::start(future, Span::secs(0)).now() >= future);
        assert!(Clock::start(GameTime(0), Span::secs(0)).now() > GameTime(1_600_000_000_000));
    }

    /// A clock that is years ahead would end all bans, and game time could not go back.
    #[tokio::test(start_paused = true)]
    async fn w1_wall_clock_too_far_ahead_is_ignored() {
        let month = Span::mins(30 * 24 * 60);
        let wall = || GameTime(0) + Span::mins(365 * 24 * 60);
        let year = wall();
        let yesterday = year - Span::mins(24 * 60);
        assert_eq!(Clock::start_by(wall, yesterday, month).now(), year);
        let clock = Clock::start_by(wall, GameTime(5), month);
        assert_eq!((clock.now(), clock.drift()), (GameTime(5), year.since(GameTime(5)).0));
        assert_eq!(Clock::start_by(wall, GameTime(5), Span::mins(400 * 24 * 60)).now(), year);
    }

    #[tokio::test(start_paused = true)]
    async fn game_times_convert_to_runtime_instants() {
        let clock = Clock::start_at(GameTime(1_000));
        assert_eq!(clock.instant(GameTime(4_000)) - clock.instant(GameTime(0)), Duration::from_secs(3));
    }
}
