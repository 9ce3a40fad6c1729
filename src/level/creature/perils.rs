//! The theme's perils: which rooms get one. What it is, guards or treasure or a shrine, the theme's weights decide.

use crate::base::{Dice, Rng};
use crate::data::Reader;
use crate::level::{CreatureAdder, CreatureSource, Location, PortalledLevel};

/// Lets the theme fill rooms.
#[derive(Clone, Copy, Debug)]
pub struct Perils {
    /// How many of 100 rooms of sections; the one where one arrives on a whole floor is spared.
    pub percent: u32,
}

impl Perils {
    /// Reads `percent`.
    pub fn read(reader: &mut Reader<'_>) -> Self {
        Self { percent: reader.number("percent", 0..=100) }
    }
}

impl CreatureAdder for Perils {
    fn add_creatures(&self, level: &mut PortalledLevel, _source: &dyn CreatureSource, dice: &mut Rng) {
        let mut spots = level.spots(Location::Room);
        spots.extend(level.spots(Location::Chamber));
        let spared = level.site().growing.is_none().then(|| level.arrival());
        for at in spots.into_iter().filter(|at| Some(*at) != spared) {
            if dice.percent(self.percent) {
                level.allow_perils(at);
            }
        }
    }
}
