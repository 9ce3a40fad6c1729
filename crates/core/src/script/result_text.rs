//! A script's result, written as the text of a definition file, so that the same code reads it and reports the same
//! errors. A map from positions to paths then translates errors for the author, who never sees that text.

use crate::data::{CatalogError, Position};
use crate::script::value::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Text with one line per key, and the path to each value by its position.
#[derive(Debug, Default)]
pub struct DefinitionText {
    /// Text of the definition.
    pub text: String,
    line: u32,
    column: u32,
    places: BTreeMap<(u32, u32), String>,
}

impl DefinitionText {
    /// Writes the entries of a table. Empty tables are left out, because an empty table may as well be an empty list.
    pub fn of(entries: &BTreeMap<String, Value>) -> Self {
        let mut laid = Self::default();
        for (key, value) in entries.iter().filter(|(_, value)| !is_empty(value)) {
            (laid.line, laid.column) = (laid.line + 1, 1);
            laid.places.insert((laid.line, 1), key.clone());
            laid.quoted(key);
            laid.put(" = ");
            laid.value(value, key);
            laid.put("\n");
        }
        laid
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    }

    fn quoted(&mut self, text: &str) {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
        self.put(&format!("\"{escaped}\""));
    }

    fn value(&mut self, value: &Value, path: &str) {
        self.places.insert((self.line, self.column), path.to_owned());
        match value {
            Value::Nil => self.put("false"),
            Value::Truth(truth) => self.put(if *truth { "true" } else { "false" }),
            Value::Number(number) => self.put(&number.to_string()),
            Value::Text(text) => self.quoted(text),
            Value::List(values) => {
                self.put("[");
                for (at, value) in (1..).zip(values) {
                    self.put(if at > 1 { ", " } else { "" });
                    self.value(value, &format!("{path}[{at}]"));
                }
                self.put("]");
            }
            Value::Table(entries) => {
                self.put("{");
                let filled = entries.iter().filter(|(_, value)| !is_empty(value));
                for (at, (key, value)) in filled.enumerate() {
                    self.put(if at > 0 { ", " } else { "" });
                    let mut inner = path.to_owned();
                    let _ = write!(inner, ".{key}");
                    self.places.insert((self.line, self.column), inner.clone());
                    self.quoted(key);
                    self.put(" = ");
                    self.value(value, &inner);
                }
                self.put("}");
            }
        }
    }

    /// Returns the path of the value at a position.
    fn path_at(&self, place: &Position) -> Option<&str> {
        let before = self.places.range(..=(place.line, place.column));
        before.last().map(|(_, path)| path.as_str())
    }

    /// Moves an error in a function's result to the function's position and adds the path of the value to the message.
    pub fn placed_at(&self, mut mistake: CatalogError, function: &Position) -> CatalogError {
        if let Some(path) = self.path_at(&mistake.place) {
            mistake.message = format!("{} at `{path}`", mistake.message);
        }
        mistake.place = function.clone();
        mistake
    }

    /// Moves an error in a script's data to the first line of the script that mentions the key.
    pub fn placed_in_source(&self, mut mistake: CatalogError, source: &str) -> CatalogError {
        mistake.place = self.place_in_source(&mistake.place, source);
        mistake
    }

    /// Returns the first line of a script that mentions the key of the value at a position.
    pub fn place_in_source(&self, place: &Position, source: &str) -> Position {
        let key = self.path_at(place).unwrap_or_default().rsplit('.').next().unwrap_or_default();
        let key = key.split('[').next().unwrap_or_default();
        let names = |line: &str| {
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            !key.is_empty() && words.any(|word| word == key)
        };
        let line = (1..).zip(source.lines()).find(|(_, line)| names(line)).map_or(1, |(number, _)| number);
        Position { line, ..Position::start(&place.file) }
    }
}

/// Returns `true` for an empty table or list.
fn is_empty(value: &Value) -> bool {
    value.list().is_some_and(<[Value]>::is_empty)
}
