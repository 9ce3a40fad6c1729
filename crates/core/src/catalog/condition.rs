//! Conditions of scripts and spawn points: tests joined by `and`, `or` and `not`, with parsing and formatting. `and` binds
//! more tightly than `or`.

use super::usage::Referent;
use super::variable::Comparison;
use crate::data::{CatalogError, Reader};
use std::fmt;

/// Required result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The test must hold.
    Yes,
    /// The test must not hold.
    No,
}

/// A fact that a condition checks. The target is the character that triggered the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The target carries a number of items of a kind, by key; for coins, enough money.
    Has(u32, String),
    /// The target wears or wields an item of a kind, by key.
    Wears(String),
    /// A counter of the room has at least this value.
    Count(String, u32),
    /// A variable compares to a value in this way.
    Variable(String, Comparison, String),
    /// The target has at least this level.
    Level(u32),
    /// The party of the target has at least this number of members; a character without a party counts as one.
    Party(u32),
    /// A quest of the target, by key, is in a state.
    Quest(String, QuestState),
    /// A creature of a kind is in the room, by key.
    Here(String),
    /// This happens in so many of a hundred cases.
    Chance(u32),
    /// No creature is in the room.
    Clear,
    /// The target is a member of staff.
    Staff,
    /// It is night in the town.
    Night,
    /// A player is in the zone of the room.
    Players,
    /// A player is in the room.
    Seen,
    /// The target has not been in the room before this stay.
    FirstVisit,
}

/// A condition: alternatives, of which one must hold. An alternative holds if all its tests have the required results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Alternatives; never empty, and none is empty.
    pub any: Vec<Vec<(Expected, Test)>>,
}

/// State of a quest that a test asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestState {
    /// Not begun, or to be begun again.
    Open,
    /// Begun.
    Active,
    /// Completed at least once.
    Done,
    /// Begun, with a step that is done, by key.
    Step(String),
}

impl QuestState {
    fn of(word: &str) -> Self {
        match word {
            "open" => Self::Open,
            "active" => Self::Active,
            "done" => Self::Done,
            step => Self::Step(step.to_owned()),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Open => "open",
            Self::Active => "active",
            Self::Done => "done",
            Self::Step(step) => step,
        }
    }
}

/// Form of the test for a first visit, by which a stored line that has one is recognised.
pub const FIRST_VISIT: &str = "first visit";

/// Forms of all tests, for error messages.
pub const TESTS: &str = "has [NUMBER] KEY, wears KEY, count WORD NUMBER, var NAME [= VALUE], level NUMBER, party NUMBER, \
     quest KEY STATE, here KEY, chance NUMBER%, clear, staff, night, players, seen or first visit, joined with and, or and not";

impl Condition {
    /// Reads the condition in a field; `None` if there is none, or an invalid one, which has been recorded.
    pub(super) fn read(table: &mut Reader<'_>, name: &str) -> Option<Self> {
        let (place, typed) = table.text_if_any(name)?;
        let read = Self::parse(&typed);
        if read.is_none() {
            table.note(CatalogError::new(&place, format!("`{typed}` is no condition"), TESTS));
        }
        read
    }

    /// Parses a condition; `None` if it is not one.
    pub fn parse(typed: &str) -> Option<Self> {
        let words = words(typed)?;
        let any = words.split(|word| word.is("or")).map(|group| {
            let tests = group.split(|word| word.is("and"));
            tests.map(test).collect::<Option<Vec<_>>>()
        });
        Some(Self { any: any.collect::<Option<_>>()? })
    }

    /// Returns all tests.
    pub fn tests(&self) -> impl Iterator<Item = &Test> {
        self.any.iter().flatten().map(|(_, test)| test)
    }

    /// Returns all references to other content.
    pub fn names(&self) -> impl Iterator<Item = (Referent, &str)> {
        self.tests().filter_map(|test| match test {
            Test::Has(_, key) | Test::Wears(key) => Some((Referent::Item, key.as_str())),
            Test::Here(key) => Some((Referent::Mob, key.as_str())),
            Test::Quest(key, _) => Some((Referent::Quest, key.as_str())),
            _ => None,
        })
    }

