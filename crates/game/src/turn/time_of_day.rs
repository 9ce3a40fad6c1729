//! Time of day in the town. It is derived from game time, so it needs no state and advances while the server is
//! stopped.

use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, Span};
use deepwell_core::catalog::item::shop::DAY_HOURS;
use deepwell_core::text::grammar;

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
    let (part, day, year) = parts(now);
    format!("{part}, day {day} of the year {year}")
}

/// Returns the name of the part of the day, the day of the year from 1, and the year.
pub(crate) fn parts(now: GameTime) -> (&'static str, i64, i64) {
    let (days, rest) = (now.0.div_euclid(DAY.0), now.0.rem_euclid(DAY.0));
    let part = usize::try_from(rest * 8 / DAY.0).unwrap_or_default();
    let part = PARTS.get(part).copied().unwrap_or_default();
    (part, days.rem_euclid(YEAR) + 1, days.div_euclid(YEAR))
}

/// Returns the hour of the day, from 0 to 23.
pub(crate) fn hour(now: GameTime) -> u32 {
    u32::try_from(now.0.rem_euclid(DAY.0) * i64::from(DAY_HOURS) / DAY.0).unwrap_or_default()
}

/// Returns the latest time up to `now` at which the clock struck an hour of the day.
pub(crate) fn last_time(now: GameTime, hour: u32) -> GameTime {
    let begun = GameTime(now.0.div_euclid(DAY.0) * DAY.0 + i64::from(hour) * DAY.0 / i64::from(DAY_HOURS));
    if begun > now { GameTime(begun.0 - DAY.0) } else { begun }
}

/// Returns the hour of the town that a builder tries; `None` for the present one.
pub(crate) fn tried_hour(turn: &Turn, who: CharacterId) -> Option<u32> {
    turn.awake.get(who).filter(|body| !body.quelled)?.tried_hour
}

/// Returns the time in the town for a character: the present, or the last time at which the hour struck that a builder
/// tries.
pub(crate) fn time_for(turn: &Turn, who: Option<CharacterId>) -> GameTime {
    let tried = who.and_then(|who| tried_hour(turn, who));
    tried.map_or(turn.now, |hour| last_time(turn.now, hour))
}

/// Formats an hour of the day: "eight in the morning".
pub(crate) fn hour_words(hour: u32) -> String {
    let part = match hour % DAY_HOURS {
        0 => return "midnight".to_owned(),
        12 => return "noon".to_owned(),
        1..12 => "morning",
        13..18 => "afternoon",
        _ => "evening",
    };
    format!("{} in the {part}", grammar::number(hour % 12))
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
    fn a_day_has_24_hours() {
        let at = |days: i64, hours: i64| GameTime(days * DAY.0 + hours * DAY.0 / 24);
        assert_eq!([0, 8, 23, 24].map(|hours| hour(at(3, hours))), [0, 8, 23, 0]);
        assert_eq!(last_time(at(3, 8), 8), at(3, 8));
        assert_eq!(last_time(GameTime(at(3, 8).0 - 1), 8), at(2, 8));
        assert_eq!(
            [0, 8, 12, 13, 20, 24].map(hour_words),
            [
                "midnight",
                "eight in the morning",
                "noon",
                "one in the afternoon",
                "eight in the evening",
                "midnight"
            ]
        );
    }

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
