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
    /// Starts at the wall's time, but no earlier than the last moment the stored world has lived through.
    pub fn start(world: GameTime) -> Self {
        Self::start_by(wall, world)
    }

    /// The same by another clock on the wall than the machine's.
    pub fn start_by(wall: fn() -> GameTime, world: GameTime) -> Self {
        Self { started: Instant::now(), origin: wall().max(world), wall }
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
        assert!(Clock::start(future).now() >= future);
        assert!(Clock::start(GameTime(0)).now() > GameTime(1_600_000_000_000));
    }

    #[tokio::test(start_paused = true)]
    async fn moments_become_instants_of_the_runtime() {
        let clock = Clock::start_at(GameTime(1_000));
        assert_eq!(clock.instant(GameTime(4_000)) - clock.instant(GameTime(0)), Duration::from_secs(3));
    }
}
