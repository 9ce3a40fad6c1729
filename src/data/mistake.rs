//! What is wrong in something that somebody wrote, for its author: one form for content, scripts and settings, which
//! differ only in how a place is told.

use crate::text::{least_unlike, nearest};
use std::fmt;

/// More valid names than this nobody reads to the end of.
const LISTED_MAX: usize = 40;
/// How many stand for them then.
const EXAMPLES: usize = 6;

/// A place in a file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Path below `content/`, or the file as it was named.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl Position {
    /// Where a file begins.
    pub fn start(file: &str) -> Self {
        Self { file: file.to_owned(), line: 1, column: 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A mistake: where, what, what would be right. In one line: `PLACE: WRONG, expected EXPECTED, did you mean ...?`
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{place}: {wrong}{expected}{nearest}")]
pub struct Mistake<P = Position> {
    /// Where it is.
    pub place: P,
    /// What is wrong.
    pub wrong: String,
    /// What would be right.
    pub expected: Expected,
    /// The nearest valid name, where a name is wrong.
    pub nearest: Nearest,
}

/// A mistake in the content.
pub type CatalogError = Mistake<Position>;

/// What would be right; empty if that is plain.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expected(pub String);

/// A name that may have been meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nearest(pub Option<String>);

impl fmt::Display for Expected {
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
    /// A mistake at a place; nothing is expected where that is plain.
    pub fn new(place: &P, wrong: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            place: place.clone(),
            wrong: wrong.into(),
            expected: Expected(expected.into()),
            nearest: Nearest::default(),
        }
    }

    /// Adds the name that may have been meant.
    #[must_use]
    pub fn with_nearest(mut self, nearest: Option<impl Into<String>>) -> Self {
        self.nearest = Nearest(nearest.map(Into::into));
        self
    }

    /// A name that refers to nothing, with the valid ones; of a great many those that it looks like.
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
    /// What is wrong and what would be right, without its place.
    pub fn words(&self) -> String {
        format!("{}{}{}", self.wrong, self.expected, self.nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_great_many_names_those_like_the_unknown_one_are_told() {
        let names: Vec<String> = (0..150).map(|number| format!("beast_{number:03}")).collect();
        let valid = names.iter().map(String::as_str).chain(["goblin", "goblins", "cobbler"]);
        let mistake = Mistake::unknown_name(&Position::start("a.toml"), "mob", "gobln", valid);
        assert_eq!(
            mistake.to_string(),
            "a.toml:1:1: unknown mob `gobln`, expected one of 153 names such as goblin, goblins, cobbler, beast_000, \
             beast_001, beast_002, did you mean `goblin`?"
        );
    }
}
