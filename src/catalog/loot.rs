//! Loot tables: what creatures and treasure rooms hold, by difficulty.

use crate::data::{Position, Reader, definition};

definition! {
    /// A table, from `content/loot/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LootTable {
        /// Fewest and most coppers at difficulty 0.
        pub coins: (u32, u32) => |file| coins(file),
        /// Stable name.
        pub key: String => |file| file.key(),
        /// In how many of 100 draws there are coins.
        pub coins_percent: u32 = number_or(0..=100, 0),
        /// In how many of 100 draws there is an item.
        pub item_percent: u32 = number_or(0..=100, 0),
        /// The items, by weight.
        pub items: Vec<LootItem> = tables_if_any(LootItem::read),
        /// Where it is defined.
        pub place: Position => |file| file.place(),
    }
}

definition! {
    /// An item of a loot table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LootItem {
        /// Where it is named.
        pub place: Position => |table| table.place_of("item"),
        /// The difficulties it is drawn at, first and last.
        pub difficulty: (u32, u32) = first_and_last(10_000),
        /// The prototype by key.
        pub item: String = text(),
        /// How often it is drawn among those that may be.
        pub weight: u32 = number_or(1..=10_000, 1),
    }
}

fn coins(file: &mut Reader<'_>) -> (u32, u32) {
    let coins = (file.number_or("coins_least", 0..=100_000, 0), file.number_or("coins_most", 0..=100_000, 0));
    if coins.0 > coins.1 {
        file.wrong("coins_most", "is below coins_least", "at least as many");
    }
    coins
}
