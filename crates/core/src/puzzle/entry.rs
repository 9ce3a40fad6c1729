//! Entries of a theme's puzzle list: a puzzle with its configuration, weight and difficulty range.

use crate::data::{CatalogError, Position, Reader};
use std::sync::Arc;

use super::config::PuzzleConfig;
use super::kind::{Puzzle, ThemeListing};
use super::registry::Registry;

/// Entry of a theme's puzzle list.
#[derive(Clone, Debug)]
pub struct PuzzleEntry {
    /// Puzzle kind.
    pub puzzle: Arc<dyn Puzzle>,
    /// Configuration.
    pub config: PuzzleConfig,
    /// Relative weight for selection.
    pub weight: u32,
    /// Minimum and maximum difficulty.
    pub difficulty: (u32, u32),
    /// Position in the file.
    pub place: Position,
}

impl PuzzleEntry {
    /// Creates an entry without a file, for tests and builders.
    pub fn new(puzzle: Arc<dyn Puzzle>, config: PuzzleConfig) -> Self {
        Self { puzzle, config, weight: 1, difficulty: (0, u32::MAX), place: Position::default() }
    }

    /// Creates the entry that a puzzle declares for a theme.
    pub fn listed(puzzle: &Arc<dyn Puzzle>, listing: &ThemeListing) -> Self {
        Self {
            config: PuzzleConfig::of(&**puzzle),
            weight: listing.weight,
            difficulty: listing.difficulty,
            place: listing.place.clone(),
            puzzle: Arc::clone(puzzle),
        }
    }

    /// Returns `true` if the entry is available at a difficulty.
    pub fn is_for(&self, difficulty: u32) -> bool {
        (self.difficulty.0..=self.difficulty.1).contains(&difficulty)
    }

    /// Reads an entry of `[[puzzles]]`; `None` if there is no puzzle of that name.
    pub fn read(reader: &mut Reader<'_>, registry: &Registry) -> Option<Self> {
        let place = reader.place_of("kind");
        let kind = reader.about("Name of the puzzle; further fields depend on it.").text("kind");
        let found = registry.find(&kind);
        let Some(puzzle) = found else {
            if !kind.is_empty() {
                reader.note(CatalogError::unknown_name(&place, "puzzle", &kind, registry.names()));
            }
            // The remaining keys are known only to the puzzle.
            reader.ignore_rest();
            return None;
        };
        let mut config = PuzzleConfig::of(&*puzzle);
        let power = reader.number_if_any("char_power", &(1..=1_000_000));
        config.char_power = power.map(i64::from);
        config.goal = reader.text_or("goal", || puzzle.description().about.to_owned());
        config.sound = reader.any_text("sound").or(config.sound);
        config.players = reader.number_or("players", 1..=8, 1);
        config.require_choice = reader.bool_or("require_choice", false);
        let weight = reader.number_or("weight", 1..=1_000, 1);
        let least = reader.number_or("first_difficulty", 0..=10_000, 0);
        let most = reader.number_or("last_difficulty", least..=10_000, 10_000);
        if let Some(mut params) = reader.table_if_any("params") {
            for param in puzzle.description().params {
                let at = params.place_of(&param.name);
                let value = param.kind.read(&param.name, &mut params);
                config = config.with(&param.name, value);
                if let Err(error) = puzzle.check_param(&param.name, &config) {
                    params.note(CatalogError::new(&at, format!("`{}` {error}", param.name), &*param.about));
                }
            }
            params.finish();
        }
        Some(Self { puzzle, config, weight, difficulty: (least, most), place })
    }
}
