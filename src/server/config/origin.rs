//! Source of a setting's value.

use deepwell_core::data::{Mistake, Position};
use std::fmt;

/// Source of a value. Mistakes are reported in this order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SettingOrigin {
    /// The built-in default.
    BuiltIn,
    /// A configuration file, named as on the command line.
    File(Position),
    /// An environment variable.
    Environment(String),
    /// A `--set` argument, without its value.
    Set(String),
}

/// A mistake in the settings, worded for the operator.
pub type ConfigError = Mistake<SettingOrigin>;

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::File(place) => place.fmt(f),
            Self::Environment(variable) => write!(f, "environment {variable}"),
            Self::Set(setting) => write!(f, "--set {setting}"),
        }
    }
}
