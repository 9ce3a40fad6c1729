//! How a puzzle is set up: the parameters that it declares, and their values.

use crate::data::Reader;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A parameter of a puzzle: read from data, listed by `puzzle info`.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its key in `[puzzles.params]`.
    pub name: Cow<'static, str>,
    /// What values it takes.
    pub kind: ParamKind,
    /// What it does, in a sentence.
    pub about: Cow<'static, str>,
}

impl Param {
    /// A whole number.
    pub const fn number(
        name: &'static str,
        range: RangeInclusive<u32>,
        default: u32,
        about: &'static str,
    ) -> Self {
        let kind = ParamKind::Number { least: *range.start(), most: *range.end(), default };
        Self { name: Cow::Borrowed(name), kind, about: Cow::Borrowed(about) }
    }

    /// Yes or no.
    pub const fn truth(name: &'static str, default: bool, about: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind: ParamKind::Truth { default }, about: Cow::Borrowed(about) }
    }

    /// A list of texts.
    pub const fn texts(name: &'static str, about: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind: ParamKind::Texts, about: Cow::Borrowed(about) }
    }

    /// One of a few words; the first stands for none.
    pub const fn choice(name: &'static str, words: &'static [&'static str], about: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind: ParamKind::Choice(words), about: Cow::Borrowed(about) }
    }
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A whole number.
    Number {
        /// The least.
        least: u32,
        /// The greatest.
        most: u32,
        /// What stands for none.
        default: u32,
    },
    /// Yes or no.
    Truth {
        /// What stands for none.
        default: bool,
    },
    /// One of a few words; the first stands for none.
    Choice(&'static [&'static str]),
    /// A list of texts; empty if absent.
    Texts,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Number(u32),
    /// Yes or no.
    Truth(bool),
    /// A word.
    Word(String),
    /// Texts.
    Texts(Vec<String>),
}

/// What a puzzle is made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The might that a party begins with; a puzzle of might does without no layout.
    pub char_power: Option<i64>,
    /// What there is to do, in words.
    pub goal: String,
    /// A sound for clients that play sounds.
    pub sound: Option<String>,
    /// How many players there are at least: 1 asks for a form that one player can solve alone.
    pub players: u32,
    /// Whether there must be a way to lose.
    pub require_choice: bool,
    params: BTreeMap<String, Value>,
}

impl Config {
    /// These parameters at their defaults, without a might.
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

    /// The same with a might to begin with.
    #[must_use]
    pub fn with_power(mut self, power: i64) -> Self {
        self.char_power = Some(power);
        self
    }

    /// The same with another value of a parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.params.insert(name.to_owned(), value);
        self
    }

    /// A number that the puzzle declares; 0 if it does not.
    pub fn number(&self, name: &str) -> u32 {
        if let Some(Value::Number(number)) = self.params.get(name) { *number } else { 0 }
    }

    /// A yes or no that the puzzle declares.
    pub fn truth(&self, name: &str) -> bool {
        matches!(self.params.get(name), Some(Value::Truth(true)))
    }

    /// A word that the puzzle declares; empty if it does not.
    pub fn word(&self, name: &str) -> &str {
        if let Some(Value::Word(word)) = self.params.get(name) { word } else { "" }
    }

    /// A list of texts that the puzzle declares.
    pub fn texts(&self, name: &str) -> &[String] {
        if let Some(Value::Texts(texts)) = self.params.get(name) { texts } else { &[] }
    }
}

impl ParamKind {
    /// What stands for none.
    pub fn default(self) -> Value {
        match self {
            Self::Number { default, .. } => Value::Number(default),
            Self::Truth { default } => Value::Truth(default),
            Self::Choice(words) => Value::Word(words.first().copied().unwrap_or_default().to_owned()),
            Self::Texts => Value::Texts(Vec::new()),
        }
    }

    /// Reads a value under a key; what stands for none if the key is not there.
    pub(super) fn read(self, name: &str, reader: &mut Reader<'_>) -> Value {
        match self {
            Self::Number { least, most, default } => {
                Value::Number(reader.number_or(name, least..=most, default))
            }
            Self::Truth { default } => Value::Truth(reader.truth_or(name, default)),
            Self::Choice(words) => {
                let names: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
                let first = words.first().copied().unwrap_or_default();
                Value::Word(reader.choice_or(name, &names, first).to_owned())
            }
            Self::Texts => Value::Texts(reader.texts(name, 0)),
        }
    }
}
