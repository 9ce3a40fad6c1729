//! Values of a definition that the reader of the file passes on without knowing what they are for.

use std::collections::BTreeMap;
use toml::de::DeValue;

/// A value of TOML without fractions and dates, which no rule counts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// Yes or no.
    Truth(bool),
    /// Several values.
    List(Vec<Self>),
    /// Values by name.
    Table(BTreeMap<String, Self>),
}

impl Value {
    /// What would be right where something else stands.
    pub const EXPECTED: &'static str = "texts, whole numbers, true or false, lists and tables of them";

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The number, if it is one.
    pub const fn number(&self) -> Option<i64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// Yes or no, if it is that.
    pub const fn truth(&self) -> Option<bool> {
        if let Self::Truth(truth) = self { Some(*truth) } else { None }
    }

    /// The value of a parsed file. None if it is, or holds, a fraction or a date.
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
