//! Who has come furthest: of all characters those with the highest levels, whether they play or not. It is found once after a
//! start and kept with each gain; whoever is gone is still in it until others have passed them.

use crate::base::CharacterId;

/// The first so many of all characters, the highest level first.
#[derive(Debug, Default)]
pub(crate) struct Ranks {
    most: usize,
    all: Vec<(u32, i64, CharacterId)>,
}

impl Ranks {
    pub(crate) const fn new(most: usize) -> Self {
        Self { most, all: Vec::new() }
    }

    /// Somebody has come so far.
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

    /// All of them, the first first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = CharacterId> {
        self.all.iter().map(|(.., who)| *who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_in_their_order() {
        let mut ranks = Ranks::new(3);
        for (who, level, xp) in [(1, 1, 0), (2, 3, 10), (3, 2, 5), (4, 1, 9), (1, 3, 11), (5, 1, 0)] {
            ranks.note(CharacterId(who), level, xp);
        }
        let ids: Vec<u64> = ranks.iter().map(|id| id.0).collect();
        assert_eq!(ids, [1, 2, 3]);
    }
}
