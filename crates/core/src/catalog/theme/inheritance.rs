//! Themes that inherit from other themes.

use crate::catalog::Catalog;
use crate::catalog::theme::{Theme, ThemeReference, level_types};
use crate::data::{CatalogError, FileValue, Position, Reader, edit};
use crate::puzzle;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Name of the key that names the parent.
const INHERITS: &str = "inherits";

/// Maximum number of ancestors of a theme. Each ancestor is read together with the theme.
const ANCESTORS_MAX: usize = 8;

/// Texts of themes by key.
pub(in crate::catalog) type ThemeTexts = BTreeMap<String, ThemeText>;

/// Text of a theme before inheritance is applied.
#[derive(Clone)]
pub(in crate::catalog) struct ThemeText {
    path: String,
    text: Arc<str>,
    inherits: Option<String>,
}

impl ThemeText {
    /// Creates the text of a file and reads the key of its parent.
    pub(in crate::catalog) fn of(path: &str, text: &str) -> Self {
        // Few themes inherit, and the texts of the others are long, so look for the key before parsing.
        let says = |line: &str| line.trim_start().starts_with(INHERITS);
        let fields = text.lines().any(says).then(|| edit::fields(text)).flatten().unwrap_or_default();
        let inherits = fields.into_iter().find_map(|(field, value)| match value {
            FileValue::Text(other) if field == INHERITS => Some(other),
            _ => None,
        });
        Self { path: path.to_owned(), text: Arc::from(text), inherits }
    }

    /// Returns the paths and texts of the ancestors, nearest first. `None` if one is unknown, circular or too far,
    /// which is recorded.
    fn behind<'t>(
        &self,
        key: &str,
        texts: &'t ThemeTexts,
        mistakes: &mut Vec<CatalogError>,
    ) -> Option<Vec<(&'t str, &'t str)>> {
        let (mut chain, mut behind) = (vec![key], Vec::new());
        let mut next = &self.inherits;
        while let Some(parent) = next {
            let place = Position::start(&self.path);
            let Some((parent, found)) = texts.get_key_value(parent) else {
                let valid = texts.keys().map(String::as_str);
                mistakes.push(CatalogError::unknown_name(&place, "theme", parent, valid));
                return None;
            };
            if chain.contains(&parent.as_str()) || behind.len() >= ANCESTORS_MAX {
                let mistake = format!("`{INHERITS}` goes in a circle, or too far: {}", chain.join(", "));
                let expected = format!("at most {ANCESTORS_MAX} themes, none of which comes from this one");
                mistakes.push(CatalogError::new(&place, mistake, expected));
                return None;
            }
            behind.push((found.path.as_str(), &*found.text));
            chain.push(parent);
            next = &found.inherits;
        }
        Some(behind)
    }
}

/// Reads a theme with what it inherits; `None` on failure.
pub(in crate::catalog) fn read(
    key: &str,
    texts: &ThemeTexts,
    puzzles: &puzzle::Registry,
    references: &mut Vec<ThemeReference>,
    mistakes: &mut Vec<CatalogError>,
) -> Option<Theme> {
    let theme = texts.get(key)?;
    let behind = theme.behind(key, texts, mistakes)?;
    let read = |table: &mut Reader<'_>| Theme::read_file(table, puzzles, references);
    Reader::whole_over((&theme.path, &theme.text), &behind, mistakes, read)
}

/// Returns these themes and all their descendants.
fn heirs(texts: &ThemeTexts, of: &[&str]) -> Vec<String> {
    let comes_of = |key: &str| {
        let mut chain = vec![key];
        while let Some(last) = chain.last() {
            if of.contains(last) {
                return true;
            }
            match texts.get(*last).and_then(|theme| theme.inherits.as_deref()) {
                Some(parent) if !chain.contains(&parent) => chain.push(parent),
                _ => return false,
            }
        }
        false
    };
    texts.keys().filter(|key| comes_of(key)).cloned().collect()
}

impl Catalog {
    /// Returns the descendants of a theme.
    pub fn descendants_of_theme(&self, key: &str) -> Vec<String> {
        let mut heirs = heirs(&self.sources.themes, &[key]);
        heirs.retain(|heir| heir != key);
        heirs
    }

    /// Reads themes and their descendants; returns the keys of those that could be read.
    pub(in crate::catalog) fn put_themes(
        &mut self,
        keys: &[&str],
        mistakes: &mut Vec<CatalogError>,
    ) -> Vec<String> {
        let mut read_anew = Vec::new();
        for key in heirs(&self.sources.themes, keys) {
            let mut references = Vec::new();
            let texts = self.sources.themes.clone();
            let Some(mut theme) = read(&key, &texts, &self.puzzles, &mut references, mistakes) else {
                continue;
            };
            for (place, what, name) in references {
                if !self.has(what, &name) {
                    mistakes.push(CatalogError::unknown_name(&place, what.name(), &name, self.keys(what)));
                }
            }
            theme.list_puzzles(&self.puzzles);
            if let Some(other) = self.level_types.get(&key).filter(|level_type| level_type.theme != key) {
                let mistake = format!("`{key}` is a level type of the theme `{}`", other.theme);
                mistakes.push(CatalogError::new(&theme.place, mistake, "a key of its own"));
            }
            if !self.level_types.values().any(|level_type| level_type.theme == key)
                && let Some(parts) = self.sources.parts.clone()
                && let Some(plain) = level_types::plain(&theme, &parts, mistakes)
            {
                self.level_types.insert(key.clone(), Arc::new(plain));
            }
            self.themes.insert(key.clone(), theme);
            read_anew.push(key);
        }
        read_anew
    }
}
