//! Theme data for room contents: the strength of guards, and the texts and rewards of landmarks, riddles, shrines and
//! captives.

use crate::catalog::Script;
use crate::catalog::pattern::Pattern;
use crate::data::{Position, Reader, definition};
use crate::puzzle::plain_answer;

definition! {
    /// Budget for a room's guards: base + difficulty x `per_difficulty`, plus or minus the spread.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Threat {
        /// Budget at difficulty 0.
        pub base: u32 = number(0..=100_000),
        /// Increase per step of difficulty.
        pub per_difficulty: u32 = number(0..=10_000),
        /// Maximum deviation of a budget in percent.
        pub spread_percent: u32 = number_or(0..=100, Self::default().spread_percent),
        /// Maximum number of creatures in a room.
        pub most: u32 = number_or(1..=20, Self::default().most),
        /// Chance in percent that all guards of an encounter are of one kind.
        pub pack_percent: u32 = number_or(0..=100, Self::default().pack_percent),
    }
}

impl Default for Threat {
    fn default() -> Self {
        Self { base: 1, per_difficulty: 1, spread_percent: 25, most: 4, pack_percent: 40 }
    }
}

impl Threat {
    /// Returns the least and the greatest budget at a difficulty; at least 1.
    pub fn budget(&self, difficulty: u32) -> (u32, u32) {
        let middle = self.base.saturating_add(self.per_difficulty.saturating_mul(difficulty)).max(1);
        let off = middle.saturating_mul(self.spread_percent) / 100;
        ((middle - off).max(1), middle.saturating_add(off))
    }
}

/// Encounters too strong for their depth, announced by a sign at the exit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutOfDepth {
    /// Chance per exit, in 1,000.
    pub permille: u32,
    /// Increase of the difficulty of creatures and loot over that of the room.
    pub difficulty: u32,
    /// Signs; `{exit}` is replaced by the exit's name.
    pub omens: Vec<Pattern>,
}

definition! {
    /// Creatures and items of halls, independent of difficulty.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Inhabitants {
        /// Place of the `loot` key.
        pub place: Position => |table| table.place_of("loot"),
        /// Chance of a creature in a hall at difficulty 0, in percent.
        pub percent: u32 = number(0..=100),
        /// Increase of that chance per step of difficulty.
        pub percent_per_difficulty: u32 = number_or(0..=100, 0),
        /// Loot table of items on the floor, by key.
        pub loot: Option<String> = filled_text(),
        /// Creatures, by weight.
        pub creatures: Vec<Inhabitant> = tables(Inhabitant::read),
    }
}

definition! {
    /// A kind of creature in halls.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Inhabitant {
        /// Place of the `mob` key.
        pub place: Position => |table| table.place_of("mob"),
        /// Creature, by key.
        pub creature: String => |table| table.text("mob"),
        /// Weight of the random choice.
        pub weight: u32 = number(1..=10_000),
    }
}

definition! {
    /// Loot of hoards within a range of difficulties.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Hoard {
        /// Place of the `table` key.
        pub place: Position => |table| table.place_of("table"),
        /// First and last difficulty.
        pub difficulty: (u32, u32) = first_and_last(100_000),
        /// Loot table, by key.
        pub table: String = text(),
    }
}

definition! {
    /// A scenic place that rewards its discovery.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Landmark {
        /// First and last depth at which it may appear.
        pub depth: (u32, u32) = first_and_last(100_000),
        /// Name for use inside a sentence: `the drowned boat`.
        pub name: String = text(),
        /// Description for players.
        pub description: String = text(),
        /// Script that runs when a player enters, if any.
        pub on_enter: Script => |table| Script::read(table, "on_enter"),
        /// Place of the definition.
        pub place: Position => |table| table.place(),
    }
}

/// Reads a landmark; scripts that can kill are an error.
pub(in crate::catalog) fn read_landmark(table: &mut Reader<'_>) -> Landmark {
    let landmark = Landmark::read(table);
    if landmark.on_enter.kills() {
        table.record_mistake("on_enter", "harms", "`bruise`, which leaves the last hit point");
    }
    landmark
}

definition! {
    /// A riddle.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ThemeRiddle {
        /// Text of the riddle.
        pub text: String = text(),
        /// Accepted answers, in lower case and without article.
        pub answers: Vec<String> => |table| {
            table.texts("answers", 1).iter().map(|answer| plain_answer(answer)).collect()
        },
    }
}

definition! {
    /// A shrine.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Shrine {
        /// Place of the `affect` key.
        pub place: Position => |table| table.place_of("affect"),
        /// Name: `ember shrine`.
        pub name: String = text(),
        /// Sentence of the room description.
        pub text: String = text(),
        /// Message to the player who prays.
        pub prayer: String = text(),
        /// Affect it gives, by key.
        pub affect: String = text(),
        /// Weight of the random choice.
        pub weight: u32 = number_or(1..=10_000, 1),
    }
}

definition! {
    /// A captive held by guards.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Captive {
        /// Place of the `mob` key.
        pub place: Position => |table| table.place_of("mob"),
        /// Creature, by key.
        pub creature: String => |table| table.text("mob"),
        /// Sentence of the room description while they are captive.
        pub text: String = text(),
        /// Message to the room when the last guard falls.
        pub freed: String = text(),
        /// Message to the room where the rescuer leaves the branch with them.
        pub thanks: String = text(),
    }
}

impl Landmark {
    /// Returns `true` if it may appear at a depth.
    pub fn appears_at(&self, depth: u32) -> bool {
        (self.depth.0..=self.depth.1).contains(&depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers ignore case, articles, blanks and punctuation.
    #[test]
    fn riddle_answers_ignore_case_articles_and_punctuation() {
        for typed in ["well", "A well", " the  WELL ", "a well!", "It is a well.", "it's a well?"] {
            assert_eq!(plain_answer(typed), "well", "{typed}");
        }
        assert_eq!(plain_answer("the"), "the", "an article alone is an answer");
        assert_eq!(plain_answer("The  Looking  Glass"), "looking glass");
        assert_eq!(plain_answer("?!"), "");
    }

    #[test]
    fn budget_grows_with_difficulty_and_is_never_zero() {
        let threat = Threat { base: 0, per_difficulty: 2, spread_percent: 50, ..Threat::default() };
        assert_eq!([0, 1, 5].map(|difficulty| threat.budget(difficulty)), [(1, 1), (1, 3), (5, 15)]);
        let wild = Threat { base: u32::MAX, per_difficulty: 9, spread_percent: 100, ..threat };
        assert_eq!(wild.budget(u32::MAX).1, u32::MAX);
    }
}
