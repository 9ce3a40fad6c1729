//! Contents of the table that a script file returns.

use super::value::Value;
use std::collections::BTreeMap;

/// Contents of the table that a script file returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    /// Functions by name, with the line on which each begins.
    pub(super) functions: BTreeMap<String, u32>,
    /// All other entries.
    pub(super) data: BTreeMap<String, Value>,
}
