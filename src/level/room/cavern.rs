//! A hollow that nobody dug: of any size between a third of its section and all of it, whatever lies beside it.

use super::Tiles;
use crate::base::{Dice, Rng};
use crate::level::{RoomGenerator, SectionGround};

/// Makes caverns.
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
