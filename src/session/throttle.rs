//! Rate limit for lines: a token bucket in whole milliseconds. Excess lines are delayed, not dropped.

use deepwell_core::base::limits::Limits;
use deepwell_core::base::{GameTime, Span};

/// Fractions of a token. A rate of `n` per second adds `n` parts per millisecond, so that whole rates fill in whole
/// steps.
const PARTS: i64 = 1_000;

/// A token bucket.
#[derive(Clone, Debug)]
pub(super) struct TokenBucket {
    per_second: i64,
    full: i64,
    parts: i64,
    filled_at: GameTime,
}

impl TokenBucket {
    /// Creates the bucket for the commands of one session; full at first.
    pub(super) fn new(limits: &Limits, now: GameTime) -> Self {
        Self::at_rate(limits.commands_per_second, limits.commands_burst, now)
    }

    /// Creates a bucket with a rate per second and a burst size; full at first.
    pub(super) fn at_rate(per_second: u32, burst: u32, now: GameTime) -> Self {
        let full = i64::from(burst.max(1)) * PARTS;
        Self { per_second: i64::from(per_second.max(1)), full, parts: full, filled_at: now }
    }

    /// Takes a token; returns `false` if the bucket is empty.
    pub(super) fn take(&mut self, now: GameTime) -> bool {
        self.fill(now);
        let enough = self.parts >= PARTS;
        if enough {
            self.parts -= PARTS;
        }
        enough
    }

    /// Returns the number of available tokens.
    pub(super) fn available(&mut self, now: GameTime) -> u32 {
        self.fill(now);
        u32::try_from(self.parts / PARTS).unwrap_or(u32::MAX)
    }

    /// Takes a number of tokens, or all if there are fewer.
    pub(super) fn spend(&mut self, tokens: u32) {
        self.parts = (self.parts - i64::from(tokens) * PARTS).max(0);
    }

    fn fill(&mut self, now: GameTime) {
        let elapsed = now.since(self.filled_at);
        self.filled_at = self.filled_at.max(now);
        self.parts = elapsed.0.saturating_mul(self.per_second).saturating_add(self.parts).min(self.full);
    }

    /// Returns the earliest time at which [`TokenBucket::take`] succeeds.
    pub(super) fn next(&self) -> GameTime {
        let missing = (PARTS - self.parts).max(0);
        self.filled_at + Span::millis((missing + self.per_second - 1) / self.per_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn allowance(per_second: u32, burst: u32) -> TokenBucket {
        let limits = Limits { commands_per_second: per_second, commands_burst: burst, ..Limits::default() };
        TokenBucket::new(&limits, GameTime(0))
    }

    #[test]
    fn n1_burst_passes_then_rate_applies() {
        let mut allowance = allowance(20, 3);
        let passed =
            |allowance: &mut TokenBucket, at| (0..10).filter(|_| allowance.take(GameTime(at))).count();
        assert_eq!(passed(&mut allowance, 0), 3);
        assert_eq!(allowance.next(), GameTime(50));
        assert_eq!(passed(&mut allowance, 49), 0);
        assert_eq!(passed(&mut allowance, 50), 1);
        assert_eq!(passed(&mut allowance, 10_000_000), 3);
    }

    #[test]
    fn stopped_or_backward_clock_adds_no_tokens() {
        let mut allowance = allowance(20, 1);
        assert!(allowance.take(GameTime(1_000)));
        assert!(!allowance.take(GameTime(500)) && !allowance.take(GameTime(1_000)));
        assert!(!allowance.take(GameTime(1_049)));
        assert!(allowance.take(GameTime(1_050)));
    }

    proptest! {
        #[test]
        fn next_time_is_earliest_with_a_token(rate in 1_u32..3_000, burst in 1_u32..9, at in 0_i64..9_000) {
            let mut allowance = allowance(rate, burst);
            while allowance.take(GameTime(at)) {}
            let next = allowance.next();
            prop_assert!(next > GameTime(at));
            prop_assert!(!allowance.clone().take(next - Span::millis(1)));
            prop_assert!(allowance.take(next));
        }
    }
}
