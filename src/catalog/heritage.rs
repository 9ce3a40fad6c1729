//! Themes that are as another but for what they say themselves.

use super::theme::{Reference, Theme};
use super::{Catalog, level_types};
use crate::data::{CatalogError, Position, Reader, Value, edit};
use crate::puzzle;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The key of the other.
const INHERITS: &str = "inherits";

/// How many themes may stand behind one: each of them is read with it.
const BEHIND_MAX: usize = 8;

/// The texts of themes, by key.
pub(super) type ThemeTexts = BTreeMap<String, ThemeText>;

/// The text of a theme, before it is put together with those that it is like.
#[derive(Clone)]
pub(super) struct ThemeText {
    path: String,
    text: Arc<str>,
    inherits: Option<String>,
}

impl ThemeText {
    /// What stands in a file.
    pub(super) fn of(path: &str, text: &str) -> Self {
        // Few are like another, and the texts of those that are not are long.
        let says = |line: &str| line.trim_start().starts_with(INHERITS);
        let fields = text.lines().any(says).then(|| edit::fields(text)).flatten().unwrap_or_default();
        let inherits = fields.into_iter().find_map(|(field, value)| match value {
            Value::Text(other) if field == INHERITS => Some(other),
            _ => None,
        });
        Self { path: path.to_owned(), text: Arc::from(text), inherits }
    }

    /// The others that it is like, the nearest first; none if there is something wrong with them.
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
            if chain.contains(&parent.as_str()) || behind.len() >= BEHIND_MAX {
                let wrong = format!("`{INHERITS}` goes in a circle, or too far: {}", chain.join(", "));
                let expected = format!("at most {BEHIND_MAX} themes, none of which comes from this one");
                mistakes.push(CatalogError::new(&place, wrong, expected));
                return None;
            }
            behind.push((found.path.as_str(), &*found.text));
            chain.push(parent);
            next = &found.inherits;
        }
        Some(behind)
    }
}

/// Reads a theme with what it inherits; none if that cannot be done.
pub(super) fn read(
    key: &str,
    texts: &ThemeTexts,
    puzzles: &puzzle::Registry,
    references: &mut Vec<Reference>,
    mistakes: &mut Vec<CatalogError>,
) -> Option<Theme> {
    let theme = texts.get(key)?;
    let behind = theme.behind(key, texts, mistakes)?;
    let read = |table: &mut Reader<'_>| Theme::read_file(table, puzzles, references);
    Reader::whole_over((&theme.path, &theme.text), &behind, mistakes, read)
}

/// Themes and all that come of them.
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
    /// The themes that are like another.
    pub fn heirs_of_theme(&self, key: &str) -> Vec<String> {
        let mut heirs = heirs(&self.sources.themes, &[key]);
        heirs.retain(|heir| heir != key);
        heirs
    }

    /// Reads some themes and those that are like them; gives those that could be read.
    pub(super) fn put_themes(&mut self, keys: &[&str], mistakes: &mut Vec<CatalogError>) -> Vec<String> {
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
                let wrong = format!("`{key}` is a level type of the theme `{}`", other.theme);
                mistakes.push(CatalogError::new(&theme.place, wrong, "a key of its own"));
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
