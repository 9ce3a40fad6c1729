//! References to names defined outside a level file. They are collected with their positions while the file is read,
//! and resolved when all content is loaded.

use crate::data::{Position, Reader};

/// A name in a level file that is defined elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelReference {
    /// Position in the file.
    pub place: Position,
    /// Kind of the named definition.
    pub what: LevelReferent,
    /// The name.
    pub name: String,
}

/// Kind of definition that a reference names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LevelReferent {
    /// A theme, by its key.
    Theme,
    /// Another level type, by its name.
    LevelType,
    /// A creature, by its key.
    Creature,
    /// An item, by its key.
    Item,
    /// A class of items.
    ItemClass,
    /// A vault, by its key.
    Vault,
}

/// Reads the level types that a part serves.
pub(super) fn level_types(
    reader: &mut Reader<'_>,
    least: usize,
    references: &mut Vec<LevelReference>,
) -> Vec<String> {
    let listed = reader.placed_texts("level_types", least);
    let refer = |(place, name): (Position, String)| {
        references.push(LevelReference { place, what: LevelReferent::LevelType, name: name.clone() });
        name
    };
    listed.into_iter().map(refer).collect()
}

/// Reads an optional name that is defined elsewhere, and records the reference.
pub(super) fn named_if_any(
    reader: &mut Reader<'_>,
    key: &str,
    what: LevelReferent,
    references: &mut Vec<LevelReference>,
) -> Option<String> {
    let (place, name) = reader.text_if_any(key)?;
    references.push(LevelReference { place, what, name: name.clone() });
    Some(name)
}
