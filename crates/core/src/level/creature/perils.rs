//! Placement of the theme's perils. The theme's weights decide the kind: guards, treasure or a shrine.

use crate::base::{Dice, Rng};
use crate::data::definition;
use crate::level::{CreatureAdder, CreatureSource, Location, PortalledFloor};

definition! {
    /// Marks rooms that the theme fills with a peril.
    #[derive(Clone, Copy, Debug)]
    pub struct Perils {
        /// Percentage of section rooms; the arrival room of a whole floor is excluded.
        pub percent: u32 = number(0..=100),
        /// Percentage of corridors between sections.
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
