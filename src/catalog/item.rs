//! Prototypes of items: what a thing is before there is one.

use super::reader::{CatalogError, Place, Reader};

/// A kind of thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemPrototype {
    /// Stable name in data and storage.
    pub key: String,
    /// What players call it, without article: `coil of rope`.
    pub name: String,
    /// With its article: `a coil of rope`.
    pub with_article: String,
    /// Several of it: `coils of rope`.
    pub plural: String,
    /// One or two sentences for `examine`.
    pub description: String,
    /// Weight in hundredths of a kilogram.
    pub weight: u32,
    /// Worth in copper coins.
    pub value: u32,
    /// Where it is defined.
    pub place: Place,
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<ItemPrototype> {
    let mut reader = Reader::parse(path, text, mistakes)?;
    let place = reader.place();
    let name = reader.text("name");
    let item = ItemPrototype {
        key: reader.key(),
        with_article: reader.text_or("with_article", || super::reader::with_article(&name)),
        plural: reader.text_or("plural", || format!("{name}s")),
        name,
        description: reader.text("description"),
        weight: reader.number_or("weight", 0..=100_000, 0),
        value: reader.number_or("value", 0..=1_000_000, 0),
        place,
    };
    reader.finish();
    Some(item)
}
