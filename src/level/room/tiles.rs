//! What room generators share: what rooms and their ways are made of, and how far a room keeps from its neighbours.

use crate::base::{Dice, Direction, Rng};
use crate::data::definition;
use crate::level::{Context, Material, SectionGround};

definition! {
    /// What rooms and their ways are made of.
    #[derive(Clone, Debug)]
    pub struct Tiles with (context: &Context) {
        /// The ground of the room.
        pub ground: Material => |table| table.text("floor").into(),
        /// The ground of the ways.
        pub corridor: Material => |table| table.text("corridor").into(),
        /// What fills a place where one can walk.
        pub wall: Material => |table| table.text("wall").into(),
        /// How many of 100 rooms at dead ends are set apart for treasure; without a key as many as the parameter of that
        /// name says for all rooms of the level type.
        pub chamber_percent: u32 = number_or(0..=100, context.number("chamber_percent").unwrap_or(0)),
    }
}

impl Tiles {
    /// Makes a room of a shape and a size, with its ways.
    pub fn build(&self, section: &mut SectionGround<'_>, shape: &str, size: (u32, u32), dice: &mut Rng) {
        section.make_room(shape, size, &self.ground, &self.wall);
        section.join_links(&self.corridor, &self.wall);
        let apart = section.section().links.len() == 1 && !section.is_arrival();
        if apart && self.chamber_percent > 0 && dice.percent(self.chamber_percent) {
            section.make_chamber();
        }
    }
}

/// Width and length of a room that keeps its distance from each linked side of the section, 2 paces at least and two less
/// than half of the section at most, and lies flush on the others.
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
