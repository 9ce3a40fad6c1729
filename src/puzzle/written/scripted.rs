//! A puzzle whose rooms a program draws: a folder `content/puzzles/NAME` with a file `puzzle.luau` in it. What its function
//! `generate` gives back has the keys of a written puzzle, and is read, proved and played like one: the program is done when the
//! rooms are drawn.

use super::super::Board;
use super::super::check::{features, flaws};
use super::super::config::{Config, Param};
use super::super::error::SettingError;
use super::super::feature::{Feature, Goal};
use super::super::follow::follow;
use super::super::kind::Puzzle;
use super::super::search::{search, search_losable};
use super::super::solution::Verdict;
use super::build;
use super::file::{File, Head};
use super::{Listing, STATES_MAX, astray, folder_of, param};
use crate::base::Seed;
use crate::data::{CatalogError, Position, Reader};
use crate::script::{LaidOut, Program, ScriptLimits, Value};
use std::collections::BTreeMap;

/// The file in a folder of such a puzzle.
const FILE: &str = "puzzle.luau";
/// The function that draws.
const GENERATE: &str = "generate";
/// Layouts that are drawn when the file is read, so that its author is told what players would not see.
const CHECKED: u64 = 4;
/// Layouts that are drawn in play before a plain one stands in: each costs a call.
const TRIES: u32 = 4;
/// States that are looked at for a solution where the program gives none.
const SEARCHED: u32 = 20_000;

/// A puzzle out of a program of content.
#[derive(Clone, Debug)]
pub struct Scripted {
    name: String,
    head: Head,
    program: Program,
    params: Vec<Param>,
    features: Vec<Feature>,
}

impl Scripted {
    /// The puzzle of a file of content at a path below `content/`; none if it is no file of such a puzzle, or no program.
    pub fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Self> {
        let name = folder_of(path, text, (FILE, crate::script::SUFFIX), mistakes)?;
        let program = Program::compile(path, text).map_err(|mistake| mistakes.push(mistake)).ok()?;
        let before = mistakes.len();
        let laid = LaidOut::of(program.data());
        let mut found = Vec::new();
        let head = Reader::whole(path, &laid.text, &mut found, Head::read);
        mistakes.extend(found.into_iter().map(|mistake| laid.placed_in_source(mistake, text)));
        let mut head = head?;
        for listing in &mut head.themes {
            listing.place = laid.place_in_source(&listing.place, text);
        }
        if !program.functions().any(|function| function == GENERATE) {
            let wrong = format!("the function `{GENERATE}` is missing");
            mistakes.push(CatalogError::new(
                &Position::start(path),
                wrong,
                "a function that draws the rooms",
            ));
        }
        let params = head.numbers.iter().map(param).collect();
        let mut puzzle = Self { name: name.to_owned(), head, program, params, features: Vec::new() };
        if mistakes.len() == before {
            puzzle.check(mistakes);
        }
        Some(puzzle)
    }

    /// Draws some layouts and solves them.
    fn check(&mut self, mistakes: &mut Vec<CatalogError>) {
        let config = Config::of(self);
        let place = self.program.place_of(GENERATE);
        for seed in 0..CHECKED {
            let board = match self.draw(Seed(seed), &config) {
                Ok(board) => board,
                Err(mut found) => return mistakes.append(&mut found),
            };
            self.features.extend(features(&board));
            self.features.sort_unstable();
            self.features.dedup();
            let flaw = flaws(self, &board).into_iter().next();
            let unsolved = || {
                if board.solution.is_empty() {
                    let solved = search(&board, 1, SEARCHED).solution.is_some();
                    return (!solved).then(|| CatalogError::new(&place, "no solution was found", ""));
                }
                astray(&board, &place)
            };
            let wrong = flaw.map(|flaw| CatalogError::new(&place, flaw, "")).or_else(unsolved);
            if let Some(mut wrong) = wrong {
                wrong.wrong = format!("with the seed {seed}, {}", wrong.wrong);
                return mistakes.push(wrong);
            }
        }
    }

    /// A layout, or everything that is wrong with what the program drew.
    fn draw(&self, seed: Seed, config: &Config) -> Result<Board, Vec<CatalogError>> {
        let number =
            |param: &Param| (param.name.to_string(), Value::Number(config.number(&param.name).into()));
        let numbers = Value::table(self.params.iter().map(number));
        let seed = seed.named(&self.name);
        let drawn = self.program.call(GENERATE, &[numbers], seed, &ScriptLimits::default());
        let place = self.program.place_of(GENERATE);
        let Value::Table(mut entries) = drawn.map_err(|fault| vec![fault.into()])? else {
            let wrong = format!("`{GENERATE}` does not give back a table");
            return Err(vec![CatalogError::new(&place, wrong, "one with rooms, ways and things")]);
        };
        entries.insert("about".into(), Value::text(&self.head.about));
        let laid = LaidOut::of(&entries);
        let mut found = Vec::new();
        let file = Reader::whole(self.program.file(), &laid.text, &mut found, |file| File::read(file, 0));
        let board = file.map(|file| build::build(&file, &BTreeMap::new(), config, &mut found));
        match board {
            Some(board) if found.is_empty() => Ok(board),
            _ => Err(found.into_iter().map(|mistake| laid.placed_at(mistake, &place)).collect()),
        }
    }
}

impl Puzzle for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.head.about
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
        self.head.sound.as_deref()
    }

    fn listings(&self) -> &[Listing] {
        &self.head.themes
    }

    fn tries(&self) -> u32 {
        TRIES
    }

    fn check_config(&self, config: &Config) -> Result<(), SettingError> {
        let losable = || self.draw(Seed(0), config).is_ok_and(|board| board.tries.is_some());
        if config.require_choice && !losable() {
            return Err(SettingError::new(format!("there is no way to lose {}", self.name)));
        }
        Ok(())
    }

    /// What cannot be drawn is a layout without rooms, which nothing lets pass.
    fn generate(&self, seed: Seed, config: &Config) -> Board {
        self.draw(seed, config).unwrap_or_default()
    }

    fn solve(&self, layout: &Board, config: &Config) -> Verdict {
        let mut verdict = if layout.solution.is_empty() {
            search(layout, 1, SEARCHED)
        } else {
            Verdict { solution: follow(layout).ok(), ..Verdict::default() }
        };
        verdict.losable = config.require_choice && search_losable(layout, 1, STATES_MAX).losable;
        verdict
    }
}
