//! What a theme says of the things in its rooms: how strong their guards are, and the words and gifts of landmarks,
//! riddles, shrines and captives.

use super::pattern::Pattern;
use crate::data::{Place, Reader};
use crate::puzzle::plain_answer;

/// The budget that a room's guards are bought from: base + difficulty x `per_difficulty`, give or take the spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// At difficulty 0.
    pub base: u32,
    /// What each step of difficulty adds.
    pub per_difficulty: u32,
    /// How far a budget may be from that, in percent.
    pub spread_percent: u32,
    /// Most creatures of one room.
    pub most: u32,
    /// In how many of 100 encounters all guards are of one kind.
    pub pack_percent: u32,
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

/// Who lives in halls and what lies about there, whatever the difficulty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inhabitants {
    /// In how many of 100 halls there is a creature, at difficulty 0.
    pub percent: u32,
    /// What each step of difficulty adds to that.
    pub percent_per_difficulty: u32,
    /// The creatures, by weight.
    pub creatures: Vec<Inhabitant>,
    /// The loot table of what lies about, by key.
    pub loot: Option<String>,
    /// Where the table is.
    pub place: Place,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inhabitant {
    /// The mob by key.
    pub mob: String,
    /// How often it is chosen.
    pub weight: u32,
    /// Where it is named.
    pub place: Place,
}

/// What hoards of some difficulties are drawn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hoard {
    /// The loot table by key.
    pub table: String,
    /// The difficulties, first and last.
    pub difficulty: (u32, u32),
    /// Where the table is named.
    pub place: Place,
}

/// A place worth finding for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmark {
    /// Its name, for the middle of a sentence: `the drowned boat`.
    pub name: String,
    /// What one sees.
    pub description: String,
    /// The depths it may be at, first and last.
    pub depth: (u32, u32),
    /// Where it is defined.
    pub place: Place,
}

/// A riddle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Riddle {
    /// What is asked.
    pub text: String,
    /// Every answer that is right, in lower case and without article.
    pub answers: Vec<String>,
}

/// A shrine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrine {
    /// What it is called: `ember shrine`.
    pub name: String,
    /// A sentence of the room.
    pub text: String,
    /// What who prays there reads.
    pub prayer: String,
    /// The affect it gives, by key.
    pub affect: String,
    /// How often it is chosen.
    pub weight: u32,
    /// Where its affect is named.
    pub place: Place,
}

/// Somebody who is held behind guards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captive {
    /// What they are, by key of a mob.
    pub mob: String,
    /// A sentence of the room, as long as they are held.
    pub text: String,
    /// What the room reads when the last guard has fallen.
    pub freed: String,
    /// What their companions read in the start room.
    pub thanks: String,
    /// Where the mob is named.
    pub place: Place,
}

pub(super) fn threat(reader: &mut Reader<'_>) -> Threat {
    let usual = Threat::default();
    let Some(mut table) = reader.table_if_any("threat") else { return usual };
    let threat = Threat {
        base: table.number("base", 0..=100_000),
        per_difficulty: table.number("per_difficulty", 0..=10_000),
        spread_percent: table.number_or("spread_percent", 0..=100, usual.spread_percent),
        most: table.number_or("most", 1..=20, usual.most),
        pack_percent: table.number_or("pack_percent", 0..=100, usual.pack_percent),
    };
    table.finish();
    threat
}

pub(super) fn inhabitants(reader: &mut Reader<'_>) -> Option<Inhabitants> {
    let mut table = reader.table_if_any("inhabitants")?;
    let place = table.place_of("loot");
    let found = Inhabitants {
        percent: table.number("percent", 0..=100),
        percent_per_difficulty: table.number_or("percent_per_difficulty", 0..=100, 0),
        loot: Some(table.text_or("loot", String::new)).filter(|loot| !loot.is_empty()),
        creatures: table.tables("creatures", |table| {
            let place = table.place_of("mob");
            Inhabitant { mob: table.text("mob"), weight: table.number("weight", 1..=10_000), place }
        }),
        place,
    };
    table.finish();
    Some(found)
}

pub(super) fn hoard(table: &mut Reader<'_>) -> Hoard {
    let place = table.place_of("table");
    let first = table.number_or("first_difficulty", 0..=100_000, 0);
    Hoard {
        table: table.text("table"),
        difficulty: (first, table.number_or("last_difficulty", first..=u32::MAX, u32::MAX)),
        place,
    }
}

pub(super) fn landmark(table: &mut Reader<'_>) -> Landmark {
    let first = table.number_or("first_depth", 0..=100_000, 0);
    Landmark {
        name: table.text("name"),
        description: table.text("description"),
        depth: (first, table.number_or("last_depth", first..=u32::MAX, u32::MAX)),
        place: table.place(),
    }
}

pub(super) fn riddle(table: &mut Reader<'_>) -> Riddle {
    Riddle {
        text: table.text("text"),
        answers: table.texts("answers", 1).iter().map(|answer| plain_answer(answer)).collect(),
    }
}

pub(super) fn shrine(table: &mut Reader<'_>) -> Shrine {
    let place = table.place_of("affect");
    Shrine {
        name: table.text("name"),
        text: table.text("text"),
        prayer: table.text("prayer"),
        affect: table.text("affect"),
        weight: table.number_or("weight", 1..=10_000, 1),
        place,
    }
}

pub(super) fn captive(table: &mut Reader<'_>) -> Captive {
    let place = table.place_of("mob");
    Captive {
        mob: table.text("mob"),
        text: table.text("text"),
        freed: table.text("freed"),
        thanks: table.text("thanks"),
        place,
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
