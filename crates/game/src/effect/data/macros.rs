//! Body of `Char.Macros.List`.

use serde::Serialize;
use std::collections::BTreeMap;

/// Macros and highlights of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MacroList {
    /// All keys that can have a macro.
    pub keys: &'static [&'static str],
    /// Commands by key. The name of the key, sent as a line, carries them out.
    pub macros: BTreeMap<&'static str, String>,
    /// Phrases that are marked in text.
    pub highlights: Vec<String>,
}
