//! Where a setting was written.

use crate::data::{Mistake, Position};
use std::fmt;

/// Where a value was written, in the order in which mistakes are told.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Nowhere: the default.
    BuiltIn,
    /// In a file, which has the name that it was given.
    File(Position),
    /// In a variable of the environment.
    Environment(String),
    /// In an argument `--set`, which is given here without its value.
    Set(String),
}

/// One thing that is wrong with the settings, in words for the operator.
pub type ConfigError = Mistake<Origin>;

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::File(place) => place.fmt(f),
            Self::Environment(variable) => write!(f, "environment {variable}"),
            Self::Set(setting) => write!(f, "--set {setting}"),
        }
    }
}
