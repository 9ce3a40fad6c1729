//! A hall whose ceiling rests on pillars: never so small that there is nothing to hold up.

use super::{Tiles, inset};
use crate::base::Rng;
use crate::data::Reader;
use crate::level::{Context, RoomGenerator, SectionGround};

/// Makes halls with pillars.
#[derive(Clone, Debug)]
pub struct Pillared {
    /// What they are made of.
    pub tiles: Tiles,
    /// The shortest side of a hall, in paces.
    pub least: u32,
}

impl Pillared {
    /// Reads what it is made of, and `least`.
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
