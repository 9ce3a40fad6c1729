//! Puzzles that are written down and not programmed: a folder `content/puzzles/NAME` with a file `puzzle.toml` in it, which is all
//! that one needs to drop in. `file.rs` reads it, `build.rs` makes layouts of it, and a solution that stands beside it is
//! played before anybody else plays. `scripted.rs` is a puzzle that a program writes.

mod build;
mod file;
mod scripted;

pub use file::Listing;
pub use scripted::Scripted;

use crate::base::{Dice, Seed};
use crate::data::{CatalogError, Position, Reader};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Board;
use super::check::{features, flaws};
use super::config::{Config, Param, ParamKind};
use super::error::SettingError;
use super::feature::{Feature, Goal};
use super::follow::follow;
use super::kind::Puzzle;
use super::mechanism::Outcome;
use super::search::search_losable;
use super::solution::Verdict;
use build::Order;
use file::{File, Number};

/// The file in a folder of a puzzle.
const FILE: &str = "puzzle.toml";
/// Bytes of such a file at most.
const BYTES_MAX: usize = 65_536;
/// States that are looked at for a way to lose.
const STATES_MAX: u32 = 50_000;

/// A puzzle out of a folder of content.
#[derive(Clone, Debug)]
pub struct Written {
    name: String,
    file: Arc<File>,
    params: Vec<Param>,
    features: Vec<Feature>,
}

impl Written {
    /// The puzzle of a file of content at a path below `content/`; none if it is no file of such a puzzle, or no TOML.
    pub fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Self> {
        let name = folder_of(path, text, (FILE, crate::data::SUFFIX), mistakes)?;
        let start = Position::start(path);
        let before = mistakes.len();
        let file = Reader::whole(path, text, mistakes, |file| File::read(file, 1))?;
        let params = file.numbers.iter().map(param).collect();
        let mut puzzle = Self { name: name.to_owned(), file: Arc::new(file), params, features: Vec::new() };
        if mistakes.len() == before {
            puzzle.check(&start, mistakes);
        }
        Some(puzzle)
    }

    /// Builds it in every order in which each of its shuffled words comes to stand everywhere, and plays its solution in each.
    fn check(&mut self, start: &Position, mistakes: &mut Vec<CatalogError>) {
        let config = Config::of(self);
        for turn in 0..self.file.longest_shuffle().max(1) {
            let mut found = Vec::new();
            let board = build::build(&self.file, &self.rotated(turn), &config, &mut found);
            self.features.extend(features(&board));
            self.features.sort_unstable();
            self.features.dedup();
            if found.is_empty() {
                let flaws = flaws(self, &board).into_iter();
                found.extend(flaws.map(|flaw| CatalogError::new(start, flaw, "")));
            }
            if found.is_empty() {
                found.extend(self.astray(&board));
            }
            if !found.is_empty() {
                mistakes.append(&mut found);
                return;
            }
        }
    }

    /// Where the solution goes wrong in a layout: the line of the file that says so.
    fn astray(&self, board: &Board) -> Option<CatalogError> {
        let line = follow(board).err()?.line;
        let lines = &self.file.solution;
        let place = lines.get(line).or(lines.last()).map(|line| line.place.clone());
        astray(board, &place.unwrap_or_default())
    }

    fn rotated(&self, by: usize) -> Order {
        let turn = |(name, words): (&String, &Vec<String>)| {
            let mut words = words.clone();
            let by = by % words.len().max(1);
            words.rotate_left(by);
            (name.clone(), words)
        };
        self.file.shuffles.iter().map(turn).collect()
    }

    fn shuffled(&self, seed: Seed) -> Order {
        let mut order = BTreeMap::new();
        for (name, words) in &self.file.shuffles {
            let mut words = words.clone();
            seed.named(&self.name).named(name).rng().shuffle(&mut words);
            order.insert(name.clone(), words);
        }
        order
    }
}

impl Puzzle for Written {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.file.about
    }

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn goals(&self) -> &[Goal] {
        &[Goal::ReachFinish]
    }

    fn params(&self) -> &[Param] {
        &self.params
    }

    fn sound(&self) -> Option<&str> {
        self.file.sound.as_deref()
    }

    fn listings(&self) -> &[Listing] {
        &self.file.themes
    }

    fn check_config(&self, config: &Config) -> Result<(), SettingError> {
        let tries = self.file.tries.value(config);
        let can_slip = || {
            let board = build::build(&self.file, &self.rotated(0), config, &mut Vec::new());
            let mut things = board.cells.iter().flat_map(|cell| &cell.mechanisms);
            things.any(|thing| thing.outcomes().any(|outcome| *outcome == Outcome::Mistake))
        };
        if config.require_choice && (tries == 0 || !can_slip()) {
            return Err(SettingError::new(format!("there is no way to lose {}", self.name)));
        }
        Ok(())
    }

    fn generate(&self, seed: Seed, config: &Config) -> Board {
        build::build(&self.file, &self.shuffled(seed), config, &mut Vec::new())
    }

    fn solve(&self, layout: &Board, config: &Config) -> Verdict {
        let losable = config.require_choice && search_losable(layout, 1, STATES_MAX).losable;
        Verdict { solution: follow(layout).ok(), losable, ..Verdict::default() }
    }
}

/// The name of the puzzle whose folder a file of content lies in, if it is the file that folders of this kind have.
fn folder_of<'p>(
    path: &'p str,
    text: &str,
    (wanted, suffix): (&str, &str),
    mistakes: &mut Vec<CatalogError>,
) -> Option<&'p str> {
    let (name, file) = path.strip_prefix("puzzles/")?.split_once('/')?;
    let start = Position::start(path);
    if file != wanted {
        if path.ends_with(suffix) {
            let wrong = format!("`{file}` is no file of a puzzle");
            mistakes.push(CatalogError::new(&start, wrong, wanted).with_nearest(Some(wanted)));
        }
        return None;
    }
    if text.len() > BYTES_MAX {
        let wrong = format!("the file has {} bytes", text.len());
        mistakes.push(CatalogError::new(&start, wrong, format!("at most {BYTES_MAX}")));
        return None;
    }
    if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
        let wrong = format!("`{name}` is no name of a puzzle");
        let expected = "a folder named in small letters, digits and `_`";
        mistakes.push(CatalogError::new(&start, wrong, expected));
    }
    Some(name)
}

/// Where the solution of a layout goes wrong, told at a place.
fn astray(board: &Board, place: &Position) -> Option<CatalogError> {
    let astray = follow(board).err()?;
    let nearest = board.solution.get(astray.line).and_then(|line| {
        let possible = astray.possible.iter().map(String::as_str);
        crate::text::nearest(line, possible).map(str::to_owned)
    });
    let expected = format!("one of {}", astray.possible.join(", "));
    let wrong = format!("the solution does not work: {}", astray.wrong);
    Some(CatalogError::new(place, wrong, expected).with_nearest(nearest))
}

/// The parameter that a number is.
fn param(number: &Number) -> Param {
    Param {
        name: Cow::Owned(number.name.clone()),
        kind: ParamKind::Number { least: number.least, most: number.most, default: number.default },
        about: Cow::Owned(number.about.clone()),
    }
}
