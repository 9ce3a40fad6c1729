//! What is wrong in the configuration, and where it was written.

use std::fmt;
use std::sync::Arc;

/// Where a value was written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Nowhere: the default.
    BuiltIn,
    /// In a file; lines and columns count from 1, columns in characters.
    File {
        /// The name of the file as it was given.
        file: Arc<str>,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// In a variable of the environment.
    Environment(String),
    /// In an argument `--set`, which is given here without its value.
    Set(String),
}

impl Place {
    /// The place of a byte in a file.
    pub(super) fn at(file: &Arc<str>, text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self::File {
            file: Arc::clone(file),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::File { file, line, column } => write!(f, "{file}:{line}:{column}"),
            Self::Environment(variable) => write!(f, "environment {variable}"),
            Self::Set(setting) => write!(f, "--set {setting}"),
        }
    }
}

/// One thing that is wrong, in words for the operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Where it was written.
    pub place: Place,
    /// What is wrong.
    pub what: String,
    /// What was expected instead, if that is not clear from what is wrong.
    pub expected: Option<String>,
    /// The nearest name or word that would be right.
    pub nearest: Option<String>,
}

impl Mistake {
    /// A mistake that needs no more words.
    pub(super) fn new(place: Place, what: impl Into<String>) -> Self {
        Self { place, what: what.into(), expected: None, nearest: None }
    }

    /// Adds what was expected.
    pub(super) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds the nearest name that would be right.
    pub(in crate::server) fn nearest(mut self, nearest: Option<impl Into<String>>) -> Self {
        self.nearest = nearest.map(Into::into);
        self
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)?;
        if let Some(expected) = &self.expected {
            write!(f, ", expected {expected}")?;
        }
        if let Some(nearest) = &self.nearest {
            write!(f, ", did you mean `{nearest}`?")?;
        }
        Ok(())
    }
}

/// The candidate most like what was written: at most two slips away, one in words of up to four letters.
pub(in crate::server) fn nearest<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let slips = if written.chars().count() <= 4 { 1 } else { 2 };
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(written, candidate), candidate))
        .filter(|(distance, _)| *distance <= slips)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_forgive_one_slip_and_long_ones_two() {
        assert_eq!(nearest("sede", ["seed", "name"]), Some("seed"));
        assert_eq!(nearest("sdea", ["seed"]), None);
        assert_eq!(nearest("wndwo", ["window"]), Some("window"));
        assert_eq!(nearest("wndws", ["welcome", "windmill"]), None);
    }

    #[test]
    fn columns_count_characters() {
        let file = Arc::from("f");
        assert_eq!(Place::at(&file, "a\nüü = 1", 7).to_string(), "f:2:4");
        assert_eq!(Place::at(&file, "", 0).to_string(), "f:1:1");
    }
}
