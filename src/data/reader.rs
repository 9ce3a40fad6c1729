//! Reads one TOML file of content and notes every mistake with its place: wrong syntax, missing, unknown and
//! wrongly filled keys. What the values mean is for the callers to know.

use super::{CatalogError, Position, Source};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;
use toml::de::{DeArray, DeTable, DeValue};

mod numbers;
mod tables;

/// Suffix of definition files; the rest of the name is the key.
pub const SUFFIX: &str = ".toml";

/// The value of a key, and where both are.
type Entry<'a> = (Range<usize>, Range<usize>, DeValue<'a>);

fn entries(table: DeTable<'_>) -> impl Iterator<Item = (String, Entry<'_>)> {
    table.into_iter().map(|(key, value)| {
        let spans = (key.span(), value.span());
        (key.into_inner().into_owned(), (spans.0, spans.1, value.into_inner()))
    })
}

/// One table of a file that is being read. Keys are taken out one by one; what is left over is unknown.
pub struct Reader<'a> {
    source: Rc<Source<'a>>,
    place: Position,
    entries: BTreeMap<String, Entry<'a>>,
    asked: Vec<String>,
    mistakes: &'a mut Vec<CatalogError>,
}

impl<'a> Reader<'a> {
    /// Reads a whole file. None if it is not TOML.
    pub fn whole<T>(
        path: &str,
        text: &str,
        mistakes: &mut Vec<CatalogError>,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> Option<T> {
        let mut reader = Reader::parse(path, text, mistakes)?;
        let read = read(&mut reader);
        reader.finish();
        Some(read)
    }

    /// Reads a whole file that says what others behind it do not say otherwise, the nearest first. None if one of them is not
    /// TOML; what is wrong with the others is told where they are read themselves.
    pub fn whole_over<T>(
        (path, text): (&str, &str),
        others: &[(&str, &str)],
        mistakes: &mut Vec<CatalogError>,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> Option<T> {
        let mut before = text.len();
        let mut moved = Vec::new();
        for (_, other) in others {
            // As many line ends in front as there are bytes before it, so that its bytes count on.
            moved.push("\n".repeat(before) + other);
            before += other.len();
        }
        let mut reader = Reader::parse(path, text, mistakes)?;
        reader.source = Rc::new(Source::chain(path, text, others));
        for text in &moved {
            let (table, errors) = DeTable::parse_recoverable(text);
            if !errors.is_empty() {
                return None;
            }
            for (key, entry) in entries(table.into_inner()) {
                reader.entries.entry(key).or_insert(entry);
            }
        }
        let read = read(&mut reader);
        reader.finish();
        Some(read)
    }

    /// Begins with a whole file. None if it is not TOML.
    pub fn parse(path: &'a str, text: &'a str, mistakes: &'a mut Vec<CatalogError>) -> Option<Self> {
        let source = Rc::new(Source::new(path, text));
        let (table, errors) = DeTable::parse_recoverable(text);
        let sound = errors.is_empty();
        for error in errors {
            let place = source.place_of(error.span().unwrap_or(0..0).start);
            mistakes.push(CatalogError::new(&place, error.message(), ""));
        }
        let place = Position::start(path);
        sound.then(|| Self::over(source, place, table.into_inner(), mistakes))
    }

    fn over(
        source: Rc<Source<'a>>,
        place: Position,
        table: DeTable<'a>,
        mistakes: &'a mut Vec<CatalogError>,
    ) -> Self {
        let entries = entries(table).collect();
        Self { source, place, entries, asked: Vec::new(), mistakes }
    }

    /// Returns the place of the table.
    pub fn place(&self) -> Position {
        self.place.clone()
    }

    /// The key of the definition: the name of its file.
    pub fn key(&self) -> String {
        key_of(self.source.path).to_owned()
    }

    /// Returns `true` if there is a value under a key; it counts as a key that may be there.
    pub fn has(&mut self, name: &str) -> bool {
        let there = self.entries.contains_key(name);
        if !there {
            self.asked.push(name.to_owned());
        }
        there
    }

    /// Returns the place of a key's value, or the table's if it has none. Must be called before the value is taken.
    pub fn place_of(&self, name: &str) -> Position {
        let span = self.entries.get(name).map(|entry| entry.1.start);
        span.map_or_else(|| self.place(), |start| self.source.place_of(start))
    }

    /// Notes a mistake of the table as a whole, or of a key that has been taken.
    pub fn wrong(&mut self, name: &str, wrong: impl fmt::Display, expected: &str) {
        let mistake = CatalogError::new(&self.place, format!("`{name}` {wrong}"), expected);
        self.mistakes.push(mistake);
    }

    fn take(&mut self, name: &str) -> Option<(Position, DeValue<'a>)> {
        self.asked.push(name.to_owned());
        let (_, span, value) = self.entries.remove(name)?;
        Some((self.source.place_of(span.start), value))
    }

    fn missing(&mut self, name: &str, expected: &str) {
        self.wrong(name, "is missing", expected);
    }

    fn unfit(&mut self, place: &Position, name: &str, expected: &str) {
        self.mistakes.push(CatalogError::new(place, format!("`{name}` does not fit"), expected));
    }

    /// A text with its place, if there is one.
    pub fn text_if_any(&mut self, name: &str) -> Option<(Position, String)> {
        let (place, value) = self.take(name)?;
        match value {
            DeValue::String(text) if !text.trim().is_empty() => Some((place, text.into_owned())),
            _ => {
                self.unfit(&place, name, "a text that is not empty");
                Some((place, String::new()))
            }
        }
    }

    /// A text, if there is one; empty if it is wrong.
    pub fn any_text(&mut self, name: &str) -> Option<String> {
        self.text_if_any(name).map(|(_, text)| text)
    }

    /// A text, if there is one that is not empty.
    pub fn filled_text(&mut self, name: &str) -> Option<String> {
        self.any_text(name).filter(|text| !text.is_empty())
    }

    /// A text that has to be there.
    pub fn text(&mut self, name: &str) -> String {
        if let Some((_, text)) = self.text_if_any(name) {
            return text;
        }
        self.missing(name, "a text");
        String::new()
    }

    /// A text, or what stands for it.
    pub fn text_or(&mut self, name: &str, otherwise: impl FnOnce() -> String) -> String {
        self.text_if_any(name).map_or_else(otherwise, |(_, text)| text)
    }

    /// Yes or no, or what stands for it.
    pub fn truth_or(&mut self, name: &str, otherwise: bool) -> bool {
        self.truth_if_any(name).unwrap_or(otherwise)
    }

    /// Yes or no, if it is said.
    pub fn truth_if_any(&mut self, name: &str) -> Option<bool> {
        match self.take(name)? {
            (_, DeValue::Boolean(truth)) => Some(truth),
            (place, _) => {
                self.unfit(&place, name, "true or false");
                None
            }
        }
    }

    /// Reads a part of the same table that several tables have in common.
    pub fn flat<T>(&mut self, _: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        read(self)
    }

    /// One of a closed list of names, which has to be there.
    pub fn choice<T: Copy>(&mut self, name: &str, names: &[(&str, T)]) -> Option<T> {
        let Some((place, word)) = self.text_if_any(name) else {
            self.missing(name, "a name");
            return None;
        };
        let found = names.iter().find(|(valid, _)| *valid == word).map(|(_, value)| *value);
        if found.is_none() {
            let valid = names.iter().map(|(valid, _)| *valid);
            self.mistakes.push(CatalogError::unknown_name(&place, name, &word, valid));
        }
        found
    }

    /// One of a closed list of names, if there is one.
    pub fn choice_if_any<T: Copy>(&mut self, name: &str, names: &[(&str, T)]) -> Option<T> {
        if self.has(name) { self.choice(name, names) } else { None }
    }

    /// One of a closed list of names, or what stands for it.
    pub fn choice_or<T: Copy>(&mut self, name: &str, names: &[(&str, T)], otherwise: T) -> T {
        self.choice_if_any(name, names).unwrap_or(otherwise)
    }

    /// Texts with their places; at least `least` of them.
    pub fn placed_texts(&mut self, name: &str, least: usize) -> Vec<(Position, String)> {
        let expected = format!("a list of at least {least} texts");
        let Some((place, value)) = self.take(name) else {
            if least > 0 {
                self.missing(name, &expected);
            }
            return Vec::new();
        };
        let DeValue::Array(array) = value else {
            self.unfit(&place, name, &expected);
            return Vec::new();
        };
        let texts = self.texts_of(name, array);
        if texts.len() < least {
            self.unfit(&place, name, &expected);
        }
        texts
    }

    fn texts_of(&mut self, name: &str, array: DeArray<'a>) -> Vec<(Position, String)> {
        let mut texts = Vec::new();
        for value in array {
            let place = self.source.place_of(value.span().start);
            match value.into_inner() {
                DeValue::String(text) if !text.trim().is_empty() => texts.push((place, text.into_owned())),
                _ => self.unfit(&place, name, "texts that are not empty"),
            }
        }
        texts
    }

    /// Texts; at least `least` of them.
    pub fn texts(&mut self, name: &str, least: usize) -> Vec<String> {
        self.placed_texts(name, least).into_iter().map(|(_, text)| text).collect()
    }

    /// A text that stays where it is, so that it can be read again.
    pub fn peek_text(&self, name: &str) -> Option<String> {
        match self.entries.get(name)? {
            (_, _, DeValue::String(text)) => Some(text.clone().into_owned()),
            _ => None,
        }
    }

    /// Passes over the keys that are left: nobody can say whether they are right.
    pub fn pass_over(&mut self) {
        self.entries.clear();
    }

    /// Notes a mistake at a place.
    pub fn note(&mut self, mistake: CatalogError) {
        self.mistakes.push(mistake);
    }

    /// Ends the table: every key that nobody asked for is a mistake.
    pub fn finish(&mut self) {
        for (name, (span, ..)) in std::mem::take(&mut self.entries) {
            let place = self.source.place_of(span.start);
            let valid = self.asked.iter().map(String::as_str);
            self.mistakes.push(CatalogError::unknown_name(&place, "key", &name, valid));
        }
    }
}

/// The key that a file defines: its name.
pub fn key_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(SUFFIX).unwrap_or(name)
}
