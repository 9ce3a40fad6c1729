//! Loot tables: what creatures and treasure rooms hold, by difficulty.

use crate::data::{CatalogError, Place, Reader};

/// A table, from `content/loot/KEY.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LootTable {
    /// Stable name.
    pub key: String,
    /// In how many of 100 draws there are coins.
    pub coins_percent: u32,
    /// Fewest and most coppers at difficulty 0.
    pub coins: (u32, u32),
    /// In how many of 100 draws there is an item.
    pub item_percent: u32,
    /// The items, by weight.
    pub items: Vec<LootItem>,
    /// Where it is defined.
    pub place: Place,
}

/// An item of a loot table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LootItem {
    /// The prototype by key.
    pub item: String,
    /// How often it is drawn among those that may be.
    pub weight: u32,
    /// The difficulties it is drawn at, first and last.
    pub difficulty: (u32, u32),
    /// Where it is named.
    pub place: Place,
}

pub(super) fn read(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<LootTable> {
    let mut reader = Reader::parse(path, text, mistakes)?;
    let coins =
        (reader.number_or("coins_least", 0..=100_000, 0), reader.number_or("coins_most", 0..=100_000, 0));
    if coins.0 > coins.1 {
        reader.wrong("coins_most", "is below coins_least", "at least as many");
    }
    let table = LootTable {
        key: reader.key(),
        coins_percent: reader.number_or("coins_percent", 0..=100, 0),
        coins,
        item_percent: reader.number_or("item_percent", 0..=100, 0),
        items: reader.tables_if_any("items", item),
        place: reader.place(),
    };
    reader.finish();
    Some(table)
}

fn item(table: &mut Reader<'_>) -> LootItem {
    let place = table.place_of("item");
    let first = table.number_or("first_difficulty", 0..=10_000, 0);
    LootItem {
        item: table.text("item"),
        weight: table.number_or("weight", 1..=10_000, 1),
        difficulty: (first, table.number_or("last_difficulty", first..=u32::MAX, u32::MAX)),
        place,
    }
}
