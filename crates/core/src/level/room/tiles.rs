//! Common parts of room generators: materials of rooms and corridors, and the distance of a room from its neighbours.

use crate::base::{Dice, Direction, Rng};
use crate::data::definition;
use crate::level::{Context, Material, SectionGround};

definition! {
    /// Materials of rooms and corridors.
    #[derive(Clone, Debug)]
    pub struct Tiles with (context: &Context) {
        /// Material of the room's ground.
        pub ground: Material => |table| table.text("floor").into(),
        /// Material of the corridors' ground.
        pub corridor: Material => |table| table.text("corridor").into(),
        /// Material that fills walkable cells.
        pub wall: Material => |table| table.text("wall").into(),
        /// Percentage of dead-end rooms set apart for treasure. Defaults to the level type's parameter of the same
        /// name.
        pub chamber_percent: u32 = number_or(0..=100, context.number("chamber_percent").unwrap_or(0)),
    }
}

impl Tiles {
    /// Generates a room with a shape, a size and its corridors.
    pub fn build(&self, section: &mut SectionGround<'_>, shape: &str, size: (u32, u32), dice: &mut Rng) {
        section.make_room(shape, size, &self.ground, &self.wall);
        section.join_links(&self.corridor, &self.wall);
        let apart = section.section().links.len() == 1 && !section.is_arrival();
        if apart && self.chamber_percent > 0 && dice.percent(self.chamber_percent) {
            section.make_chamber();
        }
    }
}

/// Rolls the width and length of a room. On each linked side of the section it keeps a distance, from 2 paces to two
/// less than half of the section; on the other sides it fills the section.
pub fn inset(section: &SectionGround<'_>, dice: &mut Rng) -> (u32, u32) {
    let (width, length) = section.paces();
    let mut edge = |side: Direction, whole: u32| {
        let most = (whole / 2).saturating_sub(2);
        if section.section().is_linked(side) { dice.between(most.min(2), most) } else { 0 }
    };
    let across = edge(Direction::West, width) + edge(Direction::East, width);
    let along = edge(Direction::South, length) + edge(Direction::North, length);
    (width.saturating_sub(across), length.saturating_sub(along))
}
