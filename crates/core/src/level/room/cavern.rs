//! A natural cavern: the length of each side is between a third of the section's and the full length, regardless of
//! neighbours.

use super::Tiles;
use crate::base::{Dice, Rng};
use crate::level::{RoomGenerator, SectionGround};

/// Generates caverns.
#[derive(Clone, Debug)]
pub struct Cavern(pub Tiles);

impl RoomGenerator for Cavern {
    fn generate_room(&self, section: &mut SectionGround<'_>, dice: &mut Rng) {
        let (width, length) = section.paces();
        let mut extent = |whole: u32| dice.between(whole / 3, whole);
        let size = (extent(width), extent(length));
        self.0.build(section, "cavern", size, dice);
    }
}
