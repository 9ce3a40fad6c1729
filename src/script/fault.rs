//! What stopped a program, and where.

use crate::data::{CatalogError, Position};
use std::fmt;

/// A call that came to nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Fault {
    /// Where in its file.
    pub place: Position,
    /// Why.
    pub kind: FaultKind,
}

/// Why a call came to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// It took more steps than it may.
    TooManySteps,
    /// It took more memory than it may.
    TooMuchMemory,
    /// It has no function of this name.
    NoFunction(String),
    /// It did what cannot be done, in its own words or in those of the language.
    Failed(String),
    /// What it gave back cannot be used.
    Unfit(String),
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManySteps => f.write_str("the script takes more steps than it may"),
            Self::TooMuchMemory => f.write_str("the script takes more memory than it may"),
            Self::NoFunction(name) => write!(f, "the script has no function `{name}`"),
            Self::Failed(words) => write!(f, "the script fails: {words}"),
            Self::Unfit(words) => write!(f, "what the script gives back cannot be used: {words}"),
        }
    }
}

impl From<Fault> for CatalogError {
    fn from(fault: Fault) -> Self {
        Self::new(&fault.place, fault.kind.to_string(), "")
    }
}
