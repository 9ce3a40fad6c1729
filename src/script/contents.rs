//! What is in the table that a file returns.

use super::value::Value;
use std::collections::BTreeMap;

/// What the table that a file returns has in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    /// Its functions, each with the line where it begins.
    pub(super) functions: BTreeMap<String, u32>,
    /// Everything else.
    pub(super) data: BTreeMap<String, Value>,
}
