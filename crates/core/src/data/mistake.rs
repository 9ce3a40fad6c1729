//! Errors in content, scripts and settings, as shown to their authors. The kinds differ only in how a place is named.

use crate::text::{least_unlike, nearest};
use std::fmt;

/// Maximum number of valid names that are listed in full.
const LISTED_MAX: usize = 40;
/// Number of example names listed when there are more than [`LISTED_MAX`].
const EXAMPLES: usize = 6;

/// A place in a file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Path below `content/`, or the file name as given.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl Position {
    /// Returns the first position of a file.
    pub fn start(file: &str) -> Self {
        Self { file: file.to_owned(), line: 1, column: 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// An error in authored text. Displayed on one line: `PLACE: MESSAGE, expected EXPECTED, did you mean ...?`
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{place}: {message}{expected}{nearest}")]
pub struct Mistake<P = Position> {
    /// Place of the error.
    pub place: P,
    /// Description of the error.
    pub message: String,
    /// Description of a valid value.
    pub expected: ExpectedValue,
    /// Nearest valid name, if a name is invalid.
    pub nearest: Nearest,
}

/// An error in content files.
pub type CatalogError = Mistake<Position>;

/// Description of a valid value; empty if that is obvious.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExpectedValue(pub String);

/// Suggested name, if a similar one exists.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nearest(pub Option<String>);

impl fmt::Display for ExpectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, ", expected {}", self.0) }
    }
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |name| write!(f, ", did you mean `{name}`?"))
    }
}

impl<P: Clone> Mistake<P> {
    /// Creates an error at a place. Pass an empty `expected` if the cure is obvious.
    pub fn new(place: &P, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            place: place.clone(),
            message: message.into(),
            expected: ExpectedValue(expected.into()),
            nearest: Nearest::default(),
        }
    }

    /// Sets the suggested name.
    #[must_use]
    pub fn with_nearest(mut self, nearest: Option<impl Into<String>>) -> Self {
        self.nearest = Nearest(nearest.map(Into::into));
        self
    }

    /// Creates an error for an unknown name and lists the valid names, or the most similar ones if there are many.
    pub fn unknown_name<'n>(
        place: &P,
        what: &str,
        name: &str,
        valid: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let mut valid: Vec<&str> = valid.into_iter().collect();
        let expected = if valid.len() <= LISTED_MAX {
            format!("one of {}", valid.join(", "))
        } else {
            let like = least_unlike(EXAMPLES, name, valid.iter().copied());
            format!("one of {} names such as {}", valid.len(), like.join(", "))
        };
        let mistake = Self::new(place, format!("unknown {what} `{name}`"), expected);
        valid.sort_unstable();
        mistake.with_nearest(nearest(name, valid))
    }
}

impl<P> Mistake<P> {
    /// Returns the message without the place.
    pub fn words(&self) -> String {
        format!("{}{}{}", self.message, self.expected, self.nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_name_lists_are_reduced_to_similar_names() {
        let names: Vec<String> = (0..150).map(|number| format!("beast_{number:03}")).collect();
        let valid = names.iter().map(String::as_str).chain(["goblin", "goblins", "cobbler"]);
        let mistake = Mistake::unknown_name(&Position::start("a.toml"), "creature", "gobln", valid);
        assert_eq!(
            mistake.to_string(),
            "a.toml:1:1: unknown creature `gobln`, expected one of 153 names such as goblin, goblins, cobbler, beast_000, \
             beast_001, beast_002, did you mean `goblin`?"
        );
    }
}
