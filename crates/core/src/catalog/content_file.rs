//! A content file with one definition, while it is read.

use crate::data::{CatalogError, Reader, key_of};
use std::collections::BTreeMap;

/// A content file, and the list of the errors found so far.
pub(super) struct ContentFile<'f> {
    /// Path below `content/`.
    pub(super) path: &'f str,
    pub(super) text: &'f str,
    pub(super) mistakes: &'f mut Vec<CatalogError>,
}

impl ContentFile<'_> {
    /// Reads the definition; `None` if the syntax is invalid.
    pub(super) fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'_>) -> T) -> Option<T> {
        Reader::whole(self.path, self.text, self.mistakes, read)
    }

    /// Stores a definition under the key of the file. Returns the key.
    pub(super) fn store<T>(&self, defined: T, all: &mut BTreeMap<String, T>) -> String {
        let key = key_of(self.path);
        all.insert(key.to_owned(), defined);
        key.to_owned()
    }

    /// Reads the definition and stores it. Returns the key; `None` if the syntax is invalid.
    pub(super) fn read_into<T>(
        &mut self,
        all: &mut BTreeMap<String, T>,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> Option<String> {
        let defined = self.read(read)?;
        Some(self.store(defined, all))
    }
}
