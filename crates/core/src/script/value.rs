//! Plain values, which are passed between the game and scripts.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A plain value: no identity, no address-dependent order, no fractions. Stored as JSON.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Absence of a value.
    #[default]
    Nil,
    /// Boolean.
    Truth(bool),
    /// Whole number.
    Number(i64),
    /// Text.
    Text(String),
    /// List of values.
    List(Vec<Value>),
    /// Table of values by name.
    Table(BTreeMap<String, Value>),
}

impl Value {
    /// Largest whole number that both sides represent exactly.
    pub const NUMBER_MAX: i64 = (1 << 53) - 1;

    /// Creates a table.
    pub fn table<K: Into<String>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Table(entries.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// Creates a text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Returns the entry of a name, if this is a table that has it.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Table(entries) => entries.get(name),
            _ => None,
        }
    }

    /// Returns the values of a list; `None` for other values. An empty table counts as an empty list, because Luau does
    /// not distinguish them.
    pub fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(values) => Some(values),
            Self::Table(entries) if entries.is_empty() => Some(&[]),
            _ => None,
        }
    }

    /// Returns the text if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the kind of the value for error messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nil => "nothing",
            Self::Truth(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// Returns the number of values in it, including itself.
    pub fn count(&self) -> usize {
        1 + match self {
            Self::List(values) => values.iter().map(Self::count).sum(),
            Self::Table(entries) => entries.values().map(Self::count).sum(),
            _ => 0,
        }
    }

    /// Returns the approximate size in storage, in bytes.
    pub fn bytes(&self) -> usize {
        8 + match self {
            Self::Text(text) => text.len(),
            Self::List(values) => values.iter().map(Self::bytes).sum(),
            Self::Table(entries) => entries.iter().map(|(name, value)| name.len() + 4 + value.bytes()).sum(),
            Self::Nil | Self::Truth(_) | Self::Number(_) => 0,
        }
    }
}
