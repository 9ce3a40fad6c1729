//! Game time: whole milliseconds since 1970 (UTC), given from outside and never going back.
//! Not a clock: nothing in this module reads one.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};

/// A moment, in milliseconds since 1970-01-01 UTC as the driver counts them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameTime(pub i64);

/// A length of time in milliseconds, never negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub i64);

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// `n` milliseconds.
    pub const fn millis(n: i64) -> Self {
        Self(n)
    }

    /// `n` seconds.
    pub const fn secs(n: i64) -> Self {
        Self(n * 1000)
    }

    /// `n` minutes.
    pub const fn mins(n: i64) -> Self {
        Self(n * 60_000)
    }

    /// Whole seconds, rounded up, so that "0 seconds" means over.
    pub const fn whole_secs(self) -> i64 {
        (self.0 + 999) / 1000
    }
}

impl GameTime {
    /// How long ago `earlier` was; zero if it lies ahead.
    pub fn since(self, earlier: Self) -> Span {
        Span((self.0 - earlier.0).max(0))
    }
}

impl Add<Span> for GameTime {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for GameTime {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl fmt::Display for Span {
    /// Words for people: `45 seconds`, `5 minutes`, `2 hours`, `7 days`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.whole_secs();
        let (n, unit) = match secs {
            0..120 => (secs, "second"),
            120..7_200 => (secs / 60, "minute"),
            7_200..172_800 => (secs / 3600, "hour"),
            _ => (secs / 86_400, "day"),
        };
        write!(f, "{n} {unit}{}", if n == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_as_words() {
        let words: Vec<_> =
            [0, 1, 45, 119, 300, 3600, 604_800].iter().map(|s| Span::secs(*s).to_string()).collect();
        assert_eq!(
            words,
            ["0 seconds", "1 second", "45 seconds", "119 seconds", "5 minutes", "60 minutes", "7 days"]
        );
    }

    #[test]
    fn time_since_the_future_is_zero() {
        assert_eq!(GameTime(5).since(GameTime(9)), Span::ZERO);
    }
}
