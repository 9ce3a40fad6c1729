//! What a theme says of the things in its rooms: how strong their guards are, and the words and gifts of landmarks,
//! riddles, shrines and captives.

use super::Script;
use super::pattern::Pattern;
use crate::data::{Position, Reader, definition};
use crate::puzzle::plain_answer;

definition! {
    /// The budget that a room's guards are bought from: base + difficulty x `per_difficulty`, give or take the spread.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Threat {
        /// At difficulty 0.
        pub base: u32 = number(0..=100_000),
        /// What each step of difficulty adds.
        pub per_difficulty: u32 = number(0..=10_000),
        /// How far a budget may be from that, in percent.
        pub spread_percent: u32 = number_or(0..=100, Self::default().spread_percent),
        /// Most creatures of one room.
        pub most: u32 = number_or(1..=20, Self::default().most),
        /// In how many of 100 encounters all guards are of one kind.
        pub pack_percent: u32 = number_or(0..=100, Self::default().pack_percent),
    }
}

impl Default for Threat {
    fn default() -> Self {
        Self { base: 1, per_difficulty: 1, spread_percent: 25, most: 4, pack_percent: 40 }
    }
}

impl Threat {
    /// The least and the most that may be spent at a difficulty; never nothing.
    pub fn budget(&self, difficulty: u32) -> (u32, u32) {
        let middle = self.base.saturating_add(self.per_difficulty.saturating_mul(difficulty)).max(1);
        let off = middle.saturating_mul(self.spread_percent) / 100;
        ((middle - off).max(1), middle.saturating_add(off))
    }
}

/// What waits behind an exit with a sign beside it: an encounter too strong for its depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutOfDepth {
    /// In how many of 1,000 exits.
    pub permille: u32,
    /// How much the difficulty of creatures and loot is above that of the room.
    pub difficulty: u32,
    /// The signs; `{exit}` is the way.
    pub omens: Vec<Pattern>,
}

definition! {
    /// Who lives in halls and what lies about there, whatever the difficulty.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Inhabitants {
        /// Where the table is.
        pub place: Position => |table| table.place_of("loot"),
        /// In how many of 100 halls there is a creature, at difficulty 0.
        pub percent: u32 = number(0..=100),
        /// What each step of difficulty adds to that.
        pub percent_per_difficulty: u32 = number_or(0..=100, 0),
        /// The loot table of what lies about, by key.
        pub loot: Option<String> = filled_text(),
        /// The creatures, by weight.
        pub creatures: Vec<Inhabitant> = tables(Inhabitant::read),
    }
}

definition! {
    /// One of them.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Inhabitant {
        /// Where it is named.
        pub place: Position => |table| table.place_of("mob"),
        /// The mob by key.
        pub mob: String = text(),
        /// How often it is chosen.
        pub weight: u32 = number(1..=10_000),
    }
}

definition! {
    /// What hoards of some difficulties are drawn from.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Hoard {
        /// Where the table is named.
        pub place: Position => |table| table.place_of("table"),
        /// The difficulties, first and last.
        pub difficulty: (u32, u32) = first_and_last(100_000),
        /// The loot table by key.
        pub table: String = text(),
    }
}

definition! {
    /// A place worth finding for itself.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Landmark {
        /// The depths it may be at, first and last.
        pub depth: (u32, u32) = first_and_last(100_000),
        /// Its name, for the middle of a sentence: `the drowned boat`.
        pub name: String = text(),
        /// What one sees.
        pub description: String = text(),
        /// What happens to whoever comes in, if anything.
        pub on_enter: Script => |table| Script::read(table, "on_enter"),
        /// Where it is defined.
        pub place: Position => |table| table.place(),
    }
}

/// Reads a landmark; one that kills is a mistake.
pub(super) fn read_landmark(table: &mut Reader<'_>) -> Landmark {
    let landmark = Landmark::read(table);
    if landmark.on_enter.kills() {
        table.wrong("on_enter", "harms", "`bruise`, which leaves the last hit point");
    }
    landmark
}

definition! {
    /// A riddle.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Riddle {
        /// What is asked.
        pub text: String = text(),
        /// Every answer that is right, in lower case and without article.
        pub answers: Vec<String> => |table| {
            table.texts("answers", 1).iter().map(|answer| plain_answer(answer)).collect()
        },
    }
}

definition! {
    /// A shrine.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Shrine {
        /// Where its affect is named.
        pub place: Position => |table| table.place_of("affect"),
        /// What it is called: `ember shrine`.
        pub name: String = text(),
        /// A sentence of the room.
        pub text: String = text(),
        /// What who prays there reads.
        pub prayer: String = text(),
        /// The affect it gives, by key.
        pub affect: String = text(),
        /// How often it is chosen.
        pub weight: u32 = number_or(1..=10_000, 1),
    }
}

definition! {
    /// Somebody who is held behind guards.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Captive {
        /// Where the mob is named.
        pub place: Position => |table| table.place_of("mob"),
        /// What they are, by key of a mob.
        pub mob: String = text(),
        /// A sentence of the room, as long as they are held.
        pub text: String = text(),
        /// What the room reads when the last guard has fallen.
        pub freed: String = text(),
        /// What their companions read in the start room.
        pub thanks: String = text(),
    }
}

impl Landmark {
    /// Whether it may be at a depth.
    pub fn appears_at(&self, depth: u32) -> bool {
        (self.depth.0..=self.depth.1).contains(&depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case, articles, blanks and punctuation make no difference to an answer.
    #[test]
    fn answers_are_compared_without_frills() {
        for typed in ["well", "A well", " the  WELL ", "a well!", "It is a well.", "it's a well?"] {
            assert_eq!(plain_answer(typed), "well", "{typed}");
        }
        assert_eq!(plain_answer("the"), "the", "an article alone is an answer");
        assert_eq!(plain_answer("The  Looking  Glass"), "looking glass");
        assert_eq!(plain_answer("?!"), "");
    }

    #[test]
    fn a_budget_grows_and_is_never_nothing() {
        let threat = Threat { base: 0, per_difficulty: 2, spread_percent: 50, ..Threat::default() };
        assert_eq!([0, 1, 5].map(|difficulty| threat.budget(difficulty)), [(1, 1), (1, 3), (5, 15)]);
        let wild = Threat { base: u32::MAX, per_difficulty: 9, spread_percent: 100, ..threat };
        assert_eq!(wild.budget(u32::MAX).1, u32::MAX);
    }
}
