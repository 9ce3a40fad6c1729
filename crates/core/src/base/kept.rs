//! Values of which the JSON is kept.

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

/// Value that is cheap to clone, and to write as JSON again: the text is kept until the value changes.
#[derive(Default)]
pub struct Kept<T>(Arc<KeptValue<T>>);

#[derive(Default)]
struct KeptValue<T> {
    value: T,
    json: OnceLock<Box<RawValue>>,
}

/// The copy is made to be changed, so that its text is not kept.
impl<T: Clone> Clone for KeptValue<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), json: OnceLock::new() }
    }
}

impl<T: Default + PartialEq> Kept<T> {
    /// Returns `true` for the default value.
    pub fn is_default(&self) -> bool {
        **self == T::default()
    }
}

impl<T> From<T> for Kept<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(KeptValue { value, json: OnceLock::new() }))
    }
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Kept<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl<T: Eq> Eq for Kept<T> {}

/// Formats the value without a wrapper.
impl<T: fmt::Debug> fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: Clone> DerefMut for Kept<T> {
    fn deref_mut(&mut self) -> &mut T {
        let kept = Arc::make_mut(&mut self.0);
        kept.json.take();
        &mut kept.value
    }
}

impl<T: Serialize> Serialize for Kept<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(json) = self.0.json.get() {
            return json.serialize(serializer);
        }
        let json = to_raw_value(&self.0.value).map_err(S::Error::custom)?;
        self.0.json.get_or_init(|| json).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Kept<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_follows_every_change_of_a_value_and_of_its_clones() {
        let mut one = Kept::from(vec![1, 2]);
        let text = |kept: &Kept<Vec<i32>>| serde_json::to_string(kept).unwrap();
        assert_eq!((text(&one), text(&one)), ("[1,2]".to_owned(), "[1,2]".to_owned()));
        let other = one.clone();
        one.push(3);
        assert_eq!((text(&one), text(&other)), ("[1,2,3]".to_owned(), "[1,2]".to_owned()));
        one.pop();
        assert_eq!((text(&one), &one), ("[1,2]".to_owned(), &other));
        assert_eq!(serde_json::to_value(&one).unwrap(), serde_json::json!([1, 2]));
        assert_eq!(serde_json::from_str::<Kept<Vec<i32>>>("[1,2]").unwrap(), one);
        assert!(Kept::<Vec<i32>>::default().is_default() && !one.is_default());
    }
}
