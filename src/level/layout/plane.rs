//! A plane of cells that are open or solid whoever asks, in whatever order, so that the floor is the same for everybody
//! and needs no memory.

use crate::base::grid::Rect;
use crate::base::{Direction, Point, Seed};

/// A plane of cells.
pub(super) trait Cells {
    /// Whether a cell is open.
    fn is_open(&self, cell: Point) -> bool;

    /// Whether the neighbours of a cell are open, clockwise from north.
    fn beside(&self, cell: Point) -> [bool; 4] {
        Direction::PLANE.map(|side| self.is_open(cell.step(side)))
    }

    /// Whether a cell and its neighbour are joined if both are open; the same from both sides.
    fn is_joined(&self, _cell: Point, _side: Direction) -> bool {
        true
    }

    /// The open cells of a rectangle: row by row from the south, each from the west.
    fn open_cells(&self, area: Rect) -> Vec<bool>;
}

/// Planes of one kind, one for each seed.
pub(super) trait Plane {
    /// A plane of this kind.
    type Cells: Cells;

    /// The plane of a seed; without one the plain one, in which every cell is open.
    fn cells(&self, seed: Option<Seed>) -> Self::Cells;

    /// What tells it from other planes of the same seed.
    fn fingerprint(&self) -> Seed;
}
