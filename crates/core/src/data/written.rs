//! Fields of definitions as written into a file. What is not set is not written.

use super::Position;
use super::edit::quoted;
use crate::base::Rare;
use crate::base::rare::Usual;
use std::collections::{BTreeMap, BTreeSet};

/// A key and its value as TOML.
pub(crate) type WrittenField = (&'static str, String);

/// Value of a field that can be written.
pub(crate) trait FileField {
    /// Adds the fields of the value, usually one under its key, unless it is not set.
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>);
}

/// Returns texts as a list on one line; `None` if there are none.
fn list<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Option<String> {
    let texts: Vec<String> = texts.into_iter().map(|one| quoted(one.as_ref())).collect();
    (!texts.is_empty()).then(|| format!("[{}]", texts.join(", ")))
}

impl FileField for bool {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.extend(self.then(|| (key, self.to_string())));
    }
}

impl FileField for u32 {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.extend((*self > 0).then(|| (key, self.to_string())));
    }
}

impl FileField for String {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.extend((!self.is_empty()).then(|| (key, quoted(self))));
    }
}

impl<T: FileField> FileField for Option<T> {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        if let Some(value) = self {
            value.write(key, fields);
        }
    }
}

impl<T: FileField + Usual> FileField for Rare<T> {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        T::write(self, key, fields);
    }
}

impl FileField for Box<str> {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.push((key, quoted(self)));
    }
}

impl FileField for (Position, String) {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        self.1.write(key, fields);
    }
}

impl FileField for Vec<String> {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.extend(list(self).map(|list| (key, list)));
    }
}

impl FileField for BTreeSet<String> {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.extend(list(self).map(|list| (key, list)));
    }
}

impl FileField for Vec<(Position, String)> {
    fn write(&self, key: &'static str, fields: &mut Vec<WrittenField>) {
        fields.extend(list(self.iter().map(|(_, text)| text)).map(|list| (key, list)));
    }
}

/// The place of a definition is not written.
impl FileField for Position {
    fn write(&self, _: &'static str, _: &mut Vec<WrittenField>) {}
}

/// Texts by their keys have tables of their own.
impl FileField for BTreeMap<String, String> {
    fn write(&self, _: &'static str, _: &mut Vec<WrittenField>) {}
}
