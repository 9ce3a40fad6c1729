//! Fields that few rows set.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Returns `true` for the default value, which a stored row leaves out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Type with a value that most rows have.
pub trait Usual: PartialEq + 'static {
    /// The value.
    const USUAL: &'static Self;
}

impl Usual for String {
    const USUAL: &'static Self = &Self::new();
}

impl<T: PartialEq + 'static> Usual for Option<T> {
    const USUAL: &'static Self = &None;
}

impl<T: PartialEq + 'static> Usual for Vec<T> {
    const USUAL: &'static Self = &Self::new();
}

impl<T: Ord + 'static> Usual for BTreeSet<T> {
    const USUAL: &'static Self = &Self::new();
}

impl<K: PartialEq + 'static, V: PartialEq + 'static> Usual for BTreeMap<K, V> {
    const USUAL: &'static Self = &Self::new();
}

/// Value that takes no memory beyond a pointer while it is the usual one. Changing it in place allocates; assigning the
/// usual value frees.
pub struct Rare<T>(Option<Box<T>>);

impl<T: Usual> Rare<T> {
    /// Creates the usual value.
    pub const fn usual() -> Self {
        Self(None)
    }

    /// Returns `true` for the usual value.
    pub fn is_usual(&self) -> bool {
        self.0.is_none() || **self == *T::USUAL
    }
}

impl<T: Usual + Clone> Rare<T> {
    /// Returns the value itself.
    pub fn into_value(self) -> T {
        self.0.map_or_else(|| T::USUAL.clone(), |value| *value)
    }

    /// Returns a copy of the value itself.
    pub fn to_value(&self) -> T {
        T::clone(self)
    }
}

impl<T: Usual> From<T> for Rare<T> {
    fn from(value: T) -> Self {
        Self((value != *T::USUAL).then(|| Box::new(value)))
    }
}

impl<T: Usual> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::USUAL)
    }
}

impl<T: Usual + Clone> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_with(|| Box::new(T::USUAL.clone()))
    }
}

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// A copy of the usual value does not allocate.
impl<T: Usual + Clone> Clone for Rare<T> {
    fn clone(&self) -> Self {
        if self.is_usual() { Self(None) } else { Self(self.0.clone()) }
    }
}

impl<T: Usual> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Usual + Eq> Eq for Rare<T> {}

/// Formats the value without a wrapper.
impl<T: Usual + fmt::Debug> fmt::Debug for Rare<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: Usual + fmt::Display> fmt::Display for Rare<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<A, T: Usual + FromIterator<A>> FromIterator<A> for Rare<T> {
    fn from_iter<I: IntoIterator<Item = A>>(values: I) -> Self {
        T::from_iter(values).into()
    }
}

#[expect(clippy::into_iter_without_iter, reason = "the value has the method")]
impl<'a, T: Usual> IntoIterator for &'a Rare<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}

impl<T: Usual + Serialize> Serialize for Rare<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize(self, serializer)
    }
}

impl<'de, T: Usual + Deserialize<'de>> Deserialize<'de> for Rare<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_value_has_no_allocation() {
        let mut list = Rare::from(Vec::<String>::new());
        assert!(list.0.is_none() && list.is_usual() && list.is_empty());
        list.push("rope".to_owned());
        assert_eq!(format!("{list:?}"), r#"["rope"]"#);
        assert_eq!(serde_json::to_string(&list).unwrap(), r#"["rope"]"#);
        list.clear();
        assert_eq!((&list, list.clone().0), (&Rare::usual(), None));
        let parsed: Rare<BTreeMap<String, u32>> = serde_json::from_str("{}").unwrap();
        assert!(parsed.0.is_none());
        assert_eq!(Rare::from(Some(3)).into_value(), Some(3));
        assert_eq!(Rare::<Option<u8>>::usual().to_value(), None);
    }
}
