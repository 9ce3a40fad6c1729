//! Rankings of characters by level and by depth, connected or not. They are computed once after a start and updated
//! with each gain. Deleted characters stay until others have passed them.

use deepwell_core::base::{CharacterId, ExitId, GameTime};
use deepwell_core::world::DepthRecord;
use std::collections::BTreeMap;

/// The first `most` characters, highest level first.
#[derive(Debug, Default)]
pub(crate) struct LevelRanking {
    most: usize,
    all: Vec<(u32, i64, CharacterId)>,
}

impl LevelRanking {
    pub(crate) const fn new(most: usize) -> Self {
        Self { most, all: Vec::new() }
    }

    /// Updates the level and experience of a character.
    pub(crate) fn note(&mut self, who: CharacterId, level: u32, xp: i64) {
        if let Some(at) = self.all.iter().position(|(.., id)| *id == who) {
            self.all.remove(at);
        }
        let at = self.all.partition_point(|(other, points, _)| (*other, *points) >= (level, xp));
        if at < self.most {
            self.all.insert(at, (level, xp, who));
            self.all.truncate(self.most);
        }
    }

    /// Iterates over the ranking from the first place.
    pub(crate) fn iter(&self) -> impl Iterator<Item = CharacterId> {
        self.all.iter().map(|(.., who)| *who)
    }
}

/// Subject of a ranking by depth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum DepthList {
    /// All branches, of all time.
    Ever,
    /// All branches, in one week.
    Week,
    /// Branches behind a start exit, of all time.
    Exit(ExitId),
}

/// Rankings by depth. Of equal depths, the one reached earlier is the higher place.
#[derive(Debug, Default)]
pub(crate) struct DepthRanks {
    most: usize,
    lists: BTreeMap<DepthList, LevelRanking>,
    week_of: GameTime,
}

impl DepthRanks {
    /// Creates empty rankings of at most `most` characters each; `now` is in the week that is ranked.
    pub(crate) const fn new(most: usize, now: GameTime) -> Self {
        Self { most, lists: BTreeMap::new(), week_of: now }
    }

    /// Updates the record of a character.
    pub(crate) fn note(&mut self, list: DepthList, who: CharacterId, record: DepthRecord) {
        let ranks = self.lists.entry(list).or_insert_with(|| LevelRanking::new(self.most));
        ranks.note(who, record.depth, -record.at.0);
    }

    /// Returns a moment of the week that is ranked.
    pub(crate) const fn week_of(&self) -> GameTime {
        self.week_of
    }

    /// Empties the ranking of the week.
    pub(crate) fn start_week(&mut self, now: GameTime) {
        self.week_of = now;
        self.lists.remove(&DepthList::Week);
    }

    /// Iterates over a ranking from the first place.
    pub(crate) fn iter(&self, list: DepthList) -> impl Iterator<Item = CharacterId> {
        self.lists.get(&list).into_iter().flat_map(LevelRanking::iter)
    }

    /// Iterates over the start exits that have a ranking.
    pub(crate) fn exits(&self) -> impl Iterator<Item = ExitId> {
        self.lists.keys().filter_map(|list| if let DepthList::Exit(exit) = list { Some(*exit) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranking_keeps_the_highest_in_order() {
        let mut ranks = LevelRanking::new(3);
        for (who, level, xp) in [(1, 1, 0), (2, 3, 10), (3, 2, 5), (4, 1, 9), (1, 3, 11), (5, 1, 0)] {
            ranks.note(CharacterId(who), level, xp);
        }
        let ids: Vec<u64> = ranks.iter().map(|id| id.0).collect();
        assert_eq!(ids, [1, 2, 3]);
    }
}
