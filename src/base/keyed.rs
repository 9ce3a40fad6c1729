//! A table of definitions by text keys, in the order of the keys: a key is found by its hash, several times as fast as in
//! a tree of texts.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::ops::Deref;

/// Values by their keys, which are hashed alike on every machine. Made seldom, looked up often: to add a key or to take
/// one away moves those behind it.
#[derive(Clone, PartialEq, Eq)]
pub struct Keyed<T>(IndexMap<String, T, FxBuildHasher>);

impl<T> Keyed<T> {
    /// Puts a value at a key, and gives back what was there.
    pub fn insert(&mut self, key: String, value: T) -> Option<T> {
        self.0.insert_sorted(key, value).1
    }

    /// Takes a key away, with its value.
    pub fn remove(&mut self, key: &str) -> Option<T> {
        self.0.shift_remove(key)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        self.0.get_mut(key)
    }

    /// All values in the order of their keys, to be changed.
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

    /// However keys come and go, they stand in their order, as those that are given at once.
    #[test]
    fn keys_keep_their_order() {
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
