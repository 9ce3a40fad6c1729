//! Loot tables of creatures and treasure rooms, by difficulty.

use crate::data::{Position, Reader, definition};

definition! {
    /// A loot table, from `content/loot/KEY.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LootTable {
        /// Minimum and maximum of coppers at difficulty 0.
        pub coins: (u32, u32) => |file| coins(file),
        /// Stable key.
        pub key: String => |file| file.key(),
        /// Chance of coins per roll, in percent.
        pub coins_percent: u32 = number_or(0..=100, 0),
        /// Chance of an item per roll, in percent.
        pub item_percent: u32 = number_or(0..=100, 0),
        /// Items, by weight.
        pub items: Vec<LootItem> = tables_if_any(LootItem::read),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}

definition! {
    /// An item of a loot table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LootItem {
        /// Place of the `item` key.
        pub place: Position => |table| table.place_of("item"),
        /// First and last difficulty at which it is found.
        pub difficulty: (u32, u32) = first_and_last(10_000),
        /// Item prototype, by key.
        pub item: String = text(),
        /// Weight of the random choice.
        pub weight: u32 = number_or(1..=10_000, 1),
    }
}

fn coins(file: &mut Reader<'_>) -> (u32, u32) {
    let coins = (file.number_or("coins_least", 0..=100_000, 0), file.number_or("coins_most", 0..=100_000, 0));
    if coins.0 > coins.1 {
        file.record_mistake("coins_most", "is below coins_least", "at least as many");
    }
    coins
}
