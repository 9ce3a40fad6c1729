//! A number of items of one class or kind, each placed at random.

use crate::base::{Dice, Rng};
use crate::data::Reader;
use crate::level::reference::LevelReferent;
use crate::level::{ItemAdder, ItemSource, Location, PopulatedFloor, Setup, range};

/// Items to place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goods {
    /// Items of a class; the source chooses each.
    Class(String),
    /// Items with this key.
    Item(String),
}

/// Places items at random.
#[derive(Clone, Debug)]
pub struct SpreadItems {
    /// Items to place.
    pub goods: Goods,
    /// Minimum and maximum number on a floor.
    pub count: (u32, u32),
    /// Kind of room in which they may be placed.
    pub location: Location,
}

impl SpreadItems {
    /// Reads `class` or `item`, `least`, `most` and `place`.
    pub fn read(reader: &mut Reader<'_>, setup: &mut Setup<'_>) -> Self {
        let class = setup.named(reader, "class", LevelReferent::ItemClass);
        let item = setup.named(reader, "item", LevelReferent::Item);
        let goods = match (class, item) {
            (Some(class), None) => Goods::Class(class),
            (None, Some(item)) => Goods::Item(item),
            _ => {
                reader.record_mistake("class", "or `item` has to be there", "one of the two");
                Goods::Class(String::new())
            }
        };
        let location = reader.choice_or("place", &Location::NAMES, Location::Room);
        Self { goods, count: range(reader, 0..=1_000), location }
    }
}

impl ItemAdder for SpreadItems {
    fn add_items(&self, floor: &mut PopulatedFloor, source: &dyn ItemSource, dice: &mut Rng) {
        let (spots, depth) = (floor.spots(self.location), floor.site().dungeon_level);
        for _ in 0..dice.between(self.count.0, self.count.1) {
            let Some(at) = dice.pick(&spots).copied() else { return };
            let key = match &self.goods {
                Goods::Class(class) => source.item(class, depth, dice),
                Goods::Item(item) => Some(item.clone()),
            };
            if let Some(key) = key {
                floor.add_item(at, key);
            }
        }
    }
}