    /// Returns the condition with its references to other content renamed.
    #[must_use]
    pub fn with_names(mut self, mut rename: impl FnMut(Referent, &str) -> String) -> Self {
        for (_, test) in self.any.iter_mut().flatten() {
            match test {
                Test::Has(_, key) | Test::Wears(key) => *key = rename(Referent::Item, key),
                Test::Here(key) => *key = rename(Referent::Mob, key),
                Test::Quest(key, _) => *key = rename(Referent::Quest, key),
                _ => {}
            }
        }
        self
    }

    /// Returns the condition with its variables renamed.
    #[must_use]
    pub fn with_variables(mut self, mut rename: impl FnMut(&str) -> String) -> Self {
        for (_, test) in self.any.iter_mut().flatten() {
            if let Test::Variable(name, ..) = test {
                *name = rename(name);
            }
        }
        self
    }
}

impl Test {
    /// Returns `true` if a spawn point can ask for it: without a target and without dice.
    pub const fn fits_spawn(&self) -> bool {
        match self {
            Self::Has(..)
            | Self::Wears(_)
            | Self::Level(_)
            | Self::Party(_)
            | Self::Quest(..)
            | Self::Staff
            | Self::FirstVisit
            | Self::Chance(_) => false,
            Self::Count(..)
            | Self::Variable(..)
            | Self::Here(_)
            | Self::Clear
            | Self::Night
            | Self::Players
            | Self::Seen => true,
        }
    }
}

/// Word of a condition, perhaps quoted. Quoted words are never keywords.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    quoted: bool,
}

impl Word {
    fn is(&self, keyword: &str) -> bool {
        !self.quoted && self.text == keyword
    }
}

/// Splits a text at blanks, except within quotation marks; `None` if a quotation mark is missing.
fn words(typed: &str) -> Option<Vec<Word>> {
    let (mut words, mut rest) = (Vec::new(), typed.trim_start());
    while !rest.is_empty() {
        let inside = rest.strip_prefix('"');
        let quoted = inside.is_some();
        let (text, after) = match inside {
            Some(inside) => inside.split_once('"')?,
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        words.push(Word { text: text.to_owned(), quoted });
        rest = after.trim_start();
    }
    Some(words)
}

/// Returns the position of the colon that ends a condition: the first outside of quotation marks.
pub(super) fn end(typed: &str) -> Option<usize> {
    let mut quoted = false;
    typed.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"';
        (c == ':' && !quoted).then_some(at)
    })
}

