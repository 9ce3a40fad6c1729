//! References to names defined outside a level file. They are collected with their positions while the file is read,
//! and resolved when all content is loaded.

use crate::data::{Position, Reader};

/// A name in a level file that is defined elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Position in the file.
    pub place: Position,
    /// Kind of the named definition.
    pub what: Referent,
    /// The name.
    pub name: String,
}

/// Kind of definition that a reference names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Referent {
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
    references: &mut Vec<Reference>,
) -> Vec<String> {
    let listed = reader.placed_texts("level_types", least);
    let refer = |(place, name): (Position, String)| {
        references.push(Reference { place, what: Referent::LevelType, name: name.clone() });
        name
    };
    listed.into_iter().map(refer).collect()
}

/// Reads an optional name that is defined elsewhere, and records the reference.
pub(super) fn named_if_any(
    reader: &mut Reader<'_>,
    key: &str,
    what: Referent,
    references: &mut Vec<Reference>,
) -> Option<String> {
    let (place, name) = reader.text_if_any(key)?;
    references.push(Reference { place, what, name: name.clone() });
    Some(name)
}
