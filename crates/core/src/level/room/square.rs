//! The plain room with four corners.

use super::{Tiles, inset};
use crate::base::Rng;
use crate::level::{RoomGenerator, SectionGround};

/// Generates rectangular rooms.
#[derive(Clone, Debug)]
pub struct Square(pub Tiles);

impl RoomGenerator for Square {
    fn generate_room(&self, section: &mut SectionGround<'_>, dice: &mut Rng) {
        let size = inset(section, dice);
        self.0.build(section, "square", size, dice);
    }
}
