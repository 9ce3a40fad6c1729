//! A round room: as wide as it is long.

use super::{Tiles, inset};
use crate::base::Rng;
use crate::level::{RoomGenerator, SectionGround};

/// Generates round rooms.
#[derive(Clone, Debug)]
pub struct Round(pub Tiles);

impl RoomGenerator for Round {
    fn generate_room(&self, section: &mut SectionGround<'_>, dice: &mut Rng) {
        let (width, length) = inset(section, dice);
        let across = width.min(length);
        self.0.build(section, "round", (across, across), dice);
    }
}
