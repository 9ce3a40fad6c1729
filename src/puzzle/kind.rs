//! Common interface of all puzzles. Independent of the set of puzzles.

use super::error::{BoardError, SettingError};
use crate::base::Seed;
use crate::data::{CatalogError, Position};
use std::fmt::Debug;
use std::sync::Arc;

use super::board::Board;
use super::config::{Config, Param};
use super::feature::{Feature, Goal};
use super::solution::Verdict;

/// Number of boards generated before the fallback is used.
const TRIES: u32 = 64;

/// Theme in which a puzzle appears, as declared in the puzzle's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Key of the theme.
    pub theme: String,
    /// Relative weight for selection within the theme.
    pub weight: u32,
    /// Minimum and maximum difficulty.
    pub difficulty: (u32, u32),
    /// Position in the file.
    pub place: Position,
}

/// Kind of puzzle. A new kind needs one file with a type that implements this trait, and one line in
/// [`Registry::builtin`](super::Registry::builtin).
pub trait Puzzle: Debug + Send + Sync {
    /// Returns the name in data: "myhero".
    fn name(&self) -> &str;

    /// Returns a one-sentence description for builders.
    fn about(&self) -> &str;

    /// Returns the features its boards may use; a board with any other is rejected.
    fn features(&self) -> &[Feature];

    /// Returns the goals its boards may have.
    fn goals(&self) -> &[Goal];

    /// Returns the parameters that can be set in data.
    fn params(&self) -> &[Param] {
        &[]
    }

    /// Returns the default sound, unless a theme overrides it.
    fn sound(&self) -> Option<&str> {
        None
    }

    /// Returns the themes in which it appears without being in their lists.
    fn listings(&self) -> &[Listing] {
        &[]
    }

    /// Returns the number of boards generated before the fallback is used.
    fn tries(&self) -> u32 {
        TRIES
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
    fn check_param(&self, _name: &str, _config: &Config) -> Result<(), SettingError> {
        Ok(())
    }

    /// Checks if the puzzle can be generated with this configuration. If not, an ordinary room is used in its place.
    fn check_config(&self, config: &Config) -> Result<(), SettingError>;

    /// Generates a board, determined by the seed.
    fn generate(&self, seed: Seed, config: &Config) -> Board;

    /// Solves a board: usually with [`search`](super::search()), or with a faster solver specific to the puzzle.
    fn solve(&self, board: &Board, config: &Config) -> Verdict;

    /// Checks if a board with this verdict may be shown to players. Requirements beyond solvability belong here.
    fn check_board(&self, _board: &Board, verdict: &Verdict, config: &Config) -> Result<(), BoardError> {
        verdict.check(config)
    }
}

impl Config {
    /// Creates a configuration with all parameters of a puzzle at their defaults, with its default sound and without
    /// might.
    pub fn of(puzzle: &dyn Puzzle) -> Self {
        let mut config = Self::new(puzzle.params(), puzzle.about());
        config.sound = puzzle.sound().map(str::to_owned);
        config
    }
}
