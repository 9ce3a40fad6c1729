//! Level types in the catalog: read with the registered parts, checked for unknown names, and generated for each theme
//! without a level file.

use crate::base::{Dice, Rng};
use crate::catalog::content_file::ContentFile;
use crate::catalog::{Catalog, ItemClass, Theme};
use crate::data::CatalogError;
use crate::level::{
    ContentSources, CreatureSource, GrowSettings, ItemSource, Layout, LevelReferent, LevelRegistry, LevelType,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Level type of a theme without a level file: it grows by the theme's settings, and all rooms are of one type.
const PLAIN: &str = r#"
name = "KEY"
theme = "KEY"
decorators = []
items = []
[context]
size = [16, 16]
floor = "stone"
wall = "stone"
level_types = ["KEY"]
[[rooms]]
part = "square"
floor = "stone"
corridor = "stone"
wall = "empty"
[[portals]]
part = "stairs"
least_depth = 5
[[creatures]]
part = "perils"
percent = 100
[[partitioners]]
part = "frontier"
"#;

/// Level types while they are read.
#[derive(Default)]
pub(in crate::catalog) struct LevelTypes(BTreeMap<String, Arc<LevelType>>);

impl LevelTypes {
    /// Reads a level file; returns its name.
    pub(in crate::catalog) fn read(
        &mut self,
        file: &mut ContentFile<'_>,
        registry: &LevelRegistry,
    ) -> Option<String> {
        let level_type = LevelType::read(file.path, file.text, registry, file.mistakes)?;
        let name = level_type.name.clone();
        self.0.insert(name.clone(), Arc::new(level_type));
        Some(name)
    }

    /// Adds a generated level type for each theme without one, and checks all names in level files.
    pub(in crate::catalog) fn complete(
        mut self,
        catalog: &Catalog,
        registry: &LevelRegistry,
        mistakes: &mut Vec<CatalogError>,
    ) -> BTreeMap<String, Arc<LevelType>> {
        for theme in catalog.themes.values() {
            let spoken_of = |level_type: &Arc<LevelType>| level_type.theme == theme.key;
            if !self.0.values().any(spoken_of) {
                let plain = plain(theme, registry, mistakes);
                // Keep a level file of that name; the name of its theme may be the error.
                if let Some(level_type) = plain {
                    self.0.entry(theme.key.clone()).or_insert_with(|| Arc::new(level_type));
                }
            }
        }
        for reference in self.0.values().flat_map(|level_type| &level_type.references) {
            let (what, valid): (_, Vec<&str>) = match reference.what {
                LevelReferent::Theme => ("theme", catalog.themes.keys().map(String::as_str).collect()),
                LevelReferent::LevelType => ("level type", self.0.keys().map(String::as_str).collect()),
                LevelReferent::Creature => {
                    ("creature", catalog.creatures.keys().map(String::as_str).collect())
                }
                LevelReferent::Item => ("item", catalog.items.keys().map(String::as_str).collect()),
                LevelReferent::Vault => ("vault", catalog.vaults.keys().map(String::as_str).collect()),
                LevelReferent::ItemClass => {
                    ("class", ItemClass::NAMES.iter().map(|(name, _)| *name).collect())
                }
            };
            if !valid.contains(&reference.name.as_str()) {
                mistakes.push(CatalogError::unknown_name(&reference.place, what, &reference.name, valid));
            }
        }
        self.0
    }
}

/// Returns the generated level type of a theme without a level file.
pub(in crate::catalog) fn plain(
    theme: &Theme,
    registry: &LevelRegistry,
    mistakes: &mut Vec<CatalogError>,
) -> Option<LevelType> {
    let settings = PLAIN.replace("KEY", &theme.key);
    LevelType::read(&theme.place.file, &settings, registry, mistakes)
}

impl Catalog {
    /// Returns the sources of creatures and items for level generators.
    pub fn sources(&self) -> ContentSources<'_> {
        ContentSources { creatures: self, items: self }
    }

    /// Returns the level type of a name. If it no longer exists, returns the level type of the theme of that name, else
    /// the first of all, so that a stored branch can always grow.
    pub fn level_type(&self, name: &str) -> Option<&Arc<LevelType>> {
        let of_theme = || self.level_types.values().find(|level_type| level_type.theme == name);
        self.level_types.get(name).or_else(of_theme).or_else(|| self.level_types.values().next())
    }

    /// Returns a layout with its default settings.
    pub fn layout(&self, name: &str) -> Option<&Arc<dyn Layout>> {
        self.layouts.get(name)
    }

    /// Returns `true` if floors of any level type may have diagonal exits.
    pub fn has_diagonals(&self) -> bool {
        let layouts = self.level_types.values().filter_map(|level_type| level_type.layout.as_ref());
        layouts.map(|layout| layout.settings(GrowSettings::default())).any(|settings| settings.diagonals)
    }

    /// Returns the theme of a level type.
    pub fn theme_of(&self, level_type: &LevelType) -> Option<&Theme> {
        self.themes.get(&level_type.theme).or_else(|| self.themes.values().next())
    }
}

impl CreatureSource for Catalog {
    fn creature(&self, name: &str, _dungeon_level: u32, _dice: &mut Rng) -> Option<String> {
        self.creatures.contains_key(name).then(|| name.to_owned())
    }
}

impl ItemSource for Catalog {
    /// Picks an item of a class by its weight in the hoards of this depth; any item of the class if those have none.
    fn item(&self, class: &str, dungeon_level: u32, dice: &mut Rng) -> Option<String> {
        let class = ItemClass::named(class)?;
        let is_one = |key: &str| self.items.get(key).is_some_and(|item| item.class == class);
        let difficulty = dungeon_level.saturating_sub(1).saturating_mul(5).saturating_add(1);
        let mut weights: BTreeMap<&str, u32> = BTreeMap::new();
        let tables = self.themes.values().filter_map(|theme| self.loot.get(theme.hoard_at(difficulty)?));
        for found in tables.flat_map(|table| &table.items).filter(|found| is_one(&found.item)) {
            weights.insert(&found.item, found.weight);
        }
        if weights.is_empty() {
            weights.extend(self.items.keys().filter(|key| is_one(key)).map(|key| (key.as_str(), 1)));
        }
        let weights: Vec<(&str, u32)> = weights.into_iter().collect();
        dice.weighted(&weights, |(_, weight)| *weight).map(|(key, _)| (*key).to_owned())
    }
}
