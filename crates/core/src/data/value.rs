//! Untyped values of a definition, for content that the reader passes on without interpreting it.

use std::collections::BTreeMap;
use toml::de::DeValue;

/// A TOML value without fractions and dates, which the game does not use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileValue {
    /// String.
    Text(String),
    /// Whole number.
    Number(i64),
    /// Boolean.
    Truth(bool),
    /// List of values.
    List(Vec<Self>),
    /// Table of values by key.
    Table(BTreeMap<String, Self>),
}

impl FileValue {
    /// Description of valid values for error messages.
    pub const EXPECTED: &'static str = "texts, whole numbers, true or false, lists and tables of them";

    /// Returns the text if this is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the number if this is one.
    pub const fn number(&self) -> Option<i64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// Returns the boolean if this is one.
    pub const fn truth(&self) -> Option<bool> {
        if let Self::Truth(truth) = self { Some(*truth) } else { None }
    }

    /// Converts a parsed value. `None` if it is or contains a fraction or a date.
    pub(super) fn of(value: DeValue<'_>) -> Option<Self> {
        Some(match value {
            DeValue::String(text) => Self::Text(text.into_owned()),
            DeValue::Integer(number) => {
                Self::Number(i64::from_str_radix(number.as_str(), number.radix()).ok()?)
            }
            DeValue::Boolean(truth) => Self::Truth(truth),
            DeValue::Array(array) => Self::List(
                array.into_iter().map(|value| Self::of(value.into_inner())).collect::<Option<_>>()?,
            ),
            DeValue::Table(table) => {
                let entry =
                    |(key, value): (toml::Spanned<std::borrow::Cow<'_, str>>, toml::Spanned<DeValue<'_>>)| {
                        Some((key.into_inner().into_owned(), Self::of(value.into_inner())?))
                    };
                Self::Table(table.into_iter().map(entry).collect::<Option<_>>()?)
            }
            DeValue::Float(_) | DeValue::Datetime(_) => return None,
        })
    }
}
