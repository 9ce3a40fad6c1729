//! Definitions laid over those of the files, as text of the same form: read by the same readers, and checked against all
//! others. What files say never leans on them.

use super::load::{check_affects_of_rooms, check_items, check_scripts};
use super::mob::{self, MobFile};
use super::overlay::{DefinitionKind, Written};
use super::{Catalog, guards, item};
use crate::data::{CatalogError, Reader};

impl Catalog {
    /// The definitions of the files with others laid over them: the same as if their files had these texts.
    ///
    /// # Errors
    /// Every mistake, with its place in the file that the text would have.
    pub fn with(&self, written: &[Written<'_>]) -> Result<Self, Vec<CatalogError>> {
        let (mut catalog, mut mobs, mut mistakes) = (self.clone(), self.sources.mobs.clone(), Vec::new());
        let paths: Vec<String> = written.iter().map(|written| written.kind.path(written.key)).collect();
        let files: Vec<(&str, &str)> =
            paths.iter().zip(written).map(|(path, written)| (path.as_str(), written.text)).collect();
        let mut all_are_toml = true;
        for ((path, text), Written { kind, key, .. }) in files.iter().zip(written) {
            let key = (*key).to_owned();
            all_are_toml &= match kind {
                DefinitionKind::Creature => Reader::whole(path, text, &mut mistakes, MobFile::read)
                    .map(|mob| drop(mobs.insert(key, mob)))
                    .is_some(),
                DefinitionKind::Thing => Reader::whole(path, text, &mut mistakes, item::read)
                    .map(|item| drop(catalog.items.insert(key, item)))
                    .is_some(),
            };
        }
        // What cannot be read at all is missing everywhere: that is its mistake alone.
        if all_are_toml {
            catalog.mobs = mob::complete(mobs, &mut mistakes);
            check_items(&files, &catalog, &mut mistakes);
            check_scripts(&files, &catalog, &mut mistakes);
            check_affects_of_rooms(&catalog, &mut mistakes);
            for theme in catalog.themes.values() {
                let deepest = theme.bands.keys().next_back().copied().unwrap_or(0) + 1;
                guards::check(theme, &catalog, deepest, &mut mistakes);
            }
        }
        mistakes.sort();
        mistakes.dedup();
        if mistakes.is_empty() { Ok(catalog) } else { Err(mistakes) }
    }
}
