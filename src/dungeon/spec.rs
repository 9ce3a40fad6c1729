//! What a branch is made by, and where its draws begin.

use crate::base::{Rng, Seed};
use crate::catalog::Catalog;
use crate::level::{GrowSettings, Layout, LevelType};
use serde::{Deserialize, Serialize};

/// What a branch is made by: fixed when it opens and stored with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchSpec {
    /// Where all its draws begin.
    pub seed: Seed,
    /// Name of the level type of its first floor.
    pub level_type: String,
    /// Key of the theme of its first floor.
    pub theme: String,
    /// By what its first floor is made: the name of a layout, or [`BranchSpec::PIPELINE`]. Another layout than the level
    /// type's own takes its place.
    pub generator: String,
    /// How it grows.
    pub settings: GrowSettings,
    /// What each dungeon level below the first adds to the difficulty.
    pub difficulty_per_floor: u32,
}

impl BranchSpec {
    /// The generator of floors that are made whole.
    pub const PIPELINE: &'static str = "pipeline";

    /// What floors of a dungeon level add to the difficulty of their rooms.
    pub(super) const fn difficulty_below(&self, dungeon_level: u32) -> u32 {
        self.difficulty_per_floor.saturating_mul(dungeon_level.saturating_sub(1))
    }

    /// A branch of a level type, or of a theme's first level type, with its own layout and the theme's settings.
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

    /// The layout of a floor that grows: the one that the branch asks for, else that of its level type.
    pub fn layout<'a>(&self, catalog: &'a Catalog, kind: &'a LevelType) -> Option<&'a dyn Layout> {
        let own = kind.layout.as_deref()?;
        let asked = catalog.layout(&self.generator).filter(|_| kind.name == self.level_type);
        Some(asked.map(AsRef::as_ref).filter(|asked| asked.name() != own.name()).unwrap_or(own))
    }

    /// One of the streams of the room with a number.
    pub(super) fn stream(&self, name: &str, index: u32) -> Rng {
        self.seed.named(name).numbered(u64::from(index)).rng()
    }

    /// Where the draws of a floor begin that are not those of a single room.
    pub(super) fn floor_seed(&self, number: u32) -> Seed {
        self.seed.named("floor").numbered(u64::from(number))
    }
}

/// What a floor is made by.
#[derive(Clone, Copy, Debug)]
pub struct FloorSpec<'a> {
    /// Its number in the branch.
    pub number: u32,
    /// The dungeon level.
    pub dungeon_level: u32,
    /// Its level type.
    pub kind: &'a LevelType,
}

/// The name of what makes the floors of a level type.
pub fn generator_of(kind: &LevelType) -> &'static str {
    kind.layout.as_ref().map_or(BranchSpec::PIPELINE, |layout| layout.name())
}
