//! Monitors the wall clock, which game time does not follow: a jump (NTP, suspend, a wrong clock at boot) is logged and
//! otherwise ignored. A restart sets game time from the wall clock again.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::net::Clock;

const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Minimum change of the difference to game time that counts as a jump rather than drift.
const JUMP_MS: i64 = 2_000;

/// Checks the clock periodically, until the future is dropped.
pub async fn watch(clock: Clock) {
    let mut looks = interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut known = clock.drift();
    loop {
        looks.tick().await;
        if let Some(jump_ms) = jump(&mut known, clock.drift()) {
            tracing::warn!(jump_ms, "the machine's clock has jumped; game time is not affected");
        }
    }
}

/// Returns the change of the difference since the last check, if it is a jump.
fn jump(known: &mut i64, seen: i64) -> Option<i64> {
    let change = seen - *known;
    *known = seen;
    (change.abs() >= JUMP_MS).then_some(change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w3_jump_is_reported_once_and_drift_is_not() {
        let mut known = 0;
        let seen = [5, 40, 3_600_040, 3_600_050, -50];
        let jumps: Vec<_> = seen.into_iter().filter_map(|seen| jump(&mut known, seen)).collect();
        assert_eq!(jumps, [3_600_000, -3_600_100]);
    }
}
