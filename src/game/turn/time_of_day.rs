//! Time of day in the town. It is derived from game time, so it needs no state and advances while the server is
//! stopped.

use crate::base::{GameTime, Span};

/// Length of a day of the town.
pub(crate) const DAY: Span = Span::mins(120);

/// Days in a year of the town.
const YEAR: i64 = 360;

/// Names of the parts of a day from midnight, all of equal length.
const PARTS: [&str; 8] = [
    "the dead of night",
    "the last of the night",
    "early morning",
    "late morning",
    "noon",
    "afternoon",
    "evening",
    "night",
];

/// Formats a time as "late morning, day 112 of the year 1385".
pub(crate) fn words(now: GameTime) -> String {
    let (days, rest) = (now.0.div_euclid(DAY.0), now.0.rem_euclid(DAY.0));
    let part = usize::try_from(rest * 8 / DAY.0).unwrap_or_default();
    let part = PARTS.get(part).copied().unwrap_or_default();
    format!("{part}, day {} of the year {}", days.rem_euclid(YEAR) + 1, days.div_euclid(YEAR))
}

/// Returns `true` if it is dark in the town, from evening to morning.
pub(crate) fn is_night(now: GameTime) -> bool {
    let part = now.0.rem_euclid(DAY.0) * 8 / DAY.0;
    !(2..6).contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_eight_parts_and_a_year_360_days() {
        let at = |days: i64, parts: i64| GameTime(days * DAY.0 + parts * DAY.0 / 8);
        assert_eq!(words(at(0, 0)), "the dead of night, day 1 of the year 0");
        assert_eq!(words(at(359, 4)), "noon, day 360 of the year 0");
        assert_eq!(words(at(360, 7)), "night, day 1 of the year 1");
        assert_eq!(
            [0, 1, 2, 5, 6, 7].map(|part| is_night(at(3, part))),
            [true, true, false, false, true, true]
        );
    }
}