fn test(words: &[Word]) -> Option<(Expected, Test)> {
    let (expected, words) = match words {
        [not, rest @ ..] if not.is("not") => (Expected::No, rest),
        words => (Expected::Yes, words),
    };
    let (verb, arguments) = words.split_first()?;
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    let number = |text: &str| text.parse().ok();
    let test = match (verb.text.as_str(), texts.as_slice()) {
        ("has", [key]) => Test::Has(1, (*key).to_owned()),
        ("has", [count, key]) => Test::Has(number(count).filter(|count| *count > 0)?, (*key).to_owned()),
        ("wears", [key]) => Test::Wears((*key).to_owned()),
        ("count", [what, least]) => Test::Count((*what).to_owned(), number(least)?),
        ("var", [name]) => Test::Variable((*name).to_owned(), Comparison::Equal, "yes".to_owned()),
        ("var", [name, sign, value]) => {
            Test::Variable((*name).to_owned(), Comparison::named(sign)?, (*value).to_owned())
        }
        ("level", [least]) => Test::Level(number(least)?),
        ("party", [least]) => Test::Party(number(least)?),
        ("quest", [key, state]) => Test::Quest((*key).to_owned(), QuestState::of(state)),
        ("here", [key]) => Test::Here((*key).to_owned()),
        ("chance", [percent]) => {
            let percent = number(percent.strip_suffix('%').unwrap_or(percent))?;
            Test::Chance((1..=100).contains(&percent).then_some(percent)?)
        }
        ("clear", []) => Test::Clear,
        ("staff", []) => Test::Staff,
        ("night", []) => Test::Night,
        ("players", []) => Test::Players,
        ("seen", []) => Test::Seen,
        ("first", ["visit"]) => Test::FirstVisit,
        _ => return None,
    };
    Some((expected, test))
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, all) in self.any.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " or " })?;
            for (at, (expected, test)) in all.iter().enumerate() {
                f.write_str(if at == 0 { "" } else { " and " })?;
                f.write_str(if *expected == Expected::No { "not " } else { "" })?;
                test.fmt(f)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Has(1, key) => write!(f, "has {}", quoted(key)),
            Self::Has(count, key) => write!(f, "has {count} {}", quoted(key)),
            Self::Wears(key) => write!(f, "wears {}", quoted(key)),
            Self::Count(what, least) => write!(f, "count {what} {least}"),
            Self::Variable(name, Comparison::Equal, value) if value == "yes" => write!(f, "var {name}"),
            Self::Variable(name, sign, value) => write!(f, "var {name} {} {}", sign.name(), quoted(value)),
            Self::Level(least) => write!(f, "level {least}"),
            Self::Party(least) => write!(f, "party {least}"),
            Self::Quest(key, state) => write!(f, "quest {} {}", quoted(key), quoted(state.name())),
            Self::Here(key) => write!(f, "here {}", quoted(key)),
            Self::Chance(percent) => write!(f, "chance {percent}%"),
            Self::Clear => f.write_str("clear"),
            Self::Staff => f.write_str("staff"),
            Self::Night => f.write_str("night"),
            Self::Players => f.write_str("players"),
            Self::Seen => f.write_str("seen"),
            Self::FirstVisit => f.write_str(FIRST_VISIT),
        }
    }
}

/// Returns a value as it is typed: in quotation marks if it would not be read as one word otherwise.
fn quoted(value: &str) -> String {
    let is_word = !value.is_empty()
        && !matches!(value, "and" | "or" | "not")
        && !value.starts_with('"')
        && !value.contains(|c: char| c.is_whitespace() || c == ':');
    if is_word { value.to_owned() } else { format!("\"{value}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn and_binds_more_tightly_than_or() {
        let read = Condition::parse("has old_key and not var bells >= 3 or clear").expect("a condition");
        let bells = Test::Variable("bells".into(), Comparison::AtLeast, "3".into());
        assert_eq!(
            read.any,
            [
                vec![(Expected::Yes, Test::Has(1, "old_key".into())), (Expected::No, bells)],
                vec![(Expected::Yes, Test::Clear)],
            ]
        );
    }

    #[test]
    fn condition_text_round_trip_is_identical() {
        for words in [
            "has old_key",
            "has 3 rat_tail and not wears brass_ring",
            "count knocks 3 or level 5 and party 2",
            "var mill/bells != 4",
            "var done",
            "var mood = \"very glad: or not\"",
            "not here goat",
            "has \"or\" and not has 2 \"and\"",
            "chance 30%",
            "quest tails active or quest tails rats",
            "night and not players and not seen or staff",
            "first visit and not night",
        ] {
            assert_eq!(Condition::parse(words).expect(words).to_string(), words);
        }
        for (typed, words) in [("  has  1  old_key ", "has old_key"), ("chance 7", "chance 7%")] {
            assert_eq!(Condition::parse(typed).expect(typed).to_string(), words);
        }
    }

    #[test]
    fn texts_that_are_no_condition_are_rejected() {
        for wrong in [
            "", "not", "has", "has two rats", "has 0 rat", "rich", "and", "has key and", "or has key", "var",
            "var a =", "var a == 3", "var a = \"b", "level high", "chance 0%", "chance 101", "clear now",
            "night night", "first", "first time",
        ] {
            assert_eq!(Condition::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_value_survives_a_round_trip(value in "[^\"\\p{C}]{0,12}") {
            let test = Test::Variable("a".into(), Comparison::Below, value);
            let condition = Condition { any: vec![vec![(Expected::Yes, test)]] };
            let typed = condition.to_string();
            prop_assert_eq!(Condition::parse(&typed), Some(condition));
            prop_assert_eq!(end(&format!("{typed}: once")), Some(typed.len()));
        }
    }
}
