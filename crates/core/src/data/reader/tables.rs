//! Reading of nested tables: single tables, lists of tables, and tables with free keys.

use super::Reader;
use crate::base::Keyed;
use crate::data::FileValue;
use std::collections::BTreeMap;
use std::rc::Rc;
use toml::de::{DeTable, DeValue};

impl Reader<'_> {
    /// Returns the keys that have not been read yet, sorted.
    pub fn names(&self) -> Vec<String> {
        self.entries.keys().cloned().collect()
    }

    /// Reads a table whose values are non-empty lists of texts.
    pub fn lists(&mut self, name: &str) -> Keyed<Vec<String>> {
        let mut lists = Keyed::default();
        if let Some(mut table) = self.table_if_any(name) {
            for name in table.names() {
                let texts = table.texts(&name, 1);
                lists.insert(name, texts);
            }
        }
        self.listed.record(name, || "table of lists of texts".to_owned());
        lists
    }

    /// Reads an optional table of texts; empty if missing.
    pub fn pairs(&mut self, name: &str) -> BTreeMap<String, String> {
        let mut pairs = BTreeMap::new();
        if let Some(mut table) = self.table_if_any(name) {
            for name in table.names() {
                let text = table.text(&name);
                pairs.insert(name, text);
            }
        }
        self.listed.record(name, || "table of texts".to_owned());
        pairs
    }

    /// Reads an optional table of untyped values; empty if missing.
    pub fn values(&mut self, name: &str) -> BTreeMap<String, FileValue> {
        let mut values = BTreeMap::new();
        if let Some(mut table) = self.table_if_any(name) {
            for (name, (_, span, value)) in std::mem::take(&mut table.entries) {
                if let Some(value) = FileValue::of(value) {
                    values.insert(name, value);
                } else {
                    let place = table.source.place_of(span.start);
                    table.unfit(&place, &name, FileValue::EXPECTED);
                }
            }
        }
        self.listed.record(name, || "table".to_owned());
        values
    }

    /// Reads a required table.
    pub fn table(&mut self, name: &str) -> Option<Reader<'_>> {
        if !self.entries.contains_key(name) {
            self.missing(name, "a table");
        }
        self.table_if_any(name)
    }

    /// Reads an optional table.
    pub fn table_if_any(&mut self, name: &str) -> Option<Reader<'_>> {
        self.listed.record(name, || "table".to_owned());
        if self.listed.is_listing() {
            return Some(self.inner(name));
        }
        let (place, value) = self.take(name)?;
        if let DeValue::Table(table) = value {
            return Some(Reader::over(Rc::clone(&self.source), place, table, self.mistakes));
        }
        self.unfit(&place, name, "a table");
        None
    }

    /// Returns a reader of an empty table inside this one, for a list of fields.
    fn inner(&mut self, name: &str) -> Reader<'_> {
        let mut inner =
            Reader::over(Rc::clone(&self.source), self.place.clone(), DeTable::new(), self.mistakes);
        inner.listed = self.listed.inner(name);
        inner
    }

    /// Reads an optional table with `read` and finishes it.
    pub fn table_of<T>(&mut self, name: &str, read: impl FnOnce(&mut Reader<'_>) -> T) -> Option<T> {
        let mut table = self.table_if_any(name)?;
        let read = read(&mut table);
        table.finish();
        Some(read)
    }

    /// Reads each table of an optional list of tables.
    pub fn tables_if_any<T>(&mut self, name: &str, read: impl FnMut(&mut Reader<'_>) -> T) -> Vec<T> {
        self.listed.record_optional(name);
        let is_read = self.listed.is_listing() || self.entries.contains_key(name);
        if is_read { self.tables(name, read) } else { Vec::new() }
    }

    /// Reads each table of a required list of tables.
    pub fn tables<T>(&mut self, name: &str, mut read: impl FnMut(&mut Reader<'_>) -> T) -> Vec<T> {
        self.listed.record(name, || "list of tables".to_owned());
        let Some((place, value)) = self.take(name) else {
            self.missing(name, "a list of tables");
            if self.listed.is_listing() {
                read(&mut self.inner(name));
            }
            return Vec::new();
        };
        let DeValue::Array(array) = value else {
            self.unfit(&place, name, "a list of tables");
            return Vec::new();
        };
        let mut read_ones = Vec::new();
        for value in array {
            let place = self.source.place_of(value.span().start);
            if let DeValue::Table(table) = value.into_inner() {
                let mut reader = Reader::over(Rc::clone(&self.source), place, table, self.mistakes);
                read_ones.push(read(&mut reader));
                reader.finish();
            } else {
                self.unfit(&place, name, "tables");
            }
        }
        read_ones
    }
}
