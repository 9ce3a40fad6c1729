//! Conditions of scripts and spawn points: tests joined by `and`, `or` and `not`, with parsing and formatting. `and` binds
//! more tightly than `or`.

use crate::catalog::references::Referent::{self, Creature, Item, Quest};
use crate::catalog::script::variable::{Comparison, VariableUse};
use crate::catalog::script::verbs::ArgumentKind::{
    self, Count, Key, Number, Step, Unit, Variable, Word as OneWord,
};
use crate::catalog::script::verbs::{ScriptVerb, VerbArgument, VerbArguments, verbs};
use crate::data::{CatalogError, Reader};
use std::fmt;

/// Required result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedResult {
    /// The test must hold.
    Yes,
    /// The test must not hold.
    No,
}

verbs! {
    /// A fact that a condition checks. The target is the character that triggered the script.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Test as quoted {
        /// The target carries that many of the item; for a coin, the purse holds the value.
        Has(count: u32 = Count(u32::MAX), key: String = Key(Item)) = "has" "[NUMBER] KEY",
        /// The target wears or wields the item.
        Wears(key: String = Key(Item)) = "wears" "KEY",
        /// The counter of the room is at least that number.
        Count(counter: String = OneWord, least: u32 = AT_LEAST) = "count" "WORD NUMBER",
        /// The variable has that value; also `!=`, and for numbers `<`, `<=`, `>` and `>=`. Without a value: the flag
        /// is `yes`.
        Variable(name: String = Variable, value: ComparedValue = OneWord) = "var" "NAME [= VALUE]",
        /// The target has at least that level.
        Level(least: u32 = AT_LEAST) = "level" "NUMBER",
        /// The party of the target has at least that many members; a character without a party counts as one.
        Party(least: u32 = AT_LEAST) = "party" "NUMBER",
        /// The quest of the target is `open`, `active` or `done`, or one of its steps, by key, is done.
        Quest(key: String = Key(Quest), state: QuestState = Step) = "quest" "KEY STATE",
        /// A creature of that kind is in the room.
        Here(key: String = Key(Creature)) = "here" "KEY",
        /// In that many of 100 cases.
        Chance(percent: u32 = Unit(100, '%')) = "chance" "NUMBER%",
        /// No creature is in the room.
        Clear = "clear",
        /// The target is a member of staff.
        Staff = "staff",
        /// It is night in the town.
        Night = "night",
        /// A player is in the zone of the room.
        Players = "players",
        /// A player is in the room.
        Seen = "seen",
        /// The target has not been in this hand-built room before this stay.
        FirstVisit = FIRST_VISIT,
    }
}

/// Number that a counter, a level or a party must reach.
const AT_LEAST: ArgumentKind = Number(0, u32::MAX);

/// Comparison of a variable, and the value to which it is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparedValue(pub Comparison, pub String);

/// A condition: alternatives, of which one must hold. An alternative holds if all its tests have the required results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Alternatives; never empty, and none is empty.
    pub any: Vec<Vec<(ExpectedResult, Test)>>,
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

impl VerbArgument for QuestState {
    fn read(_: ArgumentKind, arguments: &mut VerbArguments<'_>) -> Option<Self> {
        Some(match arguments.words.next()? {
            "open" => Self::Open,
            "active" => Self::Active,
            "done" => Self::Done,
            step => Self::Step(step.to_owned()),
        })
    }

    fn print(&self, _: ArgumentKind, quote: fn(&str) -> String) -> String {
        quote(match self {
            Self::Open => "open",
            Self::Active => "active",
            Self::Done => "done",
            Self::Step(step) => step,
        })
    }

    fn text(&self) -> Option<&String> {
        if let Self::Step(step) = self { Some(step) } else { None }
    }
}

impl VerbArgument for ComparedValue {
    fn read(_: ArgumentKind, arguments: &mut VerbArguments<'_>) -> Option<Self> {
        match *std::mem::take(&mut arguments.words).as_slice() {
            [] => Some(Self(Comparison::Equal, "yes".to_owned())),
            [sign, value] => Some(Self(Comparison::named(sign)?, value.to_owned())),
            _ => None,
        }
    }

    fn print(&self, _: ArgumentKind, quote: fn(&str) -> String) -> String {
        match self {
            Self(Comparison::Equal, value) if value == "yes" => String::new(),
            Self(sign, value) => format!("{} {}", sign.name(), quote(value)),
        }
    }
}

/// Form of the test for a first visit, by which a stored line that has one is recognised.
pub const FIRST_VISIT: &str = "first visit";

/// Returns the forms of all tests, for error messages.
pub fn tests() -> String {
    let forms = Test::forms();
    let [others @ .., last] = forms.as_slice() else { return String::new() };
    format!("{} or {last}, joined with and, or and not", others.join(", "))
}

