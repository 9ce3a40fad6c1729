//! Equal sections in rows and columns.

use crate::base::grid::Rect;
use crate::base::{Direction, Point, Rng};
use crate::data::definition;
use crate::level::connect::Connectors;
use crate::level::partition::section::{Border, Section};
use crate::level::{EmptyFloor, PartitionedFloor, Partitioner, Setup};

/// Side of a section in cells: the room in the middle, and one cell on each side for corridors.
const SIDE: i32 = 3;

definition! {
    /// A grid of sections.
    #[derive(Clone, Debug)]
    pub struct Grid with (setup: &mut Setup<'_>) {
        /// Number of sections from west to east.
        pub x_sections: u32 = number_or(1..=20, Self::default().x_sections),
        /// Number of sections from south to north.
        pub y_sections: u32 = number_or(1..=20, Self::default().y_sections),
        /// Connectors of its sections.
        pub connectors: Connectors => |table| Connectors::read(table, setup),
    }
}

impl Default for Grid {
    fn default() -> Self {
        Self { x_sections: 3, y_sections: 3, connectors: Connectors::default() }
    }
}

impl Partitioner for Grid {
    fn partition(&self, floor: EmptyFloor, dice: &mut Rng) -> PartitionedFloor {
        let (columns, rows) = (self.x_sections as usize, self.y_sections as usize);
        let mut sections = Vec::with_capacity(columns * rows);
        let mut borders = Vec::with_capacity(2 * columns * rows);
        let mut corner = Point::ORIGIN;
        for row in 0..rows {
            corner.x = 0;
            for column in 0..columns {
                let from = sections.len();
                let section = Section::new(Rect {
                    min: corner,
                    max: Point::new(corner.x + SIDE - 1, corner.y + SIDE - 1),
                });
                let mut border = |to, side| {
                    borders.push(Border { from, to, side, at: section.centre.step(side) });
                };
                if column + 1 < columns {
                    border(from + 1, Direction::East);
                }
                if row + 1 < rows {
                    border(from + columns, Direction::North);
                }
                sections.push(section);
                corner.x += SIDE;
            }
            corner.y += SIDE;
        }
        self.connectors.connect(&mut sections, borders, dice);
        floor.partitioned(sections)
    }
}
