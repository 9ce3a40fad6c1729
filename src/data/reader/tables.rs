//! Tables inside a table: one, a list of them, and those whose keys are free.

use super::Reader;
use crate::base::Keyed;
use crate::data::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use toml::de::DeValue;

impl Reader<'_> {
    /// The keys of the table that have not been taken, in their order.
    pub fn names(&self) -> Vec<String> {
        self.entries.keys().cloned().collect()
    }

    /// A table of named lists of texts, none of them empty.
    pub fn lists(&mut self, name: &str) -> Keyed<Vec<String>> {
        let mut lists = Keyed::default();
        if let Some(mut table) = self.table_if_any(name) {
            for name in table.names() {
                let texts = table.texts(&name, 1);
                lists.insert(name, texts);
            }
        }
        lists
    }

    /// A table of named texts; empty if there is none.
    pub fn pairs(&mut self, name: &str) -> BTreeMap<String, String> {
        let mut pairs = BTreeMap::new();
        if let Some(mut table) = self.table_if_any(name) {
            for name in table.names() {
                let text = table.text(&name);
                pairs.insert(name, text);
            }
        }
        pairs
    }

    /// A table of values that are for others to know; empty if there is none.
    pub fn values(&mut self, name: &str) -> BTreeMap<String, Value> {
        let mut values = BTreeMap::new();
        if let Some(mut table) = self.table_if_any(name) {
            for (name, (_, span, value)) in std::mem::take(&mut table.entries) {
                if let Some(value) = Value::of(value) {
                    values.insert(name, value);
                } else {
                    let place = table.source.place_of(span.start);
                    table.unfit(&place, &name, Value::EXPECTED);
                }
            }
        }
        values
    }

    /// A table that has to be there.
    pub fn table(&mut self, name: &str) -> Option<Reader<'_>> {
        if !self.entries.contains_key(name) {
            self.missing(name, "a table");
        }
        self.table_if_any(name)
    }

    /// A table.
    pub fn table_if_any(&mut self, name: &str) -> Option<Reader<'_>> {
        let (place, value) = self.take(name)?;
        if let DeValue::Table(table) = value {
            return Some(Reader::over(Rc::clone(&self.source), place, table, self.mistakes));
        }
        self.unfit(&place, name, "a table");
        None
    }

    /// Reads a table, if there is one.
    pub fn table_of<T>(&mut self, name: &str, read: impl FnOnce(&mut Reader<'_>) -> T) -> Option<T> {
        let mut table = self.table_if_any(name)?;
        let read = read(&mut table);
        table.finish();
        Some(read)
    }

    /// Reads each table of a list of tables, if there is such a list.
    pub fn tables_if_any<T>(&mut self, name: &str, read: impl FnMut(&mut Reader<'_>) -> T) -> Vec<T> {
        if self.entries.contains_key(name) { self.tables(name, read) } else { Vec::new() }
    }

    /// Reads each table of a list of tables.
    pub fn tables<T>(&mut self, name: &str, mut read: impl FnMut(&mut Reader<'_>) -> T) -> Vec<T> {
        let Some((place, value)) = self.take(name) else {
            self.missing(name, "a list of tables");
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
