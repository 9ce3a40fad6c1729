//! Rules by which old backups are deleted.

use deepwell_core::base::GameTime;
use std::collections::BTreeSet;

/// Numbers of backups to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Retention {
    /// Newest backups.
    pub(super) latest: u32,
    /// Days of which the last backup is kept.
    pub(super) daily: u32,
    /// Weeks of which the last backup is kept.
    pub(super) weekly: u32,
    /// Months of which the last backup is kept.
    pub(super) monthly: u32,
}

const DAY_MS: i64 = 86_400_000;
/// Days between the Monday before 1970 and its first day.
const MONDAY: i64 = 3;

impl Retention {
    /// Returns the backups to delete; `made` is the one that was just made and checked, and is kept.
    pub(super) fn expired(self, all: &BTreeSet<GameTime>, made: GameTime) -> BTreeSet<GameTime> {
        let day = |at: GameTime| at.0.div_euclid(DAY_MS).to_string();
        let week = |at: GameTime| (at.0.div_euclid(DAY_MS) + MONDAY).div_euclid(7).to_string();
        let month = |at: GameTime| at.stamp().chars().take("2027-01".len()).collect();
        let mut kept: BTreeSet<GameTime> = all.iter().rev().take(self.latest as usize).copied().collect();
        kept.insert(made);
        kept.extend(last_of_each(all, self.daily, day));
        kept.extend(last_of_each(all, self.weekly, week));
        kept.extend(last_of_each(all, self.monthly, month));
        all.difference(&kept).copied().collect()
    }
}

/// Returns the last backup of each of the last periods that have one.
fn last_of_each(all: &BTreeSet<GameTime>, count: u32, period: impl Fn(GameTime) -> String) -> Vec<GameTime> {
    let mut lasts: Vec<(String, GameTime)> = Vec::new();
    for at in all.iter().rev() {
        let period = period(*at);
        if lasts.last().is_none_or(|(last, _)| *last != period) {
            if lasts.len() == count as usize {
                break;
            }
            lasts.push((period, *at));
        }
    }
    lasts.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::backups::folder::{file_name, time_of};
    use proptest::prelude::*;

    fn at(stamp: &str) -> GameTime {
        time_of(&format!("deepwell-{stamp}.db")).unwrap()
    }

    #[test]
    fn last_backup_of_each_day_week_and_month_is_kept() {
        let all: BTreeSet<GameTime> = [
            "2026-11-29T230000.000Z", // a Sunday
            "2026-11-30T010000.000Z", // the Monday after it
            "2026-11-30T230000.000Z",
            "2026-12-31T120000.000Z",
            "2027-01-01T120000.000Z",
            "2027-01-14T120000.000Z",
            "2027-01-15T070000.000Z",
            "2027-01-15T080000.000Z",
        ]
        .into_iter()
        .map(at)
        .collect();
        let newest = at("2027-01-15T080000.000Z");
        let kept = |latest, daily, weekly, monthly| {
            let expired = Retention { latest, daily, weekly, monthly }.expired(&all, newest);
            all.difference(&expired).map(|at| file_name(*at)[9..19].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(kept(1, 0, 0, 0), ["2027-01-15"]);
        assert_eq!(kept(2, 0, 0, 0), ["2027-01-15", "2027-01-15"]);
        assert_eq!(kept(1, 3, 0, 0), ["2027-01-01", "2027-01-14", "2027-01-15"]);
        assert_eq!(kept(1, 0, 4, 0), ["2026-11-29", "2026-11-30", "2027-01-01", "2027-01-15"]);
        assert_eq!(kept(1, 0, 0, 3), ["2026-11-30", "2026-12-31", "2027-01-15"]);
    }

    fn rules() -> impl Strategy<Value = Retention> {
        (1_u32..6, 0_u32..6, 0_u32..6, 0_u32..6).prop_map(|(latest, daily, weekly, monthly)| Retention {
            latest,
            daily,
            weekly,
            monthly,
        })
    }

    proptest! {
        #[test]
        fn last_sound_backup_and_as_many_as_the_rules_say_are_kept(
            rules in rules(),
            hours in proptest::collection::btree_set(400_000_i64..404_000, 1..60),
            pick in any::<proptest::sample::Index>(),
        ) {
            let all: BTreeSet<GameTime> = hours.iter().map(|hour| GameTime(hour * 3_600_000)).collect();
            // The clock may have been set back, so that the backup just made is not the newest by name.
            let made = *all.iter().nth(pick.index(all.len())).unwrap();
            let expired = rules.expired(&all, made);
            let kept: BTreeSet<GameTime> = all.difference(&expired).copied().collect();
            prop_assert!(kept.contains(&made));
            let newest: Vec<_> = all.iter().rev().take(rules.latest as usize).collect();
            prop_assert!(newest.into_iter().all(|at| kept.contains(at)));
            let days: BTreeSet<i64> = all.iter().map(|at| at.0 / DAY_MS).collect();
            for day in days.iter().rev().take(rules.daily as usize) {
                let last = all.iter().rev().find(|at| at.0 / DAY_MS == *day).unwrap();
                prop_assert!(kept.contains(last));
            }
            let most = 1 + rules.latest + rules.daily + rules.weekly + rules.monthly;
            prop_assert!(kept.len() <= most as usize);
            prop_assert!(rules.expired(&kept, made).is_empty(), "a second run deletes nothing");
        }
    }
}
