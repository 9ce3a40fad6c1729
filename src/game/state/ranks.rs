//! Ranking of the characters with the highest levels, connected or not. It is computed once after a start and updated
//! with each gain. Deleted characters stay until others have passed them.

use crate::base::CharacterId;

/// The first `most` characters, highest level first.
#[derive(Debug, Default)]
pub(crate) struct Ranks {
    most: usize,
    all: Vec<(u32, i64, CharacterId)>,
}

impl Ranks {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranking_keeps_the_highest_in_order() {
        let mut ranks = Ranks::new(3);
        for (who, level, xp) in [(1, 1, 0), (2, 3, 10), (3, 2, 5), (4, 1, 9), (1, 3, 11), (5, 1, 0)] {
            ranks.note(CharacterId(who), level, xp);
        }
        let ids: Vec<u64> = ranks.iter().map(|id| id.0).collect();
        assert_eq!(ids, [1, 2, 3]);
    }
}
