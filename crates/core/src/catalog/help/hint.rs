//! Hints: replies to words that are not commands here but are common in games of this kind.

use crate::catalog::figures::TextFigures;
use crate::catalog::help::guide::read_text;
use crate::data::{CatalogError, Reader};
use crate::text::{Markup, Style};
use std::collections::BTreeMap;

/// Path of the file.
pub(in crate::catalog) const FILE: &str = "hints.toml";

/// Hints by word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hints(BTreeMap<String, Markup>);

impl Hints {
    /// Returns the hint for a word.
    pub fn about(&self, word: &str) -> Option<&Markup> {
        self.0.get(word)
    }

    /// Returns all words with a hint.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns every command that a hint mentions, for a check against the command table.
    pub fn words_to_type(&self) -> impl Iterator<Item = &str> {
        let named = self.0.values().flat_map(Markup::runs).filter(|(style, _)| *style == Style::Command);
        named.map(|(_, text)| text)
    }
}

/// Reads the file, which is optional.
pub(in crate::catalog) fn read(
    text: Option<&str>,
    figures: &TextFigures,
    mistakes: &mut Vec<CatalogError>,
) -> Hints {
    let Some(mut file) = text.and_then(|text| Reader::parse(FILE, text, mistakes)) else {
        return Hints::default();
    };
    let mut hints = BTreeMap::new();
    file.tables("hints", |table| {
        let words = table.placed_texts("words", 1);
        let says = read_text(table, "says", figures).unwrap_or_default();
        for (place, word) in words {
            if !word.chars().all(|c| c.is_ascii_lowercase() || c == '\'' || c == '/') {
                table.note(CatalogError::new(
                    &place,
                    format!("`{word}` is not one word"),
                    "small letters only",
                ));
            }
            if hints.insert(word.clone(), says.clone()).is_some() {
                table.note(CatalogError::new(
                    &place,
                    format!("`{word}` is answered already"),
                    "each word once",
                ));
            }
        }
    });
    file.finish();
    Hints(hints)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEAL: &str =
        "[[hints]]\nwords = [\"steal\", \"rob\"]\nsays = \"Nobody steals. `give` is a word.\"\n";

    fn mistakes(text: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        read(Some(text), &TextFigures::default(), &mut mistakes);
        mistakes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn hints_file_is_parsed() {
        let mut mistakes = Vec::new();
        let hints = read(Some(STEAL), &TextFigures::default(), &mut mistakes);
        assert_eq!(mistakes, []);
        assert_eq!(hints.about("rob").map(Markup::text), Some("Nobody steals. give is a word."));
        assert_eq!(hints.words_to_type().next(), Some("give"));
    }

    #[test]
    fn errors_have_a_place() {
        assert_eq!(
            mistakes(&STEAL.replace("\"rob\"", "\"steal\", \"take it\"")),
            [
                "hints.toml:2:19: `steal` is answered already, expected each word once",
                "hints.toml:2:28: `take it` is not one word, expected small letters only",
            ]
        );
        assert_eq!(
            mistakes(&STEAL.replace("says", "say"))[1],
            "hints.toml:3:1: unknown key `say`, expected one of words, says, did you mean `says`?"
        );
    }
}
