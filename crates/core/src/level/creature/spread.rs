//! A number of creatures of one kind, each placed at random.

use crate::base::{Dice, Rng};
use crate::data::definition;
use crate::level::reference::LevelReferent;
use crate::level::{CreatureAdder, CreatureSource, Location, PortalledFloor, Setup, range};

definition! {
    /// Places creatures of one kind at random.
    #[derive(Clone, Debug)]
    pub struct SpreadCreatures with (setup: &mut Setup<'_>) {
        /// Key of the creature.
        pub creature: String => |table| {
            let named = setup.named(table, "creature", LevelReferent::Creature);
            if named.is_none() {
                table.record_mistake("creature", "is missing", "the key of a creature");
            }
            named.unwrap_or_default()
        },
        /// Minimum and maximum number on a floor.
        pub count: (u32, u32) => |table| range(table, 0..=1_000),
        /// Kind of room in which they may be placed.
        pub location: Location => |table| table.choice_or("place", &Location::NAMES, Location::Anywhere),
    }
}

impl CreatureAdder for SpreadCreatures {
    fn add_creatures(&self, floor: &mut PortalledFloor, source: &dyn CreatureSource, dice: &mut Rng) {
        let (spots, depth) = (floor.spots(self.location), floor.site().dungeon_level);
        for _ in 0..dice.between(self.count.0, self.count.1) {
            let Some(at) = dice.pick(&spots).copied() else { return };
            if let Some(key) = source.creature(&self.creature, depth, dice) {
                floor.add_creature(at, key);
            }
        }
    }
}
