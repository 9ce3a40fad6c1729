//! Sections: the rectangles into which a partitioner cuts a floor, and the links by which their rooms will be joined.

use crate::base::grid::Rect;
use crate::base::{Direction, Point};
use serde::{Deserialize, Serialize};

/// A rectangle of ground with one room in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The ground it covers.
    pub bounds: Rect,
    /// Where its room will be.
    pub centre: Point,
    /// To which sections it is joined, and where.
    pub links: Vec<Joint>,
}

/// A connection of a section to a neighbour. Each of the two has its end of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joint {
    /// The number of the neighbour.
    pub to: usize,
    /// The side on which it lies.
    pub side: Direction,
    /// The connection point: the last place inside the section on the way there.
    pub at: Point,
}

impl Section {
    /// A section that is not joined to anything yet; its room will be in the middle.
    pub const fn new(bounds: Rect) -> Self {
        let centre =
            Point::new(i32::midpoint(bounds.min.x, bounds.max.x), i32::midpoint(bounds.min.y, bounds.max.y));
        Self { bounds, centre, links: Vec::new() }
    }

    /// Whether it is joined to something on a side.
    pub fn is_linked(&self, side: Direction) -> bool {
        self.links.iter().any(|link| link.side == side)
    }
}

/// A place where two sections touch, and where they could be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// A section.
    pub from: usize,
    /// Its neighbour.
    pub to: usize,
    /// On which side of the first the neighbour lies.
    pub side: Direction,
    /// The connection point of the first; that of the neighbour is one step further.
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