impl Condition {
    /// Reads the condition in a field; `None` if there is none, or an invalid one, which has been recorded.
    pub(in crate::catalog) fn read(table: &mut Reader<'_>, name: &str) -> Option<Self> {
        let (place, typed) = table.text_if_any(name)?;
        let read = Self::parse(&typed);
        if read.is_none() {
            table.note(CatalogError::new(&place, format!("`{typed}` is no condition"), tests()));
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

    /// Returns the texts of all tests, with their kinds.
    pub(in crate::catalog) fn texts(&self) -> impl Iterator<Item = (ArgumentKind, &String)> {
        self.tests().flat_map(ScriptVerb::texts)
    }

    /// Returns the same for editing.
    pub(in crate::catalog) fn texts_mut(&mut self) -> impl Iterator<Item = (ArgumentKind, &mut String)> {
        self.any.iter_mut().flatten().flat_map(|(_, test)| test.texts_mut())
    }

    /// Returns the uses of variables.
    pub fn variables(&self) -> impl Iterator<Item = VariableUse<'_>> {
        self.tests().filter_map(|test| match test {
            Test::Variable(name, ComparedValue(sign, value)) => {
                Some(VariableUse::Compare(name, *sign, value))
            }
            _ => None,
        })
    }

    /// Returns all references to other content.
    pub fn names(&self) -> impl Iterator<Item = (Referent, &str)> {
        self.texts().filter_map(|(kind, text)| Some((kind.referent()?, text.as_str())))
    }
}

impl Test {
    /// Returns `true` if a spawn point can ask for it: without a target and without dice.
    pub const fn fits_spawn(&self) -> bool {
        matches!(
            self,
            Self::Count(..)
                | Self::Variable(..)
                | Self::Here(_)
                | Self::Clear
                | Self::Night
                | Self::Players
                | Self::Seen
        )
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
pub(in crate::catalog) fn end(typed: &str) -> Option<usize> {
    let mut quoted = false;
    typed.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"';
        (c == ':' && !quoted).then_some(at)
    })
}

fn test(words: &[Word]) -> Option<(ExpectedResult, Test)> {
    let (expected, words) = match words {
        [not, rest @ ..] if not.is("not") => (ExpectedResult::No, rest),
        words => (ExpectedResult::Yes, words),
    };
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let mut words = words.into_iter();
    let verb = match words.as_slice() {
        ["first", "visit"] => words.nth(1).map(|_| FIRST_VISIT)?,
        _ => words.next()?,
    };
    let whole = if let [one] = words.as_slice() { one } else { "" };
    Some((expected, Test::read(verb, &mut VerbArguments { whole, words })?))
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, all) in self.any.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " or " })?;
            for (at, (expected, test)) in all.iter().enumerate() {
                f.write_str(if at == 0 { "" } else { " and " })?;
                f.write_str(if *expected == ExpectedResult::No { "not " } else { "" })?;
                test.fmt(f)?;
            }
        }
        Ok(())
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
        let bells = Test::Variable("bells".into(), ComparedValue(Comparison::AtLeast, "3".into()));
        assert_eq!(
            read.any,
            [
                vec![(ExpectedResult::Yes, Test::Has(1, "old_key".into())), (ExpectedResult::No, bells)],
                vec![(ExpectedResult::Yes, Test::Clear)],
            ]
        );
    }

    #[test]
    fn condition_text_round_trip_is_identical() {
        for text in [
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
            assert_eq!(Condition::parse(text).expect(text).to_string(), text);
        }
        for (typed, text) in [("  has  1  old_key ", "has old_key"), ("chance 7", "chance 7%")] {
            assert_eq!(Condition::parse(typed).expect(typed).to_string(), text);
        }
    }

    #[test]
    fn texts_that_are_no_condition_are_rejected() {
        for text in [
            "", "not", "has", "has two rats", "has 0 rat", "rich", "and", "has key and", "or has key", "var",
            "var a =", "var a == 3", "var a = \"b", "level high", "chance 0%", "chance 101", "clear now",
            "night night", "first", "first time",
        ] {
            assert_eq!(Condition::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_value_survives_a_round_trip(value in "[^\"\\p{C}]{0,12}") {
            let test = Test::Variable("a".into(), ComparedValue(Comparison::Below, value));
            let condition = Condition { any: vec![vec![(ExpectedResult::Yes, test)]] };
            let typed = condition.to_string();
            prop_assert_eq!(Condition::parse(&typed), Some(condition));
            prop_assert_eq!(end(&format!("{typed}: once")), Some(typed.len()));
        }
    }
}
