//! The clock of a running server: starts at the wall's time, then follows the monotonic clock alone.
//! Everything below the shell is given moments and never asks for one.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

use crate::base::{GameTime, Span};

/// Game time as it passes. Copies agree with each other.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    origin: GameTime,
    wall: fn() -> GameTime,
}

impl Clock {
    /// Starts at the wall's time, but no earlier than the last moment the stored world has lived through; and at that moment
    /// if the wall is further ahead of it than `most_ahead`. A clock that is wrong by years would end every ban and every
    /// term, and game time never goes back.
    pub fn start(world: GameTime, most_ahead: Span) -> Self {
        Self::start_by(wall, world, most_ahead)
    }

    /// The same by another clock on the wall than the machine's.
    pub fn start_by(wall: fn() -> GameTime, world: GameTime, most_ahead: Span) -> Self {
        let now = wall();
        let is_fresh = world == GameTime(0);
        let origin = if is_fresh || now.since(world) <= most_ahead { now.max(world) } else { world };
        Self { started: Instant::now(), origin, wall }
    }

    /// Starts at a given moment.
    pub fn start_at(origin: GameTime) -> Self {
        Self { started: Instant::now(), origin, wall }
    }

    /// This moment. Never goes back; a jump of the wall clock does not reach it.
    pub fn now(&self) -> GameTime {
        self.origin + Span(millis(self.started.elapsed()))
    }

    /// The same moment for the runtime's timers; this moment for one that has passed.
    pub fn instant(&self, at: GameTime) -> Instant {
        let ahead = u64::try_from(at.since(self.origin).0).unwrap_or(0);
        self.started + Duration::from_millis(ahead)
    }

    /// How far the wall's time lies ahead of game time, in milliseconds; negative if behind.
    pub fn drift(&self) -> i64 {
        (self.wall)().0.saturating_sub(self.now().0)
    }
}

/// The wall's time; the epoch if the machine's clock stands before it.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
fn wall() -> GameTime {
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
    fn w1_a_world_from_the_future_is_not_set_back() {
        let future = GameTime(i64::MAX / 2);
        assert!(Clock::start(future, Span::secs(0)).now() >= future);
        assert!(Clock::start(GameTime(0), Span::secs(0)).now() > GameTime(1_600_000_000_000));
    }

    /// A clock of years ahead would end all bans, and the world could not go back.
    #[tokio::test(start_paused = true)]
    async fn w1_a_clock_far_ahead_of_the_world_is_not_believed() {
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
    async fn moments_become_instants_of_the_runtime() {
        let clock = Clock::start_at(GameTime(1_000));
        assert_eq!(clock.instant(GameTime(4_000)) - clock.instant(GameTime(0)), Duration::from_secs(3));
    }
}
