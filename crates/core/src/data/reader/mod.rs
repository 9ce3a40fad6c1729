//! A reader of one TOML content file. It records every syntax error and every missing, unknown or invalid key with its
//! place. Callers interpret the values.

use super::{CatalogError, Position, SourceFile, edit};
use crate::text::grammar;
use crate::text::sanitise::text_form;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;
use toml::de::{DeArray, DeTable, DeValue};

mod field;
mod numbers;
mod listing;
mod tables;

pub use field::Field;
use field::FieldList;
pub use listing::fields_of;

/// Suffix of definition files; the rest of the file name is the key.
pub const SUFFIX: &str = ".toml";

/// Span of a key, span of its value, and the value.
type TomlEntry<'a> = (Range<usize>, Range<usize>, DeValue<'a>);

fn entries(table: DeTable<'_>) -> impl Iterator<Item = (String, TomlEntry<'_>)> {
    table.into_iter().map(|(key, value)| {
        let spans = (key.span(), value.span());
        (key.into_inner().into_owned(), (spans.0, spans.1, value.into_inner()))
    })
}

/// A table that is being read. Keys are taken out one by one; keys left at the end are unknown.
pub struct Reader<'a> {
    source: Rc<SourceFile<'a>>,
    place: Position,
    entries: BTreeMap<String, TomlEntry<'a>>,
    asked: Vec<String>,
    mistakes: &'a mut Vec<CatalogError>,
    /// List of the fields, if there is no file.
    pub(crate) listed: FieldList<'a>,
}

