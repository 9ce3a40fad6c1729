//! Renderings of a text that several clients read: each form is made once and kept with the text.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// Maximum number of forms kept with one text; later forms are made for each client.
const KEPT_MAX: usize = 8;

/// Renderings by key. They follow from the text, so that they are no part of its value: copies begin without them, and
/// they make no difference when texts are compared.
#[derive(Default)]
pub(super) struct Renderings(OnceLock<Box<Rendering>>);

struct Rendering {
    key: u32,
    text: String,
    next: Renderings,
}

impl Renderings {
    /// Returns no renderings.
    pub(super) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Returns a kept rendering.
    pub(super) fn get(&self, key: u32) -> Option<&str> {
        let mut list = self;
        while let Some(rendering) = list.0.get() {
            if rendering.key == key {
                return Some(&rendering.text);
            }
            list = &rendering.next;
        }
        None
    }

    /// Keeps a rendering, unless there are too many already.
    pub(super) fn keep(&self, key: u32, text: String) -> Cow<'_, str> {
        let mut new = Box::new(Rendering { key, text, next: Self::new() });
        let mut list = self;
        for _ in 0..KEPT_MAX {
            match list.0.set(new) {
                Ok(()) => return list.0.get().map_or("", |kept| &kept.text).into(),
                Err(refused) => new = refused,
            }
            match list.0.get() {
                Some(other) if other.key == key => return other.text.as_str().into(),
                Some(other) => list = &other.next,
                None => break,
            }
        }
        new.text.into()
    }
}

impl Clone for Renderings {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl PartialEq for Renderings {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Renderings {}

impl Hash for Renderings {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for Renderings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("..")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_forms_are_kept_and_each_once() {
        let renderings = Renderings::new();
        assert_eq!(renderings.keep(1, "one".to_owned()), "one");
        assert_eq!(renderings.keep(1, "other".to_owned()), "one");
        for key in 2..=8 {
            assert!(matches!(renderings.keep(key, key.to_string()), Cow::Borrowed(_)));
        }
        assert_eq!(renderings.keep(9, "nine".to_owned()), "nine");
        assert_eq!((renderings.get(8), renderings.get(9)), (Some("8"), None));
        assert_eq!(renderings.clone().get(1), None);
    }
}
