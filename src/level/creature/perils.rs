//! The theme's perils: which rooms get one. What it is, guards or treasure or a shrine, the theme's weights decide.

use crate::base::{Dice, Rng};
use crate::data::definition;
use crate::level::{CreatureAdder, CreatureSource, Location, PortalledFloor};

definition! {
    /// Lets the theme fill rooms.
    #[derive(Clone, Copy, Debug)]
    pub struct Perils {
        /// In how many of 100 rooms of sections; the one where one arrives on a whole floor is spared.
        pub percent: u32 = number(0..=100),
        /// In how many of 100 corridors between sections.
        pub corridor_percent: u32 = number_or(0..=100, 0),
    }
}

impl CreatureAdder for Perils {
    fn add_creatures(&self, floor: &mut PortalledFloor, _source: &dyn CreatureSource, dice: &mut Rng) {
        let mut spots = floor.spots(Location::Room);
        spots.extend(floor.spots(Location::Chamber));
        let spared = floor.site().growing.is_none().then(|| floor.arrival());
        spots.retain(|at| Some(*at) != spared);
        for (spots, percent) in
            [(spots, self.percent), (floor.spots(Location::Corridor), self.corridor_percent)]
        {
            for at in spots {
                if dice.percent(percent) {
                    floor.allow_perils(at);
                }
            }
        }
    }
}
