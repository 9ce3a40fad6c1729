//! So many creatures of a kind, each in a place of its own drawing.

use crate::base::{Dice, Rng};
use crate::data::Reader;
use crate::level::reference::Referent;
use crate::level::{CreatureAdder, CreatureSource, Location, PortalledLevel, Setup, range};

/// Spreads creatures.
#[derive(Clone, Debug)]
pub struct SpreadCreatures {
    /// Which.
    pub creature: String,
    /// Fewest and most of them on a floor.
    pub count: (u32, u32),
    /// Where they may be.
    pub location: Location,
}

impl SpreadCreatures {
    /// Reads `creature`, `least`, `most` and `place`.
    pub fn read(reader: &mut Reader<'_>, setup: &mut Setup<'_>) -> Self {
        let creature = setup.named(reader, "creature", Referent::Creature);
        if creature.is_none() {
            reader.wrong("creature", "is missing", "the key of a creature");
        }
        Self {
            creature: creature.unwrap_or_default(),
            count: range(reader, 0..=1_000),
            location: reader.choice_or("place", Location::NAMES, Location::Anywhere),
        }
    }
}

impl CreatureAdder for SpreadCreatures {
    fn add_creatures(&self, level: &mut PortalledLevel, source: &dyn CreatureSource, dice: &mut Rng) {
        let (spots, depth) = (level.spots(self.location), level.site().level);
        for _ in 0..dice.between(self.count.0, self.count.1) {
            let Some(at) = dice.pick(&spots).copied() else { return };
            if let Some(key) = source.creature(&self.creature, depth, dice) {
                level.add_creature(at, key);
            }
        }
    }
}
