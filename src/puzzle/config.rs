//! How a puzzle is set up: the parameters that it declares, their values, and its line in a theme's list.

use crate::data::{CatalogError, Place, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Puzzle, Registry};

/// A parameter of a puzzle: read from data, listed by `puzzle info`.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its key in `[puzzles.params]`.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParamKind,
    /// What it does, in a sentence.
    pub about: &'static str,
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
    /// All parameters of a puzzle at their defaults, without a might.
    pub fn of(puzzle: &dyn Puzzle) -> Self {
        let params = puzzle.params().iter().map(|param| (param.name.to_owned(), param.kind.default()));
        Self {
            char_power: None,
            goal: puzzle.about().to_owned(),
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

    fn read(self, name: &str, reader: &mut Reader<'_>) -> Value {
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

/// A line of a theme's list of puzzles.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which puzzle.
    pub puzzle: Arc<dyn Puzzle>,
    /// How it is set up.
    pub config: Config,
    /// How often it comes, against the others.
    pub weight: u32,
    /// The least and the greatest difficulty at which it comes.
    pub difficulty: (u32, u32),
    /// Where the line is.
    pub place: Place,
}

impl Entry {
    /// An entry that is in no file, for tests and builders.
    pub fn new(puzzle: Arc<dyn Puzzle>, config: Config) -> Self {
        Self { puzzle, config, weight: 1, difficulty: (0, u32::MAX), place: Place::default() }
    }

    /// Whether it comes at a difficulty.
    pub fn is_for(&self, difficulty: u32) -> bool {
        (self.difficulty.0..=self.difficulty.1).contains(&difficulty)
    }

    /// Reads a line of `[[puzzles]]`; none if there is no puzzle of that name.
    pub fn read(reader: &mut Reader<'_>, registry: &Registry) -> Option<Self> {
        let place = reader.place_of("kind");
        let kind = reader.text("kind");
        let found = registry.find(&kind);
        if found.is_none() && !kind.is_empty() {
            reader.note(CatalogError::unknown_name(&place, "puzzle", &kind, registry.names()));
        }
        let puzzle = found?;
        let mut config = Config::of(&*puzzle);
        let power = reader.number_if_any("char_power", &(1..=1_000_000));
        config.char_power = power.map(i64::from);
        config.goal = reader.text_or("goal", || puzzle.about().to_owned());
        config.sound = reader.text_if_any("sound").map(|(_, sound)| sound);
        config.players = reader.number_or("players", 1..=8, 1);
        config.require_choice = reader.truth_or("require_choice", false);
        let weight = reader.number_or("weight", 1..=1_000, 1);
        let least = reader.number_or("first_difficulty", 0..=10_000, 0);
        let most = reader.number_or("last_difficulty", least..=10_000, 10_000);
        if let Some(mut params) = reader.table_if_any("params") {
            for param in puzzle.params() {
                let at = params.place_of(param.name);
                let value = param.kind.read(param.name, &mut params);
                config = config.with(param.name, value);
                if let Err(wrong) = puzzle.check_param(param.name, &config) {
                    params.note(CatalogError::new(&at, format!("`{}` {wrong}", param.name), param.about));
                }
            }
            params.finish();
        }
        Some(Self { puzzle, config, weight, difficulty: (least, most), place })
    }
}
