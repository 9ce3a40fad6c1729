//! Table of fights by party size, answers and difficulty.

use std::collections::BTreeMap;
use std::fmt;

/// Outcome of a fight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FightOutcome {
    /// No enemy is left.
    Won,
    /// The party fled.
    Fled,
    /// The party was defeated.
    Lost,
}

/// A finished fight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fight {
    pub(super) size: u32,
    /// Set if the party answers what is announced.
    pub(super) answers: bool,
    pub(super) difficulty: u32,
    pub(super) level: u32,
    pub(super) outcome: FightOutcome,
    pub(super) seconds: u64,
    /// Hit points lost, in percent of the party's maximum.
    pub(super) lost_percent: u64,
    pub(super) downed: u32,
}

/// Sums over fights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FightTally {
    /// Number of fights.
    pub(super) fights: u64,
    /// Number of fights won.
    pub(super) won: u64,
    /// Number of fights from which the party fled.
    pub(super) fled: u64,
    /// Number of fights lost.
    pub(super) lost: u64,
    /// Sum of durations, in seconds of game time.
    pub(super) seconds: u64,
    /// Sum of the hit points lost, in percent.
    pub(super) lost_percent: u64,
    /// Number of members incapacitated.
    pub(super) downed: u64,
    /// Sum of the party levels.
    pub(super) levels: u64,
}

/// Fights by party size, answers and difficulty. Greater difficulties are counted in the last row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FightTable(pub(super) BTreeMap<(u32, bool, u32), FightTally>);

/// Difficulty of the last row, which includes all greater ones.
const DEEPEST: u32 = 12;

impl FightTable {
    pub(super) fn add(&mut self, fight: Fight) {
        let tally = self.0.entry((fight.size, fight.answers, fight.difficulty.min(DEEPEST))).or_default();
        tally.fights += 1;
        match fight.outcome {
            FightOutcome::Won => tally.won += 1,
            FightOutcome::Fled => tally.fled += 1,
            FightOutcome::Lost => tally.lost += 1,
        }
        tally.seconds += fight.seconds;
        tally.lost_percent += fight.lost_percent;
        tally.downed += u64::from(fight.downed);
        tally.levels += u64::from(fight.level);
    }
}

impl fmt::Display for FightTable {
    /// Formats the table as Markdown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| party | answers | difficulty | fights | level | won | fled | out | seconds | hp lost | went down |"
        )?;
        writeln!(f, "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
        for ((size, answers, difficulty), tally) in &self.0 {
            let share = |part: u64| part * 100 / tally.fights.max(1);
            let answers = if *answers { "yes" } else { "no" };
            let beyond = if *difficulty == DEEPEST { "+" } else { "" };
            writeln!(
                f,
                "| {size} | {answers} | {difficulty}{beyond} | {} | {}.{} | {} % | {} % | {} % | {} | {} % | {} % |",
                tally.fights,
                tally.levels / tally.fights.max(1),
                tally.levels * 10 / tally.fights.max(1) % 10,
                share(tally.won),
                share(tally.fled),
                share(tally.lost),
                tally.seconds / tally.fights.max(1),
                tally.lost_percent / tally.fights.max(1),
                share(tally.downed),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fights_are_counted_by_size_and_difficulty() {
        let mut table = FightTable::default();
        let fight = Fight {
            size: 2,
            answers: true,
            difficulty: 40,
            level: 3,
            outcome: FightOutcome::Won,
            seconds: 9,
            lost_percent: 20,
            downed: 1,
        };
        table.add(fight);
        table.add(Fight { outcome: FightOutcome::Lost, level: 4, ..fight });
        let tally = table.0[&(2, true, DEEPEST)];
        assert_eq!((tally.fights, tally.won, tally.lost, tally.downed), (2, 1, 1, 2));
        assert!(
            table
                .to_string()
                .ends_with("| 2 | yes | 12+ | 2 | 3.5 | 50 % | 0 % | 50 % | 9 | 20 % | 100 % |\n")
        );
    }
}
