//! What every puzzle has in common. Which puzzles there are is not known here.

use super::error::{BoardError, SettingError};
use crate::base::Seed;
use crate::data::CatalogError;
use std::fmt::Debug;
use std::sync::Arc;

use super::board::Board;
use super::config::{Config, Param};
use super::feature::{Feature, Goal};
use super::solution::Verdict;
use super::written::Listing;

/// A kind of puzzle. A new one is one file with one value that implements this, and one line in
/// [`Registry::builtin`](super::Registry::builtin).
pub trait Puzzle: Debug + Send + Sync {
    /// Its name in data: "myhero".
    fn name(&self) -> &str;

    /// What it is about, in a sentence for builders.
    fn about(&self) -> &str;

    /// What its layouts may have in them; a layout with anything else is refused.
    fn features(&self) -> &[Feature];

    /// What its layouts may ask for.
    fn goals(&self) -> &[Goal];

    /// What can be set in data.
    fn params(&self) -> &[Param] {
        &[]
    }

    /// What it sounds like where a theme says nothing else.
    fn sound(&self) -> Option<&str> {
        None
    }

    /// The themes in which it comes up without being in their lists.
    fn listings(&self) -> &[Listing] {
        &[]
    }

    /// How many layouts are drawn before a plain one stands in.
    fn tries(&self) -> u32 {
        super::draw::TRIES
    }

    /// The same puzzle with what a file of content, at a path below `content/`, says of it; none if it is not a file of
    /// this puzzle.
    fn with_file(
        &self,
        _path: &str,
        _text: &str,
        _mistakes: &mut Vec<CatalogError>,
    ) -> Option<Arc<dyn Puzzle>> {
        None
    }

    /// What is wrong with the value of a parameter, beyond its range: "is no map". Asked once for each when data is
    /// read, so that the author gets file, line and column.
    fn check_param(&self, _name: &str, _config: &Config) -> Result<(), SettingError> {
        Ok(())
    }

    /// Why it cannot be made with this at all, if it cannot. An ordinary room stands where it cannot.
    fn check_config(&self, config: &Config) -> Result<(), SettingError>;

    /// Makes a layout. The same seed makes the same layout.
    fn generate(&self, seed: Seed, config: &Config) -> Board;

    /// Solves a layout: usually [`search`](super::search()), or something quicker that knows the puzzle.
    fn solve(&self, layout: &Board, config: &Config) -> Verdict;

    /// Why a layout with this verdict may not be shown to players, if it may not. Whatever must hold beyond being
    /// solvable is asked here.
    fn check_layout(&self, _layout: &Board, verdict: &Verdict, config: &Config) -> Result<(), BoardError> {
        verdict.check(config)
    }
}

impl Config {
    /// All parameters of a puzzle at their defaults, with its own sound and without a might.
    pub fn of(puzzle: &dyn Puzzle) -> Self {
        let mut config = Self::new(puzzle.params(), puzzle.about());
        config.sound = puzzle.sound().map(str::to_owned);
        config
    }
}
