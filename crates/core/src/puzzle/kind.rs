//! Common interface of all puzzles. Independent of the set of puzzles.

use super::error::{BoardError, SettingError};
use crate::base::Seed;
use crate::data::{CatalogError, Position};
use std::fmt::Debug;
use std::sync::Arc;

use super::board::Board;
use super::config::{Param, PuzzleConfig};
use super::feature::{Feature, Goal};
use crate::puzzle::solver::solution::Verdict;

/// Theme in which a puzzle appears, as declared in the puzzle's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeListing {
    /// Key of the theme.
    pub theme: String,
    /// Relative weight for selection within the theme.
    pub weight: u32,
    /// Minimum and maximum difficulty.
    pub difficulty: (u32, u32),
    /// Position in the file.
    pub place: Position,
}

/// Fixed properties of a kind of puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Description<'a> {
    /// Name in data: "myhero".
    pub name: &'a str,
    /// One sentence for builders.
    pub about: &'a str,
    /// Features its boards may use; a board with any other is rejected.
    pub features: &'a [Feature],
    /// Goals its boards may have.
    pub goals: &'a [Goal],
    /// Parameters that can be set in data.
    pub params: &'a [Param],
    /// Default sound, unless a theme overrides it.
    pub sound: Option<&'a str>,
    /// Themes in which it appears without being in their lists.
    pub listings: &'a [ThemeListing],
    /// Number of boards generated before the fallback is used.
    pub tries: u32,
}

impl Description<'_> {
    /// Defaults of the properties; a puzzle has at least a name, a sentence, features and goals of its own.
    pub const DEFAULT: Self = Self {
        name: "",
        about: "",
        features: &[],
        goals: &[],
        params: &[],
        sound: None,
        listings: &[],
        tries: 64,
    };
}

/// Kind of puzzle. A new kind needs one file with a type that implements this trait, and one line in
/// [`Registry::builtin`](super::Registry::builtin).
pub trait Puzzle: Debug + Send + Sync {
    /// Returns the fixed properties.
    fn description(&self) -> Description<'_>;

    /// Returns the name in data.
    fn name(&self) -> &str {
        self.description().name
    }

    /// Returns the same puzzle with the content of a file, at a path below `content/`; `None` if the file is not for
    /// this puzzle.
    fn with_file(
        &self,
        _path: &str,
        _text: &str,
        _mistakes: &mut Vec<CatalogError>,
    ) -> Option<Arc<dyn Puzzle>> {
        None
    }

    /// Checks the value of a parameter beyond its range: "is no map". Called once for each parameter when data is read,
    /// so that the error can name file, line and column.
    fn check_param(&self, _name: &str, _config: &PuzzleConfig) -> Result<(), SettingError> {
        Ok(())
    }

    /// Checks if the puzzle can be generated with this configuration. If not, an ordinary room is used in its place.
    fn check_config(&self, config: &PuzzleConfig) -> Result<(), SettingError>;

    /// Generates a board, determined by the seed.
    fn generate(&self, seed: Seed, config: &PuzzleConfig) -> Board;

    /// Solves a board: usually with [`search`](crate::puzzle::search()), or with a faster solver specific to the puzzle.
    fn solve(&self, board: &Board, config: &PuzzleConfig) -> Verdict;

    /// Checks if a board with this verdict may be shown to players. Requirements beyond solvability belong here.
    fn check_board(
        &self,
        _board: &Board,
        verdict: &Verdict,
        config: &PuzzleConfig,
    ) -> Result<(), BoardError> {
        verdict.check(config)
    }
}

impl PuzzleConfig {
    /// Creates a configuration with all parameters of a puzzle at their defaults, with its default sound and without
    /// might.
    pub fn of(puzzle: &dyn Puzzle) -> Self {
        let Description { params, about, sound, .. } = puzzle.description();
        let mut config = Self::new(params, about);
        config.sound = sound.map(str::to_owned);
        config
    }
}
