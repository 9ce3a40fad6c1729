//! Rate limits by key, as token buckets: a burst, then one token per interval. The table is bounded; keys with a full
//! bucket are not stored.

use std::collections::BTreeMap;

use crate::base::{GameTime, Span};

/// Token buckets of equal size, by key.
#[derive(Debug)]
pub struct RateLimits<K> {
    at_once: i64,
    interval: Span,
    /// Time at which each bucket is full again.
    whole_at: BTreeMap<K, GameTime>,
    remembered: usize,
}

impl<K: Ord + Clone> RateLimits<K> {
    /// Allows `at_once` uses per `period` for each key. At most `remembered` keys are tracked.
    pub fn new(at_once: u32, period: Span, remembered: usize) -> Self {
        let at_once = i64::from(at_once.max(1));
        Self { at_once, interval: Span(period.0 / at_once), whole_at: BTreeMap::new(), remembered }
    }

    /// Returns `true` if at least one token is left.
    pub fn is_left(&self, key: &K, now: GameTime) -> bool {
        self.has_more_than(0, key, now)
    }

    /// Returns `true` if more than `reserve` tokens are left.
    pub fn has_more_than(&self, reserve: u32, key: &K, now: GameTime) -> bool {
        let owed = self.whole_at.get(key).map_or(0, |whole| whole.since(now).0);
        owed <= self.interval.0 * (self.at_once - 1 - i64::from(reserve))
    }

    /// Takes a token, even from an empty bucket.
    pub fn take(&mut self, key: K, now: GameTime) {
        if self.whole_at.len() >= self.remembered && !self.whole_at.contains_key(&key) {
            self.forget(now);
        }
        let whole = self.whole_at.entry(key).or_insert(now);
        let most = now + Span(self.interval.0 * self.at_once);
        *whole = (*whole).max(now).min(most) + self.interval;
    }

    /// Takes `count` tokens, capped at a full bucket. Takes nothing and returns `false` if fewer are left.
    pub fn try_take(&mut self, key: &K, count: u32, now: GameTime) -> bool {
        let count = i64::from(count).clamp(1, self.at_once);
        let rest = u32::try_from(count - 1).unwrap_or(u32::MAX);
        if !self.has_more_than(rest, key, now) {
            return false;
        }
        self.take(key.clone(), now);
        if let Some(whole) = self.whole_at.get_mut(key) {
            *whole = *whole + Span(self.interval.0 * (count - 1));
        }
        true
    }

    /// Returns a token to the bucket.
    pub fn put_back(&mut self, key: &K, now: GameTime) {
        if let Some(whole) = self.whole_at.get_mut(key) {
            *whole = *whole - self.interval;
            if *whole <= now {
                self.whole_at.remove(key);
            }
        }
    }

    /// Evicts keys with a full bucket or, if there are none, the key whose bucket is full soonest.
    fn forget(&mut self, now: GameTime) {
        self.whole_at.retain(|_, whole| *whole > now);
        if self.whole_at.len() >= self.remembered {
            let next = self.whole_at.iter().min_by_key(|(_, whole)| **whole).map(|(key, _)| key.clone());
            next.map(|key| self.whole_at.remove(&key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: GameTime = GameTime(1_000_000);

    #[test]
    fn bucket_empties_and_refills() {
        let mut budgets = RateLimits::new(10, Span::mins(1), 100);
        for n in 0..10 {
            assert!(budgets.is_left(&"Ann", NOON), "{n}");
            budgets.take("Ann", NOON);
        }
        assert!(!budgets.is_left(&"Ann", NOON) && budgets.is_left(&"Ben", NOON));
        assert!(!budgets.is_left(&"Ann", NOON + Span::millis(5_999)));
        assert!(budgets.is_left(&"Ann", NOON + Span::secs(6)));
        budgets.put_back(&"Ann", NOON);
        assert!(budgets.is_left(&"Ann", NOON));
        (0..10_000).for_each(|_| budgets.take("Ann", NOON));
        assert!(budgets.is_left(&"Ann", NOON + Span::secs(12)), "nobody owes more than they were given");
    }

    #[test]
    fn several_tokens_are_taken_together_or_not_at_all() {
        let mut budgets = RateLimits::new(10, Span::secs(10), 100);
        assert!(budgets.try_take(&"Ann", 7, NOON) && !budgets.try_take(&"Ann", 4, NOON));
        assert!(budgets.try_take(&"Ann", 3, NOON) && !budgets.try_take(&"Ann", 1, NOON));
        assert!(!budgets.try_take(&"Ann", 4, NOON + Span::secs(3)));
        assert!(budgets.try_take(&"Ann", 4, NOON + Span::secs(4)));
        assert!(budgets.try_take(&"Ben", 1_000, NOON), "no more than a whole one");
        assert!(!budgets.try_take(&"Ben", 1, NOON));
    }

    #[test]
    fn number_of_tracked_keys_is_bounded() {
        let mut budgets = RateLimits::new(2, Span::mins(1), 100);
        for n in 0..10_000 {
            budgets.take(n, NOON);
        }
        assert_eq!(budgets.whole_at.len(), 100);
    }
}
