//! Sections: rectangles into which a partitioner cuts a floor, and the links along which their rooms are joined.

use crate::base::grid::Rect;
use crate::base::{Direction, Point};
use serde::{Deserialize, Serialize};

/// A rectangle of ground with one room in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Area covered.
    pub bounds: Rect,
    /// Position of its room.
    pub centre: Point,
    /// Links to other sections.
    pub links: Vec<Joint>,
}

/// One end of a link between two neighbouring sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joint {
    /// Index of the neighbour.
    pub to: usize,
    /// Side of the section that faces the neighbour.
    pub side: Direction,
    /// Connection point: the last position inside the section on the way to the neighbour.
    pub at: Point,
}

impl Section {
    /// Creates a section without links; its room is in the middle.
    pub const fn new(bounds: Rect) -> Self {
        let centre =
            Point::new(i32::midpoint(bounds.min.x, bounds.max.x), i32::midpoint(bounds.min.y, bounds.max.y));
        Self { bounds, centre, links: Vec::new() }
    }

    /// Returns `true` if it has a link on the side.
    pub fn is_linked(&self, side: Direction) -> bool {
        self.links.iter().any(|link| link.side == side)
    }
}

/// Position where two sections touch and could be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// Index of the first section.
    pub from: usize,
    /// Index of its neighbour.
    pub to: usize,
    /// Side of the first section that faces the neighbour.
    pub side: Direction,
    /// Connection point of the first section; the neighbour's is one step further.
    pub at: Point,
}

/// Joins two sections along a border.
pub fn connect_sections(sections: &mut [Section], border: Border) {
    let Border { from, to, side, at } = border;
    if let Some(section) = sections.get_mut(from) {
        section.links.push(Joint { to, side, at });
    }
    if let Some(section) = sections.get_mut(to) {
        section.links.push(Joint { to: from, side: side.opposite(), at: at.step(side) });
    }
}
