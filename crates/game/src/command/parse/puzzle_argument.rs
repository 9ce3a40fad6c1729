//! Arguments of puzzle commands: pushing an object, and trials for builders.

use crate::command::parse::actor::Actor;
use crate::command::parse::argument::{Argument, ArgumentForm};
use crate::command::parse::words::Words;
use crate::refusal::{Refusal, refuse};
use crate::room::puzzle::trial::{PuzzleTrial, puzzle_named, range_words};
use crate::turn::Turn;
use deepwell_core::base::Direction;
use deepwell_core::puzzle::{ParamKind, ParamValue, Puzzle, PuzzleConfig};
use deepwell_core::text::grammar;

/// Default starting might of a trial.
const TRIAL_POWER: i64 = 40;

/// Heavy object and direction: "block east", "the block to the east".
pub(crate) struct Push<'a> {
    pub(crate) what: &'a str,
    pub(crate) direction: Direction,
}

impl<'a> Argument<'a> for Push<'a> {
    const SLOT: ArgumentForm =
        ArgumentForm::Both(&ArgumentForm::One("THING"), &ArgumentForm::One("DIRECTION"));

    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let words = words.required()?;
        let (what, way) = words.last_word().map_or(("", words), |(what, way)| (what.bare(), way));
        let direction = Direction::parse(way.text()).ok_or_else(|| words.missing())?;
        Ok(Self { what: what.trim_end_matches(" to the"), direction })
    }
}

/// Argument of `puzzle`.
pub(crate) enum PuzzleOrder<'a> {
    List,
    Info(&'a str),
    Test(PuzzleTrial),
    Solve,
    Close,
}

impl<'a> Argument<'a> for PuzzleOrder<'a> {
    fn read(turn: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.first_word();
        match verb.text() {
            "" | "list" => Ok(Self::List),
            "info" if rest.is_empty() => Err(Refusal::Missing("puzzle info and the name of a puzzle")),
            "info" => Ok(Self::Info(rest.text())),
            "test" => read_trial(turn, rest).map(Self::Test),
            "solve" => Ok(Self::Solve),
            "close" => Ok(Self::Close),
            _ => Err(words.missing()),
        }
    }
}

/// Parses a puzzle kind and its settings.
fn read_trial(turn: &Turn, words: Words<'_>) -> Result<PuzzleTrial, Refusal> {
    let (name, settings) = words.first_word();
    if name.is_empty() {
        return Err(Refusal::Missing("puzzle test NAME seed=N, and settings such as size_x=7"));
    }
    let puzzle = puzzle_named(turn, name.text())?;
    let (seed, config) = read_settings(&*puzzle, settings.text())?;
    Ok(PuzzleTrial { puzzle, seed, config })
}

/// Splits settings at spaces. A list of texts ends at the next setting: `map=enemy 14, empty | plus 50 seed=7`.
fn split_settings<'w>(puzzle: &dyn Puzzle, typed: &'w str) -> Vec<&'w str> {
    let is_list = |word: &str| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        puzzle
            .description()
            .params
            .iter()
            .any(|param| param.name == name && matches!(param.kind, ParamKind::Texts))
    };
    let mut settings: Vec<&str> = Vec::new();
    let mut rest = typed.trim();
    while !rest.is_empty() {
        let ends = |from: usize| rest[from..].find(char::is_whitespace).map(|at| from + at);
        let mut end = ends(0);
        if is_list(rest) {
            let begins_setting =
                |at: usize| rest[at..].split_whitespace().next().is_none_or(|word| word.contains('='));
            while let Some(at) = end.filter(|at| !begins_setting(*at)) {
                end = ends(at + rest[at..].len() - rest[at..].trim_start().len());
            }
        }
        let (setting, others) = rest.split_at(end.unwrap_or(rest.len()));
        settings.push(setting);
        rest = others.trim_start();
    }
    settings
}

/// Parses settings such as `seed=7 size_x=5 char_power=40`.
fn read_settings(puzzle: &dyn Puzzle, typed: &str) -> Result<(u64, PuzzleConfig), Refusal> {
    let mut seed = 1;
    let mut config = PuzzleConfig::of(puzzle).with_power(TRIAL_POWER);
    for word in split_settings(puzzle, typed) {
        let no = |mistake: &str| refuse!("\"{word}\": {mistake}.");
        let (name, value) = word.split_once('=').ok_or_else(|| no("settings look like size_x=5"))?;
        let number = || value.parse::<u32>().map_err(|_| no("that is no number"));
        match name {
            "seed" => seed = value.parse().map_err(|_| no("that is no number"))?,
            "char_power" if value == "none" => config.char_power = None,
            "char_power" => config.char_power = Some(i64::from(number()?)),
            "players" => config.players = number()?.clamp(1, 8),
            "require_choice" => config.require_choice = value == "true",
            _ => {
                let param = puzzle.description().params.iter().find(|param| param.name == name);
                let param = param.ok_or_else(|| {
                    let names: Vec<&str> =
                        puzzle.description().params.iter().map(|param| &*param.name).collect();
                    no(&format!("{} has {}", puzzle.name(), grammar::or_none(&names.join(", "))))
                })?;
                let read = match param.kind {
                    ParamKind::Number { least, most, .. } => Some(number()?)
                        .filter(|number| (least..=most).contains(number))
                        .map(ParamValue::Number),
                    ParamKind::Truth { .. } => value.parse().ok().map(ParamValue::Truth),
                    ParamKind::Choice(words) => {
                        words.contains(&value).then(|| ParamValue::Word(value.to_owned()))
                    }
                    ParamKind::Texts => {
                        Some(ParamValue::Texts(value.split('|').map(|text| text.trim().to_owned()).collect()))
                    }
                };
                let read = read.ok_or_else(|| no(&format!("it takes {}", range_words(param.kind))))?;
                config = config.with(&param.name, read);
                puzzle.check_param(&param.name, &config).map_err(|error| no(&format!("it {error}")))?;
            }
        }
    }
    Ok((seed, config))
}
