//! Names in a level file that somebody else has to know: they are noted with their place while the file is read, and
//! looked up when everything is there.

use crate::data::{Position, Reader};

/// A name in a level file that somebody else has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands.
    pub place: Position,
    /// What it names.
    pub what: Referent,
    /// The name.
    pub name: String,
}

/// What a name in a level file may name.
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

/// The level types that something serves.
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

/// A name that somebody else defines, if the key is there.
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
