//! Inputs of a branch, and its random streams.

use crate::base::{Rng, Seed};
use crate::catalog::Catalog;
use crate::level::{GrowSettings, Layout, LevelType};
use serde::{Deserialize, Serialize};

/// Inputs of a branch: fixed when it opens and stored with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchSpec {
    /// Seed of all its random choices.
    pub seed: Seed,
    /// Name of the level type of its first floor.
    pub level_type: String,
    /// Key of the theme of its first floor.
    pub theme: String,
    /// Generator of its first floor: the name of a layout, or [`BranchSpec::PIPELINE`]. A layout given here replaces
    /// the level type's own.
    pub generator: String,
    /// Growth settings.
    pub settings: GrowSettings,
    /// Difficulty added by each dungeon level below the first.
    pub difficulty_per_floor: u32,
}

impl BranchSpec {
    /// Generator of whole floors.
    pub const PIPELINE: &'static str = "pipeline";

    /// Returns the difficulty that a dungeon level adds to its rooms.
    pub(super) const fn difficulty_below(&self, dungeon_level: u32) -> u32 {
        self.difficulty_per_floor.saturating_mul(dungeon_level.saturating_sub(1))
    }

    /// Creates the inputs for a level type, or for a theme's first level type, with its own layout and the theme's
    /// settings.
    pub fn of(catalog: &Catalog, name: &str, seed: Seed) -> Self {
        let level_type = catalog.level_type(name);
        let theme = level_type.and_then(|level_type| catalog.theme_of(level_type));
        Self {
            seed,
            level_type: level_type.map_or_else(|| name.to_owned(), |level_type| level_type.name.clone()),
            theme: theme.map_or_else(|| name.to_owned(), |theme| theme.key.clone()),
            generator: level_type.map_or(Self::PIPELINE, |level_type| generator_of(level_type)).to_owned(),
            settings: theme.map(|theme| theme.settings.growth).unwrap_or_default(),
            difficulty_per_floor: theme.map_or(5, |theme| theme.difficulty_per_floor),
        }
    }

    /// Returns the layout of a growing floor: the branch's if it applies, otherwise the level type's.
    pub fn layout<'a>(&self, catalog: &'a Catalog, kind: &'a LevelType) -> Option<&'a dyn Layout> {
        let own = kind.layout.as_deref()?;
        let asked = catalog.layout(&self.generator).filter(|_| kind.name == self.level_type);
        Some(asked.map(AsRef::as_ref).filter(|asked| asked.name() != own.name()).unwrap_or(own))
    }

    /// Returns a named random stream of the room with this number.
    pub(super) fn stream(&self, name: &str, index: u32) -> Rng {
        self.seed.named(name).numbered(u64::from(index)).rng()
    }

    /// Returns the seed of a floor's random choices that do not belong to a single room.
    pub(super) fn floor_seed(&self, number: u32) -> Seed {
        self.seed.named("floor").numbered(u64::from(number))
    }
}

/// Inputs of a floor.
#[derive(Clone, Copy, Debug)]
pub struct FloorSpec<'a> {
    /// Number in the branch.
    pub number: u32,
    /// Dungeon level.
    pub dungeon_level: u32,
    /// Level type.
    pub kind: &'a LevelType,
}

/// Returns the name of the generator of a level type.
pub fn generator_of(kind: &LevelType) -> &'static str {
    kind.layout.as_ref().map_or(BranchSpec::PIPELINE, |layout| layout.name())
}