impl<'a> Reader<'a> {
    /// Reads a whole file. `None` if it is not valid TOML.
    pub fn whole<T>(
        path: &str,
        text: &str,
        mistakes: &mut Vec<CatalogError>,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> Option<T> {
        Self::whole_below((path, text), 0, mistakes, read)
    }

    /// Reads a later part of a file, which is a valid file itself, below a number of lines.
    pub fn whole_below<T>(
        (path, text): (&str, &str),
        above: u32,
        mistakes: &mut Vec<CatalogError>,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> Option<T> {
        let mut reader = Reader::parse_below(path, text, above, mistakes)?;
        let read = read(&mut reader);
        reader.finish();
        Some(read)
    }

    /// Reads a file that inherits missing keys from other files, nearest first. `None` if any of the files is not valid
    /// TOML; syntax errors of the others are reported where those files are read themselves.
    pub fn whole_over<T>(
        (path, text): (&str, &str),
        others: &[(&str, &str)],
        mistakes: &mut Vec<CatalogError>,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> Option<T> {
        let mut before = text.len();
        let mut moved = Vec::new();
        for (_, other) in others {
            // Pad with one line end per preceding byte, so that byte offsets continue from file to file.
            moved.push("\n".repeat(before) + other);
            before += other.len();
        }
        let mut reader = Reader::parse(path, text, mistakes)?;
        reader.source = Rc::new(SourceFile::chain(path, text, others));
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

    /// Starts to read a whole file. `None` if it is not valid TOML.
    pub fn parse(path: &'a str, text: &'a str, mistakes: &'a mut Vec<CatalogError>) -> Option<Self> {
        Self::parse_below(path, text, 0, mistakes)
    }

    fn parse_below(
        path: &'a str,
        text: &'a str,
        above: u32,
        mistakes: &'a mut Vec<CatalogError>,
    ) -> Option<Self> {
        let source = Rc::new(SourceFile::below(path, text, above));
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
        source: Rc<SourceFile<'a>>,
        place: Position,
        table: DeTable<'a>,
        mistakes: &'a mut Vec<CatalogError>,
    ) -> Self {
        let entries = entries(table).collect();
        Self { source, place, entries, asked: Vec::new(), mistakes, listed: FieldList::default() }
    }

    /// Returns the place of the table.
    pub fn place(&self) -> Position {
        self.place.clone()
    }

    /// Returns the key of the definition: the file name without its suffix.
    pub fn key(&self) -> String {
        key_of(self.source.path).to_owned()
    }

    /// Returns `true` if a key is present. Either way the key counts as known.
    pub fn has(&mut self, name: &str) -> bool {
        if self.listed.is_listing() {
            self.listed.record_optional(name);
            return true;
        }
        let there = self.entries.contains_key(name);
        if !there {
            self.asked.push(name.to_owned());
        }
        there
    }

    /// Returns the place of a key's value, or of the table if the key is missing. Must be called before the value is
    /// taken.
    pub fn place_of(&self, name: &str) -> Position {
        let span = self.entries.get(name).map(|entry| entry.1.start);
        span.map_or_else(|| self.place(), |start| self.source.place_of(start))
    }

    /// Sets the help of the keys that are read next.
    pub fn about(&mut self, help: &'static str) -> &mut Self {
        self.listed.about = help;
        self
    }

    /// Records an error about the whole table, or about a key that has been taken.
    pub fn record_mistake(&mut self, name: &str, message: impl fmt::Display, expected: &str) {
        let mistake = CatalogError::new(&self.place, format!("`{name}` {message}"), expected);
        self.mistakes.push(mistake);
    }

    fn take(&mut self, name: &str) -> Option<(Position, DeValue<'a>)> {
        self.asked.push(name.to_owned());
        let (_, span, value) = self.entries.remove(name)?;
        Some((self.source.place_of(span.start), value))
    }

    /// Records that a required key is missing.
    pub fn missing(&mut self, name: &str, expected: &str) {
        self.listed.record_required(name);
        self.record_mistake(name, "is missing", expected);
    }

    fn unfit(&mut self, place: &Position, name: &str, expected: &str) {
        self.mistakes.push(CatalogError::new(place, format!("`{name}` does not fit"), expected));
    }

    /// Reads an optional text with its place. An invalid value is recorded and read as an empty text.
    pub fn text_if_any(&mut self, name: &str) -> Option<(Position, String)> {
        self.listed.record(name, || "text".to_owned());
        let (place, value) = self.take(name)?;
        match value {
            DeValue::String(text) if !text.trim().is_empty() => Some((place, text.into_owned())),
            _ => {
                self.unfit(&place, name, "a text that is not empty");
                Some((place, String::new()))
            }
        }
    }

    /// Reads an optional text; empty if invalid.
    pub fn any_text(&mut self, name: &str) -> Option<String> {
        self.text_if_any(name).map(|(_, text)| text)
    }

    /// Reads an optional text; `None` if invalid.
    pub fn filled_text(&mut self, name: &str) -> Option<String> {
        self.any_text(name).filter(|text| !text.is_empty())
    }

    /// Reads a required text.
    pub fn text(&mut self, name: &str) -> String {
        if let Some((_, text)) = self.text_if_any(name) {
            return text;
        }
        self.missing(name, "a text");
        // In a list of fields, a default that uses this text shows where.
        if self.listed.is_listing() { name.to_uppercase() } else { String::new() }
    }

    /// Reads a text, with a default.
    pub fn text_or(&mut self, name: &str, otherwise: impl FnOnce() -> String) -> String {
        let text = self.text_if_any(name).map_or_else(otherwise, |(_, text)| text);
        self.listed.record_default(name, || edit::quoted(&text));
        text
    }

    /// Reads an optional text of several lines, in its [`text_form`]; empty if invalid.
    pub fn any_paragraphs(&mut self, name: &str) -> Option<String> {
        let read = self.text_if_any(name);
        self.listed.record(name, || "text of any length".to_owned());
        let (place, text) = read?;
        let form = text_form(&text);
        if form.is_empty() && !text.is_empty() {
            self.unfit(&place, name, "a text with characters that can be shown");
        }
        Some(form)
    }

    /// Reads a required text of several lines, in its [`text_form`].
    pub fn paragraphs(&mut self, name: &str) -> String {
        if let Some(text) = self.any_paragraphs(name) {
            return text;
        }
        self.missing(name, "a text");
        String::new()
    }

    /// Reads a text of several lines, in its [`text_form`], with a default.
    pub fn paragraphs_or(&mut self, name: &str, otherwise: impl FnOnce() -> String) -> String {
        self.any_paragraphs(name).unwrap_or_else(otherwise)
    }

    /// Reads a boolean, with a default.
    pub fn bool_or(&mut self, name: &str, otherwise: bool) -> bool {
        self.listed.record_default(name, || otherwise.to_string());
        self.bool_if_any(name).unwrap_or(otherwise)
    }

    /// Reads an optional boolean.
    pub fn bool_if_any(&mut self, name: &str) -> Option<bool> {
        self.listed.record(name, || "`true` or `false`".to_owned());
        match self.take(name)? {
            (_, DeValue::Boolean(truth)) => Some(truth),
            (place, _) => {
                self.unfit(&place, name, "true or false");
                None
            }
        }
    }

    /// Reads keys of this same table with a function that several tables share.
    pub fn flat<T>(&mut self, _: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        read(self)
    }

    /// Reads a required name from a fixed list.
    pub fn choice<T: Copy>(&mut self, name: &str, names: &[(&str, T)]) -> Option<T> {
        let Some((place, word)) = self.text_if_any(name) else {
            self.listed.record(name, || {
                let names: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
                format!("one of {}", names.join(", "))
            });
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

    /// Reads an optional name from a fixed list.
    pub fn choice_if_any<T: Copy>(&mut self, name: &str, names: &[(&str, T)]) -> Option<T> {
        if self.has(name) { self.choice(name, names) } else { None }
    }

    /// Reads a name from a fixed list, with a default.
    pub fn choice_or<T: Copy + PartialEq>(&mut self, name: &str, names: &[(&str, T)], otherwise: T) -> T {
        let default = names.iter().find(|(_, value)| *value == otherwise);
        self.listed.record_default(name, || default.map_or_else(String::new, |(name, _)| edit::quoted(name)));
        self.choice_if_any(name, names).unwrap_or(otherwise)
    }

    /// Reads a list of at least `least` texts, each with its place.
    pub fn placed_texts(&mut self, name: &str, least: usize) -> Vec<(Position, String)> {
        self.placed_list("text", name, least)
    }

    /// Reads a list of at least `least` texts that a noun describes, each with its place.
    pub fn placed_list(&mut self, noun: &'static str, name: &str, least: usize) -> Vec<(Position, String)> {
        let list = match least {
            0 => format!("list of {}", grammar::plural(noun, None)),
            least => format!("list of at least {}", grammar::counted(least, noun)),
        };
        let expected = format!("a {list}");
        self.listed.record(name, || list);
        self.listed.record_list(name, noun);
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

    /// Reads an optional text or list of texts; empty if missing or invalid.
    pub fn one_or_more(&mut self, name: &str) -> Vec<String> {
        if self.entries.get(name).is_some_and(|(_, _, value)| matches!(value, DeValue::Array(_))) {
            return self.texts(name, 1);
        }
        let text = self.filled_text(name);
        self.listed.record(name, || "text or list of texts".to_owned());
        text.into_iter().collect()
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

    /// Reads a list of at least `least` texts.
    pub fn texts(&mut self, name: &str, least: usize) -> Vec<String> {
        self.placed_texts(name, least).into_iter().map(|(_, text)| text).collect()
    }

    /// Returns a text without taking it, so it can be read again.
    pub fn peek_text(&self, name: &str) -> Option<String> {
        match self.entries.get(name)? {
            (_, _, DeValue::String(text)) => Some(text.clone().into_owned()),
            _ => None,
        }
    }

    /// Ignores the remaining keys, for a table of unknown kind.
    pub fn ignore_rest(&mut self) {
        self.entries.clear();
    }

    /// Records an error.
    pub fn note(&mut self, mistake: CatalogError) {
        self.mistakes.push(mistake);
    }

    /// Finishes the table: every key that was not read is recorded as unknown.
    pub fn finish(&mut self) {
        for (name, (span, ..)) in std::mem::take(&mut self.entries) {
            let place = self.source.place_of(span.start);
            let valid = self.asked.iter().map(String::as_str);
            self.mistakes.push(CatalogError::unknown_name(&place, "key", &name, valid));
        }
    }
}

/// Returns the key that a file defines: its name without the suffix.
pub fn key_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(SUFFIX).unwrap_or(name)
}
