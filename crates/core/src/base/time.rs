//! Game time: whole milliseconds since 1970 (UTC), supplied by the caller and never decreasing. This module does not
//! read a clock.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;
/// Days from the Monday before 1 January 1970 to that day.
const DAYS_SINCE_MONDAY: i64 = 3;

/// Moment in milliseconds since 1970-01-01 UTC, as counted by the driver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct GameTime(pub i64);

/// Duration in milliseconds, never negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub i64);

impl Span {
    /// Zero duration.
    pub const ZERO: Self = Self(0);

    /// Creates a duration of `n` milliseconds.
    pub const fn millis(n: i64) -> Self {
        Self(n)
    }

    /// Creates a duration of `n` seconds.
    pub const fn secs(n: i64) -> Self {
        Self(n * 1000)
    }

    /// Creates a duration of `n` minutes.
    pub const fn mins(n: i64) -> Self {
        Self(n * 60_000)
    }

    /// Creates a duration of `n` days.
    pub const fn days(n: i64) -> Self {
        Self(n * DAY_MS)
    }

    /// Parses a duration: a bare number is in seconds, otherwise a unit is required, as in `2h` or `7d`. `None` if the
    /// text is malformed or has fractions of a millisecond.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(seconds) = text.parse::<i64>() {
            return seconds.checked_mul(1_000).filter(|millis| *millis >= 0).map(Self);
        }
        let time = humantime::parse_duration(text).ok()?;
        let whole = time.subsec_nanos().is_multiple_of(1_000_000);
        i64::try_from(time.as_millis()).ok().filter(|_| whole).map(Self)
    }

    /// Returns the duration in the form of [`Self::parse`], in the largest unit without a fraction: `12s`, `90m`, `2h`,
    /// `7d`.
    pub fn written(self) -> String {
        const UNITS: [(i64, &str); 4] = [(DAY_MS, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")];
        match UNITS.into_iter().find(|(length, _)| self.0 != 0 && self.0 % length == 0) {
            Some((length, unit)) => format!("{}{unit}", self.0 / length),
            None if self.0 == 0 => "0s".to_owned(),
            None => humantime::format_duration(std::time::Duration::from_millis(self.0.unsigned_abs()))
                .to_string(),
        }
    }

    /// Returns the duration in words, as [`Display`](fmt::Display) does, but in a smaller unit if that would round:
    /// `150 seconds`.
    pub fn exact_words(self) -> String {
        let secs = self.whole_secs();
        match secs {
            120..7_200 if secs % 60 != 0 => format!("{secs} seconds"),
            7_200.. if secs % 3_600 != 0 && secs % 60 == 0 => format!("{} minutes", secs / 60),
            7_200.. if secs % 3_600 != 0 => format!("{secs} seconds"),
            172_800.. if secs % 86_400 != 0 => format!("{} hours", secs / 3_600),
            _ => self.to_string(),
        }
    }

    /// Returns whole seconds, rounded up, so that "0 seconds" means expired.
    pub const fn whole_secs(self) -> i64 {
        (self.0 + 999) / 1000
    }
}

impl GameTime {
    /// Returns the number of the day, from 1970 on, in UTC.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(DAY_MS)
    }

    /// Returns the number of the week, from 1970 on. Weeks begin on a Monday, in UTC.
    pub const fn week(self) -> i64 {
        (self.day() + DAYS_SINCE_MONDAY).div_euclid(7)
    }

    /// Returns the end of its week.
    #[must_use]
    pub const fn end_of_week(self) -> Self {
        Self(((self.week() + 1) * 7 - DAYS_SINCE_MONDAY) * DAY_MS)
    }

    /// Returns the time since `earlier`; zero if that is in the future.
    pub fn since(self, earlier: Self) -> Span {
        Span((self.0 - earlier.0).max(0))
    }

    /// Returns the date and time in UTC for names of files, without a colon: `2027-01-15T080000.000Z`. Names sort by time.
    pub fn stamp(self) -> String {
        let since = std::time::Duration::from_millis(u64::try_from(self.0).unwrap_or(0));
        humantime::format_rfc3339_millis(std::time::UNIX_EPOCH + since).to_string().replace(':', "")
    }

    /// Parses the result of [`stamp`](Self::stamp).
    pub fn from_stamp(text: &str) -> Option<Self> {
        let (date, time) = text.split_at_checked("2027-01-15T".len())?;
        let (hours, rest) = time.split_at_checked(2)?;
        let (minutes, seconds) = rest.split_at_checked(2)?;
        let at = Self::parse(&format!("{date}{hours}:{minutes}:{seconds}"))?;
        (at.stamp() == text).then_some(at)
    }

    /// Parses a date and time in UTC: `2027-01-15 08:00:00`, with `T` between them, `Z` at the end and a fraction if
    /// they are there.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix(" UTC").unwrap_or(text);
        let since = humantime::parse_rfc3339_weak(text).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok().map(Self)
    }

    /// Returns the time to the minute: `2027-01-15 08:00 UTC`.
    pub fn utc(self) -> String {
        let minutes = self.0.rem_euclid(DAY_MS) / 60_000;
        format!("{} {:02}:{:02} UTC", self.date(), minutes / 60, minutes % 60)
    }

    /// Returns the time to the second: `2027-01-15 08:00:00 UTC`.
    pub fn utc_to_second(self) -> String {
        let seconds = self.0.rem_euclid(DAY_MS) / 1_000;
        let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        format!("{} {hours:02}:{minutes:02}:{seconds:02} UTC", self.date())
    }

    /// Returns the day: `2027-01-15`.
    fn date(self) -> String {
        let days = self.0.div_euclid(DAY_MS);
        // Years start in March, so that the leap day is the last day.
        let days = days + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (year, month) = (era * 400 + year + month / 10, (month + 2) % 12 + 1);
        format!("{year}-{month:02}-{day:02}")
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
    /// Formats the duration in words: `45 seconds`, `5 minutes`, `2 hours`, `7 days`.
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

    /// Days begin at midnight UTC, and weeks on Monday.
    #[test]
    fn weeks_begin_on_monday() {
        // 3 January 2028 is a Monday.
        let monday = GameTime(1_830_470_400_000);
        let before = GameTime(monday.0 - 1);
        assert_eq!((before.day() + 1, before.week() + 1), (monday.day(), monday.week()));
        assert_eq!((monday + Span::days(7) - Span::millis(1)).week(), monday.week());
        assert_eq!(before.end_of_week(), monday);
        assert_eq!(GameTime(-1).day(), -1);
    }

    #[test]
    fn durations_are_shown_in_words() {
        let durations: Vec<_> =
            [0, 1, 45, 119, 300, 3600, 604_800].iter().map(|s| Span::secs(*s).to_string()).collect();
        assert_eq!(
            durations,
            ["0 seconds", "1 second", "45 seconds", "119 seconds", "5 minutes", "60 minutes", "7 days"]
        );
    }

    #[test]
    fn times_are_shown_as_dates() {
        let dates: Vec<_> = [0, 951_782_399_999, 951_782_400_000, 1_800_000_000_000, 4_102_444_740_000]
            .iter()
            .map(|ms| GameTime(*ms).utc())
            .collect();
        assert_eq!(
            dates,
            [
                "1970-01-01 00:00 UTC",
                "2000-02-28 23:59 UTC",
                "2000-02-29 00:00 UTC",
                "2027-01-15 08:00 UTC",
                "2099-12-31 23:59 UTC"
            ]
        );
    }

    #[test]
    fn durations_parse_with_unit_or_as_seconds() {
        for (text, span) in [
            ("90", Some(Span::secs(90))),
            ("2h", Some(Span::mins(120))),
            ("7d", Some(Span::mins(7 * 1_440))),
            ("200ms", Some(Span::millis(200))),
            ("-5", None),
            ("1us", None),
            ("soon", None),
            ("", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(Span::parse(text), span, "{text}");
        }
    }

    #[test]
    fn written_duration_round_trips_and_words_do_not_round() {
        for (secs, written, phrase) in [
            (0, "0s", "0 seconds"),
            (12, "12s", "12 seconds"),
            (90, "90s", "90 seconds"),
            (150, "150s", "150 seconds"),
            (300, "5m", "5 minutes"),
            (3_600, "1h", "60 minutes"),
            (9_000, "150m", "150 minutes"),
            (9_001, "9001s", "9001 seconds"),
            (180_000, "50h", "50 hours"),
            (604_800, "7d", "7 days"),
        ] {
            let span = Span::secs(secs);
            assert_eq!((span.written().as_str(), span.exact_words().as_str()), (written, phrase));
            assert_eq!(Span::parse(written), Some(span));
        }
        assert_eq!(Span::parse(&Span::millis(1_500).written()), Some(Span::millis(1_500)));
    }

    #[test]
    fn time_since_the_future_is_zero() {
        assert_eq!(GameTime(5).since(GameTime(9)), Span::ZERO);
    }
}
