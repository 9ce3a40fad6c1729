//! A pillared hall with a minimum size.

use super::{Tiles, inset};
use crate::base::Rng;
use crate::data::Reader;
use crate::level::{Context, RoomGenerator, SectionGround};

/// Generates halls with pillars.
#[derive(Clone, Debug)]
pub struct Pillared {
    /// Materials.
    pub tiles: Tiles,
    /// Minimum length of a side, in paces.
    pub least: u32,
}

impl Pillared {
    /// Reads the materials and `least`.
    pub fn read(reader: &mut Reader<'_>, context: &Context) -> Self {
        Self { tiles: Tiles::read(reader, context), least: reader.number_or("least", 2..=100, 7) }
    }
}

impl RoomGenerator for Pillared {
    fn generate_room(&self, section: &mut SectionGround<'_>, dice: &mut Rng) {
        let (width, length) = inset(section, dice);
        self.tiles.build(section, "pillared", (width.max(self.least), length.max(self.least)), dice);
    }
}
