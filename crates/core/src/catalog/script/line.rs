//! One line of a script, `[if CONDITION: | then | else [if CONDITION:]] [N%] VERB REST`: parsing and formatting.

use crate::catalog::script::condition::{self, Condition};
use crate::catalog::script::deed::ScriptDeed;
use crate::catalog::script::verbs::{ArgumentKind, ScriptVerb as _, VerbArguments, VerbRow};
use crate::data::Mistake;
use crate::text::nearest_within;
use std::fmt;

/// Part of a line that decides whether it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The line always runs.
    Always,
    /// The line runs if a condition holds.
    If(Condition),
    /// The line runs if no condition before it, in the same chain, held, and this one does.
    ElseIf(Condition),
    /// The line runs if no condition before it, in the same chain, held.
    Else,
    /// The line runs if the line with a condition before it did.
    Then,
}

/// A line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Condition, or reference to that of an earlier line.
    pub guard: Guard,
    /// Chance that the line runs, in percent.
    pub percent: u32,
    /// Action.
    pub deed: ScriptDeed,
}

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptPlace {
    /// Line from 1.
    pub line: usize,
    /// Column in characters from 1.
    pub column: usize,
}

/// An error in a script.
pub type ScriptMistake = Mistake<ScriptPlace>;

impl fmt::Display for ScriptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Guard {
    /// Returns the condition, if the guard has one.
    pub const fn condition(&self) -> Option<&Condition> {
        match self {
            Self::If(condition) | Self::ElseIf(condition) => Some(condition),
            Self::Always | Self::Else | Self::Then => None,
        }
    }

    /// Returns `true` if the guard refers to an earlier line.
    pub const fn continues(&self) -> bool {
        matches!(self, Self::ElseIf(_) | Self::Else | Self::Then)
    }
}

/// Line that is being parsed, with its number for errors.
struct ScriptLineParser<'t> {
    number: usize,
    text: &'t str,
}

impl<'t> ScriptLineParser<'t> {
    /// Returns an error at the beginning of `rest`, which is a part of the line.
    fn fail(&self, rest: &str, mistake: String, expected: &str) -> ScriptMistake {
        let before = self.text.len() - rest.len();
        let column = self.text.get(..before).map_or(0, |before| before.chars().count()) + 1;
        ScriptMistake::new(&ScriptPlace { line: self.number, column }, mistake, expected)
    }

    /// Parses the guard, and returns the rest of the line.
    fn guard(&self) -> Result<(Guard, &'t str), ScriptMistake> {
        let trimmed = self.text.trim_start();
        if let Some(rest) = trimmed.strip_prefix("if ") {
            let (condition, rest) = self.condition(rest)?;
            return Ok((Guard::If(condition), rest));
        }
        match word(trimmed) {
            ("then", rest) => Ok((Guard::Then, rest)),
            ("else", rest) => match rest.strip_prefix("if ") {
                Some(rest) => {
                    let (condition, rest) = self.condition(rest)?;
                    Ok((Guard::ElseIf(condition), rest))
                }
                None => Ok((Guard::Else, rest)),
            },
            _ => Ok((Guard::Always, trimmed)),
        }
    }

    /// Parses a condition up to its colon, and returns the rest of the line.
    fn condition(&self, rest: &'t str) -> Result<(Condition, &'t str), ScriptMistake> {
        let read = condition::end(rest).and_then(|end| {
            let (text, rest) = rest.split_at(end);
            Some((Condition::parse(text)?, rest[1..].trim_start()))
        });
        read.ok_or_else(|| {
            let expected = format!("`if CONDITION:` with {}", condition::tests());
            self.fail(rest, "the condition does not fit".into(), &expected)
        })
    }

    /// Parses the chance, and returns the rest of the line.
    fn percent(&self, rest: &'t str) -> Result<(u32, &'t str), ScriptMistake> {
        let (first, after) = word(rest);
        let Some(number) = first.strip_suffix('%') else { return Ok((100, rest)) };
        let percent = number.parse().ok().filter(|percent| (1..=100).contains(percent));
        percent
            .map(|percent| (percent, after))
            .ok_or_else(|| self.fail(rest, format!("`{first}` does not fit"), "a chance from 1% to 100%"))
    }

    fn deed(&self, rest: &'t str) -> Result<ScriptDeed, ScriptMistake> {
        let (name, tail) = word(rest);
        let Some(VerbRow { form: needs, .. }) = ScriptDeed::ROWS.iter().find(|row| row.verb == name) else {
            let names: Vec<&str> = ScriptDeed::names().collect();
            let message =
                if name.is_empty() { "a verb is missing".into() } else { format!("unknown verb `{name}`") };
            let mistake = self.fail(rest, message, &format!("one of {}", names.join(", ")));
            return Err(mistake.with_nearest(nearest_within(1, name, names)));
        };
        let tail = tail.trim_end();
        ScriptDeed::read(name, &mut VerbArguments::of(tail))
            .ok_or_else(|| self.fail(tail, format!("`{name}` needs {needs}"), ""))
    }
}

impl ScriptLine {
    /// Maximum length in characters.
    pub const CHARS_MAX: usize = 400;

    /// Parses a line; `number` is its line number for errors.
    pub(in crate::catalog) fn read(number: usize, text: &str) -> Result<Self, ScriptMistake> {
        let typed = ScriptLineParser { number, text };
        if text.chars().count() > Self::CHARS_MAX {
            let expected = format!("at most {} letters", Self::CHARS_MAX);
            return Err(typed.fail(text, "the line is too long".into(), &expected));
        }
        let (guard, rest) = typed.guard()?;
        let (percent, rest) = typed.percent(rest)?;
        Ok(Self { guard, percent, deed: typed.deed(rest)? })
    }

    /// Returns the texts of its condition and its action, with their kinds.
    pub(in crate::catalog) fn texts(&self) -> impl Iterator<Item = (ArgumentKind, &String)> {
        self.guard.condition().into_iter().flat_map(Condition::texts).chain(self.deed.texts())
    }

    /// Returns the same for editing.
    pub(in crate::catalog) fn texts_mut(&mut self) -> impl Iterator<Item = (ArgumentKind, &mut String)> {
        let condition = match &mut self.guard {
            Guard::If(condition) | Guard::ElseIf(condition) => Some(condition),
            Guard::Always | Guard::Else | Guard::Then => None,
        };
        condition.into_iter().flat_map(Condition::texts_mut).chain(self.deed.texts_mut())
    }
}

impl fmt::Display for ScriptLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.guard {
            Guard::Always => {}
            Guard::If(condition) => write!(f, "if {condition}: ")?,
            Guard::ElseIf(condition) => write!(f, "else if {condition}: ")?,
            Guard::Else => f.write_str("else ")?,
            Guard::Then => f.write_str("then ")?,
        }
        if self.percent < 100 {
            write!(f, "{}% ", self.percent)?;
        }
        self.deed.fmt(f)
    }
}

/// Splits off the first word; blanks between it and the rest are dropped.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    (word, rest.trim_start())
}
