//! Sorted table of definitions by text key. Look-up by hash is several times as fast as in a tree of strings.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::ops::Deref;

/// Values by key, in key order, with a hash that is the same on every machine. Optimised for look-up: insertion and
/// removal shift the entries behind the key.
#[derive(Clone, PartialEq, Eq)]
pub struct Keyed<T>(IndexMap<String, T, FxBuildHasher>);

impl<T> Keyed<T> {
    /// Inserts a value and returns the previous one.
    pub fn insert(&mut self, key: String, value: T) -> Option<T> {
        self.0.insert_sorted(key, value).1
    }

    /// Removes a key and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<T> {
        self.0.shift_remove(key)
    }

    /// Returns the value of a key for editing.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        self.0.get_mut(key)
    }

    /// Returns all values for editing, in key order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.values_mut()
    }
}

impl<T> Default for Keyed<T> {
    fn default() -> Self {
        Self(IndexMap::default())
    }
}

impl<T> Deref for Keyed<T> {
    type Target = IndexMap<String, T, FxBuildHasher>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Keyed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> FromIterator<(String, T)> for Keyed<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(pairs: I) -> Self {
        let mut all: IndexMap<_, _, _> = pairs.into_iter().collect();
        all.sort_unstable_keys();
        Self(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_sorted() {
        let pairs = |keys: &[&str]| keys.iter().map(|key| ((*key).to_owned(), key.len())).collect();
        let mut one = Keyed::default();
        for key in ["well", "rat", "orc", "bat"] {
            assert_eq!(one.insert(key.to_owned(), 0), None);
        }
        assert_eq!(
            (one.remove("rat"), one.insert("orc".to_owned(), 3), one.get("bat")),
            (Some(0), Some(0), Some(&0))
        );
        one.values_mut().for_each(|value| *value = 3);
        *one.get_mut("well").unwrap() = 4;
        let other: Keyed<usize> = pairs(&["well", "bat", "orc"]);
        assert_eq!(format!("{one:?}"), r#"{"bat": 3, "orc": 3, "well": 4}"#);
        assert!(one == other && one.keys().eq(other.keys()));
    }
}
