//! Configuration of puzzles: declared parameters and their values.

use crate::data::Reader;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Parameter of a puzzle: read from data, listed by `puzzle info`.
#[derive(Clone, Debug)]
pub struct Param {
    /// Key in `[puzzles.params]`.
    pub name: Cow<'static, str>,
    /// Type and valid values.
    pub kind: ParamKind,
    /// Description in one sentence.
    pub about: Cow<'static, str>,
}

impl Param {
    /// Declares an integer parameter.
    pub const fn number(
        name: &'static str,
        range: RangeInclusive<u32>,
        default: u32,
        about: &'static str,
    ) -> Self {
        let kind = ParamKind::Number { least: *range.start(), most: *range.end(), default };
        Self { name: Cow::Borrowed(name), kind, about: Cow::Borrowed(about) }
    }

    /// Declares a boolean parameter.
    pub const fn truth(name: &'static str, default: bool, about: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind: ParamKind::Truth { default }, about: Cow::Borrowed(about) }
    }

    /// Declares a parameter that is a list of texts.
    pub const fn texts(name: &'static str, about: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind: ParamKind::Texts, about: Cow::Borrowed(about) }
    }

    /// Declares a parameter with a set of keywords; the first is the default.
    pub const fn choice(name: &'static str, words: &'static [&'static str], about: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind: ParamKind::Choice(words), about: Cow::Borrowed(about) }
    }
}

/// Type of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// Integer.
    Number {
        /// Minimum.
        least: u32,
        /// Maximum.
        most: u32,
        /// Default value.
        default: u32,
    },
    /// Boolean.
    Truth {
        /// Default value.
        default: bool,
    },
    /// One of a set of keywords; the first is the default.
    Choice(&'static [&'static str]),
    /// List of texts; empty by default.
    Texts,
}

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamValue {
    /// Integer.
    Number(u32),
    /// Boolean.
    Truth(bool),
    /// Keyword.
    Word(String),
    /// List of texts.
    Texts(Vec<String>),
}

/// Configuration of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleConfig {
    /// Initial might of the party; required by puzzles with might.
    pub char_power: Option<i64>,
    /// Task, in words.
    pub goal: String,
    /// Sound for clients that play sounds.
    pub sound: Option<String>,
    /// Minimum number of players; 1 asks for a form that one player can solve alone.
    pub players: u32,
    /// Set if it must be possible to lose.
    pub require_choice: bool,
    params: BTreeMap<String, ParamValue>,
}

impl PuzzleConfig {
    /// Creates a configuration with all parameters at their defaults, without might.
    pub fn new(params: &[Param], goal: &str) -> Self {
        let params = params.iter().map(|param| (param.name.clone().into_owned(), param.kind.default()));
        Self {
            char_power: None,
            goal: goal.to_owned(),
            sound: None,
            players: 1,
            require_choice: false,
            params: params.collect(),
        }
    }

    /// Sets the initial might.
    #[must_use]
    pub fn with_power(mut self, power: i64) -> Self {
        self.char_power = Some(power);
        self
    }

    /// Sets the value of a parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: ParamValue) -> Self {
        self.params.insert(name.to_owned(), value);
        self
    }

    /// Returns an integer parameter; 0 if it is not declared.
    pub fn number(&self, name: &str) -> u32 {
        if let Some(ParamValue::Number(number)) = self.params.get(name) { *number } else { 0 }
    }

    /// Returns a boolean parameter; `false` if it is not declared.
    pub fn truth(&self, name: &str) -> bool {
        matches!(self.params.get(name), Some(ParamValue::Truth(true)))
    }

    /// Returns a keyword parameter; empty if it is not declared.
    pub fn word(&self, name: &str) -> &str {
        if let Some(ParamValue::Word(word)) = self.params.get(name) { word } else { "" }
    }

    /// Returns a list parameter; empty if it is not declared.
    pub fn texts(&self, name: &str) -> &[String] {
        if let Some(ParamValue::Texts(texts)) = self.params.get(name) { texts } else { &[] }
    }
}

impl ParamKind {
    /// Returns the default value.
    pub fn default(self) -> ParamValue {
        match self {
            Self::Number { default, .. } => ParamValue::Number(default),
            Self::Truth { default } => ParamValue::Truth(default),
            Self::Choice(words) => ParamValue::Word(words.first().copied().unwrap_or_default().to_owned()),
            Self::Texts => ParamValue::Texts(Vec::new()),
        }
    }

    /// Reads the value of a key; the default if the key is absent.
    pub(super) fn read(self, name: &str, reader: &mut Reader<'_>) -> ParamValue {
        match self {
            Self::Number { least, most, default } => {
                ParamValue::Number(reader.number_or(name, least..=most, default))
            }
            Self::Truth { default } => ParamValue::Truth(reader.bool_or(name, default)),
            Self::Choice(words) => {
                let names: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
                let first = words.first().copied().unwrap_or_default();
                ParamValue::Word(reader.choice_or(name, &names, first).to_owned())
            }
            Self::Texts => ParamValue::Texts(reader.texts(name, 0)),
        }
    }
}
