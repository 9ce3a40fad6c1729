//! A line of a theme's list: a puzzle with how it is set up, how often it comes and when.

use crate::data::{CatalogError, Position, Reader};
use std::sync::Arc;

use super::config::Config;
use super::kind::Puzzle;
use super::registry::Registry;
use super::written::Listing;

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
    pub place: Position,
}

impl Entry {
    /// An entry that is in no file, for tests and builders.
    pub fn new(puzzle: Arc<dyn Puzzle>, config: Config) -> Self {
        Self { puzzle, config, weight: 1, difficulty: (0, u32::MAX), place: Position::default() }
    }

    /// An entry as the puzzle itself says.
    pub fn listed(puzzle: &Arc<dyn Puzzle>, listing: &Listing) -> Self {
        Self {
            config: Config::of(&**puzzle),
            weight: listing.weight,
            difficulty: listing.difficulty,
            place: listing.place.clone(),
            puzzle: Arc::clone(puzzle),
        }
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
        let Some(puzzle) = found else {
            if !kind.is_empty() {
                reader.note(CatalogError::unknown_name(&place, "puzzle", &kind, registry.names()));
            }
            // What the other keys should be is known to the puzzle alone.
            reader.pass_over();
            return None;
        };
        let mut config = Config::of(&*puzzle);
        let power = reader.number_if_any("char_power", &(1..=1_000_000));
        config.char_power = power.map(i64::from);
        config.goal = reader.text_or("goal", || puzzle.about().to_owned());
        config.sound = reader.any_text("sound").or(config.sound);
        config.players = reader.number_or("players", 1..=8, 1);
        config.require_choice = reader.truth_or("require_choice", false);
        let weight = reader.number_or("weight", 1..=1_000, 1);
        let least = reader.number_or("first_difficulty", 0..=10_000, 0);
        let most = reader.number_or("last_difficulty", least..=10_000, 10_000);
        if let Some(mut params) = reader.table_if_any("params") {
            for param in puzzle.params() {
                let at = params.place_of(&param.name);
                let value = param.kind.read(&param.name, &mut params);
                config = config.with(&param.name, value);
                if let Err(wrong) = puzzle.check_param(&param.name, &config) {
                    params.note(CatalogError::new(&at, format!("`{}` {wrong}", param.name), &*param.about));
                }
            }
            params.finish();
        }
        Some(Self { puzzle, config, weight, difficulty: (least, most), place })
    }
}
