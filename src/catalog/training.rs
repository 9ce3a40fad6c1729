//! What a character may choose when it has gained a level.

use crate::data::{CatalogError, Place, Reader};

/// One choice, from `content/training/KEY.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Training {
    /// What one types.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// What it does, in a sentence.
    pub description: String,
    /// Where it stands in the list.
    pub order: u32,
    /// Added to the hit points at most, and to those one has.
    pub max_hp: u32,
    /// Added to attack.
    pub attack: u32,
    /// Added to defence.
    pub defence: u32,
    /// Where it is defined.
    pub place: Place,
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Training> {
    let mut reader = Reader::parse(path, text, mistakes)?;
    let training = Training {
        key: reader.key(),
        name: reader.text("name"),
        description: reader.text("description"),
        order: reader.number_or("order", 0..=1_000, 100),
        max_hp: reader.number_or("max_hp", 0..=10_000, 0),
        attack: reader.number_or("attack", 0..=1_000, 0),
        defence: reader.number_or("defence", 0..=1_000, 0),
        place: reader.place(),
    };
    reader.finish();
    Some(training)
}
