//! Errors that stop a script.

use crate::data::{CatalogError, Position};
use std::fmt;

/// A failed script call.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Fault {
    /// Place in the script file.
    pub place: Position,
    /// Kind of failure.
    pub kind: FaultKind,
    /// Functions of the script that were running, the innermost first, at most [`CHAIN_MAX`]; empty if unknown.
    pub chain: Vec<Frame>,
}

/// Maximum length of a call chain.
pub const CHAIN_MAX: usize = 8;

/// A function of the script that was running when a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Line that was running.
    pub line: u32,
    /// Name of the function, if it has one.
    pub function: Option<String>,
}

impl Fault {
    /// Creates an error without a call chain.
    pub const fn new(place: Position, kind: FaultKind) -> Self {
        Self { place, kind, chain: Vec::new() }
    }
}

/// Kinds of failed script calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The step limit was exceeded.
    TooManySteps,
    /// The memory limit was exceeded.
    TooMuchMemory,
    /// The script has no function of this name.
    NoFunction(String),
    /// The script raised an error or a runtime error occurred; holds the message.
    Failed(String),
    /// The returned value cannot be used; holds the reason.
    Unfit(String),
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManySteps => f.write_str("the script takes more steps than it may"),
            Self::TooMuchMemory => f.write_str("the script takes more memory than it may"),
            Self::NoFunction(name) => write!(f, "the script has no function `{name}`"),
            Self::Failed(message) => write!(f, "the script fails: {message}"),
            Self::Unfit(message) => write!(f, "what the script gives back cannot be used: {message}"),
        }
    }
}

impl From<Fault> for CatalogError {
    fn from(fault: Fault) -> Self {
        Self::new(&fault.place, fault.kind.to_string(), "")
    }
}
