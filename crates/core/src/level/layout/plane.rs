//! Planes of open and solid cells. A cell depends only on the seed, not on the order of queries, so the floor is the
//! same for all players and needs no storage.

use crate::base::grid::Rect;
use crate::base::{Direction, Point, Seed};

/// A plane of cells.
pub(super) trait Cells {
    /// Returns `true` if a cell is open.
    fn is_open(&self, cell: Point) -> bool;

    /// Returns whether each neighbour of a cell is open, clockwise from north.
    fn beside(&self, cell: Point) -> [bool; 4] {
        Direction::PLANE.map(|side| self.is_open(cell.step(side)))
    }

    /// Returns `true` if a cell and its neighbour are joined, given that both are open. Symmetric.
    fn is_joined(&self, _cell: Point, _side: Direction) -> bool {
        true
    }

    /// Returns whether each cell of a rectangle is open: row by row from the south, each from the west.
    fn open_cells(&self, area: Rect) -> Vec<bool>;
}

/// A family of planes, one for each seed.
pub(super) trait Plane {
    /// Type of its planes.
    type Cells: Cells;

    /// Returns the plane of a seed, or the plain plane without a seed, in which every cell is open.
    fn cells(&self, seed: Option<Seed>) -> Self::Cells;

    /// Returns a value that distinguishes this family from others with the same seed.
    fn fingerprint(&self) -> Seed;
}
