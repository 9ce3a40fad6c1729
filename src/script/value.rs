//! Plain values: what crosses the border between the game and a program.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value without identity, order by address or fractions. In storage it is JSON.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing.
    #[default]
    Nil,
    /// Yes or no.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
    /// Values one after the other.
    List(Vec<Value>),
    /// Values by name.
    Table(BTreeMap<String, Value>),
}

impl Value {
    /// The greatest whole number that both sides can tell from the next one.
    pub const NUMBER_MAX: i64 = (1 << 53) - 1;

    /// A table of these.
    pub fn table<K: Into<String>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Table(entries.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// What stands under a name, if it is a table that has it.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Table(entries) => entries.get(name),
            _ => None,
        }
    }

    /// The values of a list; none of anything else. A table without entries is an empty list, too: Luau knows no difference.
    pub fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(values) => Some(values),
            Self::Table(entries) if entries.is_empty() => Some(&[]),
            _ => None,
        }
    }

    /// The text that it is.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for a mistake.
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

    /// Values in it, all in all, itself among them.
    pub fn count(&self) -> usize {
        1 + match self {
            Self::List(values) => values.iter().map(Self::count).sum(),
            Self::Table(entries) => entries.values().map(Self::count).sum(),
            _ => 0,
        }
    }

    /// Bytes that it takes in storage, about.
    pub fn bytes(&self) -> usize {
        8 + match self {
            Self::Text(text) => text.len(),
            Self::List(values) => values.iter().map(Self::bytes).sum(),
            Self::Table(entries) => entries.iter().map(|(name, value)| name.len() + 4 + value.bytes()).sum(),
            Self::Nil | Self::Truth(_) | Self::Number(_) => 0,
        }
    }
}
